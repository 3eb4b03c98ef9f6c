import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateFile } from '../signer/private-file.ts';
import { SECRETS_FILE } from '../signer/secrets.ts';
import type { Engine } from './engine.ts';

const KEY = 'secrets';

/** Puts the sealed file of a desk's folder into the engine as it is, for whoever stands by; gives the text, null where there is none. */
export async function sendSealed({ bucket }: Engine, folder: string, sent: string | null): Promise<string | null> {
  const text = await readFile(join(folder, SECRETS_FILE), 'utf8').catch(() => null);
  if (text !== null && text !== sent) await bucket.put(KEY, text);
  return text ?? sent;
}

/** Keeps the sealed file of a folder as the desk that writes has it, until the signal is aborted: only the passphrase opens it. */
export async function followSealed({ bucket }: Engine, folder: string, signal: AbortSignal): Promise<void> {
  const watch = await bucket.watch({ key: KEY });
  signal.addEventListener('abort', () => watch.stop(), { once: true });
  for await (const entry of watch) {
    if (signal.aborted) return;
    if (entry.operation === 'PUT') await writePrivateFile(join(folder, SECRETS_FILE), entry.string());
  }
}
