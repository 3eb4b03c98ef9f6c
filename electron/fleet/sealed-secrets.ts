import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateFile } from '../signer/private-file.ts';
import { isSealedText } from '../signer/sealed-text.ts';
import { SECRETS_FILE } from '../signer/secrets-file.ts';
import type { FleetServer } from './fleet-server.ts';

const KEY = 'secrets';

/** The sealed file as it was sent last, and as which revision it stands in the fleet server. */
export interface SentSecrets {
  text: string;
  revision: number;
}

/** Puts the sealed file of a desk's folder into the fleet server as it is, for its standbys; null where there is none. */
export async function sendSealed(
  { bucket }: FleetServer,
  folder: string,
  sent: SentSecrets | null,
): Promise<SentSecrets | null> {
  const text = await readFile(join(folder, SECRETS_FILE), 'utf8').catch(() => null);
  if (text === null || text === sent?.text) return sent;
  return { text, revision: await bucket.put(KEY, text) };
}

/**
 * Takes over the sealed file as the desk that writes has it, unless it is the one of this `revision`, or an older one: only the passphrase opens it. Returns
 * the revision of what is in the folder then; 0 where the fleet server has none.
 */
export async function takeSealed({ bucket }: FleetServer, folder: string, revision: number): Promise<number> {
  const entry = await bucket.get(KEY);
  if (entry === null || entry.operation !== 'PUT' || entry.revision <= revision) return revision;
  // Whatever else was put there, what is in the folder stays.
  if (!isSealedText(entry.string())) return revision;
  await writePrivateFile(join(folder, SECRETS_FILE), entry.string());
  return entry.revision;
}
