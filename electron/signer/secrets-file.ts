import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DeskError } from '../protocol/desk-error.ts';

export const SECRETS_FILE = 'secrets.json';

/** The sealed file as it is; null where there is none. Throws DeskError `secrets_unreadable`. */
export async function readSealedSecrets(folder: string): Promise<string | null> {
  try {
    return await readFile(join(folder, SECRETS_FILE), 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new DeskError('secrets_unreadable', `${join(folder, SECRETS_FILE)} cannot be read.`, { cause });
  }
}
