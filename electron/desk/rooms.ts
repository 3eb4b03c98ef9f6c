import { setTimeout as sleep } from 'node:timers/promises';
import { Book } from '../book/book.ts';
import { AccountTurns } from '../chain/account-turns.ts';
import type { ChainView } from '../chain/chain-view.ts';
import { Guard } from '../guard/guard.ts';
import { type FolderLock, takeFolderLock } from '../journal/folder-lock.ts';
import { type Journal, openJournal } from '../journal/journal.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { Latch } from '../signer/latch.ts';
import { Credentials, type Passphrase } from './credentials.ts';
import type { Log } from './log.ts';
import { removeDeskPid, writeDeskPid } from './pid-file.ts';

const LOCK_RETRY_MS = 50;

/** What a desk has with or without a surface: the journal and what is decided from it. */
export interface Rooms {
  readonly folder: string;
  readonly now: () => number;
  readonly log: Log;
  readonly journal: Journal;
  readonly book: Book;
  readonly guard: Guard;
  readonly latch: Latch;
  readonly credentials: Credentials;
  /** Whoever sends from an account of the desk takes his turn here. */
  readonly accounts: AccountTurns;
  close(): Promise<void>;
}

export interface RoomOptions {
  folder: string;
  passphrase: Passphrase;
  log: Log;
  now: () => number;
  monotonic: () => number;
  /** How long to wait for somebody else who holds the folder, such as a command that asks for the status. */
  lockPatienceMs?: number;
  /** How each chain is seen at this moment. */
  views: (chainId: number) => ChainView | undefined;
}

/** Takes the folder and opens its rooms. Throws a DeskError when the folder is taken or its journal cannot be used. */
export async function openRooms(options: RoomOptions): Promise<Rooms> {
  const { folder, log, now } = options;
  const opened: (() => void | Promise<void>)[] = [];
  const close = async () => {
    for (const closeRoom of opened.splice(0).reverse()) await closeRoom();
  };
  try {
    opened.push((await takeWithin(folder, options.lockPatienceMs ?? 0)).release);
    writeDeskPid(folder);
    opened.push(() => removeDeskPid(folder));
    const journal = await openJournal({ folder, now, log });
    opened.push(() => journal.close());
    const latch = new Latch(options.monotonic);
    const book = await Book.open({ journal, now, log: (line) => log.warn(line) });
    const guard = await Guard.open({ folder, journal, book, latch, views: options.views, now, log });
    opened.push(() => guard.close());
    const credentials = new Credentials(folder, options.passphrase);
    return { folder, now, log, journal, book, guard, latch, credentials, accounts: new AccountTurns(), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function takeWithin(folder: string, patienceMs: number): Promise<FolderLock> {
  for (const patient = Date.now() + patienceMs; ; ) {
    try {
      return takeFolderLock(folder);
    } catch (error) {
      const held = error instanceof DeskError && error.code === 'folder_locked';
      if (!held || Date.now() >= patient) throw error;
      await sleep(LOCK_RETRY_MS);
    }
  }
}
