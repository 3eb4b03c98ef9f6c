import { setTimeout as sleep } from 'node:timers/promises';
import { openFolderClient } from '../desk/folder-client.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { connectToDesk, type DeskClient } from './client.ts';
import { readPassphrase } from './passphrase.ts';

/** How long a desk that holds the folder may take until its socket listens. */
const START_PATIENCE_MS = 5_000;

/**
 * Runs `act` against the desk that runs on the folder, or on the folder itself when none runs. A desk that has the
 * folder but does not listen yet is waited for.
 */
export async function withDesk<T>(
  folder: string,
  actor: string,
  act: (desk: DeskClient, running: boolean) => Promise<T>,
): Promise<T> {
  for (let waited = 0; ; waited += 100) {
    const running = await connectToDesk(folder, actor);
    if (running) {
      try {
        return await act(running.desk, true);
      } finally {
        await running.close();
      }
    }
    try {
      const opened = await openFolderClient(folder, actor, () => readPassphrase('Passphrase of the keystore'));
      try {
        return await act(opened.desk, false);
      } finally {
        await opened.close();
      }
    } catch (error) {
      const starting = error instanceof DeskError && error.code === 'folder_locked' && waited < START_PATIENCE_MS;
      if (!starting) throw error;
      await sleep(100);
    }
  }
}
