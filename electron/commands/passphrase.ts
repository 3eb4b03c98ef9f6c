import { LEAST_PASSPHRASE } from '../contract/passphrase.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { readHidden } from './hidden-text.ts';

let passphrase: Promise<string> | undefined;

/** Whether it can be had without asking anybody. */
export function hasPassphrase(): boolean {
  return passphrase !== undefined || (process.env.MAKERDESK_PASSPHRASE ?? '') !== '';
}

/**
 * The passphrase of the keystore: taken from `MAKERDESK_PASSPHRASE`, else asked for; once, however often a command needs it.
 * Throws DeskError `no_passphrase`.
 */
export function readPassphrase(question: string): Promise<string> {
  passphrase ??= takePassphrase(question);
  return passphrase;
}

/**
 * One that is to seal a new key. Nobody sees what is typed, and a slip of the finger would lose the key: at the terminal it is typed
 * twice, and is as long as in the window. From `MAKERDESK_PASSPHRASE` it is not asked for again. Throws DeskError `no_passphrase`.
 */
export async function readNewPassphrase(): Promise<string> {
  const isGiven = hasPassphrase();
  const typed = await readPassphrase('New passphrase');
  if (typed.length < LEAST_PASSPHRASE) {
    throw new DeskError('no_passphrase', 'The passphrase is too short: no key was made.', {
      remedy: `${isGiven ? 'Put one into MAKERDESK_PASSPHRASE of' : 'Type'} ${LEAST_PASSPHRASE} characters or more.`,
    });
  }
  if (isGiven) return typed;
  if ((await takePassphrase('The same passphrase again')) === typed) return typed;
  throw new DeskError('no_passphrase', 'The two passphrases are not the same: no key was made.', {
    remedy: 'Type the same one twice.',
  });
}

/** As `readPassphrase`, and nothing here remembers it: a desk that runs lets go of it when it is locked. */
export function takePassphrase(question: string): Promise<string> {
  return readHidden({ variable: 'MAKERDESK_PASSPHRASE', question, code: 'no_passphrase' });
}
