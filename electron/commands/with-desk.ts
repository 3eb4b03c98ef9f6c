import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Attached } from '../desk/attached.ts';
import { answeredOn, type DeskClient } from '../desk/desk-line.ts';
import type { FolderClient } from '../desk/folder-client.ts';
import { expectNoStandby } from '../fleet/membership.ts';
import { journalFile } from '../journal/open-database.ts';
import { DeskError, isDeskError } from '../protocol/desk-error.ts';
import { connectToDesk } from './client.ts';
import { hasPassphrase, readPassphrase } from './passphrase.ts';

/** How long a desk that holds the folder may take until its socket listens and answers. */
const PATIENCE_MS = 10_000;
const RETRY_MS = 100;

/** Where the desk is that a command is about: its folder, or a desk elsewhere. */
export type DeskPlace = string | Attached;

/**
 * Runs `act` against the desk elsewhere, or the one that runs on the folder, or on the folder itself when none runs. A desk that has the
 * folder but does not listen yet is waited for. `makesDesk`: a folder without a desk gets an empty one; else it stays as it is, for the
 * desk that is meant is in another, and may be trading there. Throws DeskError `no_desk` then, `fleet_standby` where the folder is of
 * a surface, `no_answer` when a desk holds it and does not answer, or ended before it had.
 */
export async function withDesk<T>(
  folder: DeskPlace,
  actor: string,
  act: (desk: DeskClient, running: boolean) => Promise<T>,
  { patienceMs = PATIENCE_MS, makesDesk = false } = {},
): Promise<T> {
  if (folder instanceof Attached) return folder.run((desk) => act(desk, true), patienceMs);
  const patient = Date.now() + patienceMs;
  for (;;) {
    const running = await connectToDesk(folder, actor, Math.max(RETRY_MS, patient - Date.now()));
    if (running) {
      const brokeOff = `The desk in ${folder} ended before it had answered: whether this was done is not known.`;
      try {
        return await answeredOn(running, () => act(running.desk, true), brokeOff);
      } finally {
        await running.close();
      }
    }
    if (!makesDesk) expectDesk(folder);
    const opened = await openUnlessHeld(folder, actor);
    if (opened) {
      try {
        return await act(opened.desk, false);
      } finally {
        await opened.close();
      }
    }
    if (Date.now() > patient) {
      throw new DeskError('no_answer', `A desk holds ${folder}, but does not answer.`, {
        remedy: 'Try again; if it hangs, end it with halt --force.',
      });
    }
    await sleep(RETRY_MS);
  }
}

function expectDesk(folder: string): void {
  if (existsSync(journalFile(folder))) return;
  expectNoStandby(folder);
  throw new DeskError('no_desk', `There is no desk in ${folder}.`, {
    remedy:
      'Name its folder with --data, or the practice desk with --practice; import a desk file to make one, or start a practice desk with "makerdesk practice".',
  });
}

/** The folder itself, or null while somebody else holds it. What it takes to open one is loaded only then. */
async function openUnlessHeld(folder: string, actor: string): Promise<FolderClient | null> {
  try {
    const { openFolderClient } = await import('../desk/folder-client.ts');
    const passphrase = () => readPassphrase('Passphrase of the keystore');
    return await openFolderClient(folder, actor, passphrase, { isAtHand: hasPassphrase() });
  } catch (error) {
    if (isDeskError(error, 'folder_locked')) return null;
    throw error;
  }
}
