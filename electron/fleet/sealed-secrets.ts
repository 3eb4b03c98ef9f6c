import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateFile } from '../signer/private-file.ts';
import { isSealedText } from '../signer/sealed-text.ts';
import { readSealedSecrets, SECRETS_FILE } from '../signer/secrets-file.ts';
import { type FleetServer, whyOf } from './fleet-server.ts';

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

/** The sealed file as a standby looked at it last. */
export interface TakenSecrets {
  /** Its revision in the fleet server; 0: it is what was in the folder before. */
  revision: number;
  /** Why it does not open here; null where it does, or there is none. */
  fault: string | null;
}

/** Opens a sealed text as a desk does that starts, and throws where it could not. */
export type OpenSealed = (sealed: string) => Promise<unknown>;

/** The sealed file that is in the folder before anything is taken from the fleet server. */
export async function foundSealed(folder: string, open: OpenSealed): Promise<TakenSecrets> {
  const opening = readSealedSecrets(folder).then((text) => text !== null && open(text));
  return { revision: 0, fault: await faultOf(opening) };
}

/**
 * Takes over the sealed file as the desk that writes has it, unless it is the one that was looked at before, or an older one. One that does
 * not open is not taken: what is in the folder stays.
 */
export async function takeSealed(
  { bucket }: FleetServer,
  folder: string,
  open: OpenSealed,
  before: TakenSecrets,
): Promise<TakenSecrets> {
  const entry = await bucket.get(KEY);
  if (entry === null || entry.operation !== 'PUT' || entry.revision <= before.revision) return before;
  const text = entry.string();
  // Whatever else was put there says nothing of the desk's secrets.
  if (!isSealedText(text)) return before;
  const fault = await faultOf(open(text));
  if (fault === null) await writePrivateFile(join(folder, SECRETS_FILE), text);
  return { revision: entry.revision, fault };
}

function faultOf(opening: Promise<unknown>): Promise<string | null> {
  return opening.then(() => null, whyOf);
}
