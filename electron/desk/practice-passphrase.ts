import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeskError } from '../protocol/desk-error.ts';
import { openKeystore } from '../signer/keystore.ts';
import type { Log } from './log.ts';

/** Practice keys are worth nothing, so their passphrase is no secret. */
const PRACTICE_PASSPHRASE = 'practice';

/** A practice market writes its file before anything else of a practice desk is there, so a desk beside which there is none is real. */
export function isPractice(folder: string): boolean {
  return existsSync(join(folder, 'market', 'market.json'));
}

/**
 * A practice desk has its own passphrase: one in the environment is of a real desk, and what is sealed with it could not be opened when
 * it is not there the next time. Only where the key here was sealed with the given one before does that go on.
 */
export async function practicePassphrase(
  folder: string,
  given: string | undefined,
  log: Pick<Log, 'warn'>,
): Promise<string> {
  if (given === undefined || given === PRACTICE_PASSPHRASE) return PRACTICE_PASSPHRASE;
  const isOfBefore = await opens(folder, given);
  if (isOfBefore && !(await opens(folder, PRACTICE_PASSPHRASE))) return given;
  log.warn(`MAKERDESK_PASSPHRASE is not used: the passphrase of a practice desk is “${PRACTICE_PASSPHRASE}”.`);
  return PRACTICE_PASSPHRASE;
}

/** False also where there is no key yet. */
async function opens(folder: string, passphrase: string): Promise<boolean> {
  try {
    await openKeystore(folder, passphrase);
    return true;
  } catch (error) {
    if (isDeskError(error, 'wrong_passphrase', 'no_keystore')) return false;
    throw error;
  }
}
