import { disarm } from '../guard/armed-file.ts';
import { inTime } from '../time/in-time.ts';
import type { DeskClient } from './desk-client.ts';
import { PATIENCE_MS } from './halt.ts';

/**
 * "Halt and lock the key" of the app. It says what became of it where that is not plain to see. A desk that does not acknowledge it is
 * halted as HALT does it, with the question whether its process is to be ended.
 */
export function lockOfApp({
  desk,
  forgetPassphrase,
  halt,
  tell,
}: {
  /** Null: there is none, so that its key lies sealed in its folder. */
  desk: () => { client: Pick<DeskClient, 'key'> | null; folder: string };
  /** A desk that is started anew is to ask for it. */
  forgetPassphrase: () => void;
  halt: (reason: string) => Promise<void>;
  tell: (message: string, detail: string) => void;
}): () => Promise<void> {
  return async () => {
    const { client, folder } = desk();
    if (client === null) return;
    try {
      const locked = await inTime(client.key.lock(), PATIENCE_MS, () => null);
      if (locked?.durable) return;
      if (locked !== null) {
        const after = (await disarm(folder)) ?? 'The desk stays halted after a restart all the same.';
        tell('Halted and locked, but the journal could not be written.', after);
        return;
      }
    } catch (error) {
      tell('The key was not locked.', error instanceof Error ? error.message : String(error));
      return;
    }
    forgetPassphrase();
    tell(
      'The desk has not acknowledged that its key is locked.',
      'The key may still be in its memory, and the desk may still be quoting. It is halted now as by HALT; ending its process ' +
        'takes the key away for certain.',
    );
    await halt('the key was to be locked, and the desk did not answer');
  };
}
