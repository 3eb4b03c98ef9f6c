import { connect } from 'node:net';
import { Book } from '../book/book.ts';
import { UrlSeals } from '../book/url-seals.ts';
import { AccountTurns } from '../chain/account-turns.ts';
import type { ChainView } from '../chain/chain-view.ts';
import { EmergencyCalls } from '../chain/emergency-calls.ts';
import { Guard } from '../guard/guard.ts';
import { type FolderLock, folderLocked, takeFolderLock } from '../journal/folder-lock.ts';
import { type Journal, openJournal } from '../journal/journal.ts';
import type { Replica } from '../journal/replica.ts';
import { isDeskError } from '../protocol/desk-error.ts';
import { Opened } from '../protocol/opened.ts';
import { Latch } from '../signer/latch.ts';
import { pause } from '../time/pause.ts';
import { AlertWays } from './alerts/ways.ts';
import { Approvals } from './approvals.ts';
import { Credentials, type Passphrase } from './credentials.ts';
import { deskSocketPath } from './folder.ts';
import { GivenNames } from './given-names.ts';
import type { Log } from './log.ts';
import { PastReader } from './past-reader.ts';
import { removeDeskPid, writeDeskPid } from './pid-file.ts';
import { RefusedAddresses } from './refused-addresses.ts';
import { SavedFilters } from './saved-filters.ts';
import { TokenUses } from './token-uses.ts';

const LOCK_RETRY_MS = 50;
/** A command that works on the folder itself, such as one that asks its chains for the status, has it for as long. */
const COMMAND_MS = 30_000;

/** What a desk has with or without a surface: the journal and what is decided from it. */
export interface Rooms {
  readonly folder: string;
  readonly lock: FolderLock;
  readonly now: () => number;
  readonly log: Log;
  readonly journal: Journal;
  readonly book: Book;
  readonly guard: Guard;
  readonly latch: Latch;
  readonly credentials: Credentials;
  readonly tokenUses: TokenUses;
  readonly names: GivenNames;
  readonly filters: SavedFilters;
  /** Where alerts are told beside the console. */
  readonly ways: AlertWays;
  /** What takes a second person, and what waits for one. */
  readonly approvals: Approvals;
  /** What came with the keys of a counterparty from elsewhere. */
  readonly refusedAddresses: RefusedAddresses;
  /** When somebody last signed with earlier keys of a counterparty, by domain, since the desk started. Unix milliseconds. */
  readonly earlierUses: Map<string, number>;
  /** What the desk was, read from the journal. */
  readonly past: PastReader;
  /** Answers what would have been: a long question there delays no look at the past. */
  readonly trials: PastReader;
  /** Whoever sends from an account of the desk takes their turn here. */
  readonly accounts: AccountTurns;
  close(): Promise<void>;
}

export interface RoomOptions {
  folder: string;
  passphrase: Passphrase;
  /** Whoever opens them loads the secrets, so that they may be opened while the journal is. */
  loadsSecrets?: boolean;
  log: Log;
  now: () => number;
  monotonic: () => number;
  /** How long a desk that holds the folder is waited for: it may be closing. A command is waited for longer; without a patience nobody is. */
  lockPatienceMs?: number;
  /** Done once the folder is taken, before anything is written into its journal. */
  whenTaken?: (() => Promise<void>) | undefined;
  /** Where the witness of this desk lies; without, it has none. */
  witness?: string | undefined;
  /** The program that is told of alerts; without it there is no such way. */
  alertCommand?: string | undefined;
  /** Where the journal is written down as well. */
  replica?: Replica | undefined;
  /** How each chain is seen at this moment. */
  views: (chainId: number) => ChainView | undefined;
}

/** Takes the folder and opens its rooms. Throws a DeskError when the folder is taken or its journal cannot be used. */
export async function openRooms(options: RoomOptions): Promise<Rooms> {
  const { folder, log, now } = options;
  const opened = new Opened();
  const close = () => opened.close();
  try {
    const lock = await takeWithin(folder, options.lockPatienceMs ?? 0);
    opened.push(lock.release);
    if (await somebodyListens(deskSocketPath(folder))) throw folderLocked(folder);
    await options.whenTaken?.();
    writeDeskPid(folder);
    opened.push(() => removeDeskPid(folder));
    const seals = new UrlSeals();
    const credentials = new Credentials(folder, options.passphrase, seals);
    if (options.loadsSecrets) credentials.loadSoon();
    const journal = await openJournal({ folder, now, log, witness: options.witness, replica: options.replica });
    opened.push(() => journal.close());
    const past = new PastReader(folder);
    opened.push(() => past.close());
    const trials = new PastReader(folder);
    opened.push(() => trials.close());
    const latch = new Latch(options.monotonic);
    const book = await Book.open({ journal, now, seals, log: (line) => log.warn(line) });
    const guard = await Guard.open({
      folder,
      journal,
      book,
      latch,
      views: options.views,
      now,
      monotonic: options.monotonic,
      log,
    });
    opened.push(() => guard.close());
    const names = await GivenNames.open({ journal, now, log });
    const filters = new SavedFilters({ journal, log });
    opened.push(() => credentials.close());
    const tokenUses = new TokenUses(journal, now);
    const ways = await AlertWays.open({ journal, credentials, now, log, command: options.alertCommand });
    opened.push(() => ways.close());
    const approvals = await Approvals.open({ journal, credentials, now, log });
    const accounts = new AccountTurns(await EmergencyCalls.open(journal, now));
    const kept = {
      names,
      filters,
      ways,
      approvals,
      refusedAddresses: new RefusedAddresses(now),
      earlierUses: new Map<string, number>(),
    };
    const own = { folder, lock, now, log, past, trials, accounts, close };
    return { ...own, journal, book, guard, latch, credentials, tokenUses, ...kept };
  } catch (error) {
    await close();
    throw error;
  }
}

async function takeWithin(folder: string, patienceMs: number): Promise<FolderLock> {
  for (const begun = performance.now(); ; ) {
    try {
      return takeFolderLock(folder);
    } catch (error) {
      if (!isDeskError(error, 'folder_locked') || patienceMs === 0) throw error;
      const waited = performance.now() - begun;
      const isOver = waited >= COMMAND_MS || (waited >= patienceMs && (await somebodyListens(deskSocketPath(folder))));
      if (isOver) throw error;
      await pause(LOCK_RETRY_MS);
    }
  }
}

/** What a socket says behind which no desk is. */
const NOBODY = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTSOCK']);

/**
 * Whether a desk listens on the folder's socket, also one that hangs. It cannot while we hold the lock, unless somebody
 * removed the file that it has locked. Such a connection is taken or refused by the system at once, whatever the desk does.
 */
function somebodyListens(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    const answer = (listens: boolean) => {
      socket.destroy();
      resolve(listens);
    };
    socket.once('connect', () => answer(true));
    socket.on('error', (error: NodeJS.ErrnoException) => answer(!NOBODY.has(error.code ?? '')));
  });
}
