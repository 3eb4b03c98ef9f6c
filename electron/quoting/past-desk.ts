import Sqlite, { type Database } from 'better-sqlite3';
import { blacklistUnder } from '../book/blacklisting.ts';
import type { BookState, ChainState } from '../book/chain-state.ts';
import { foldCounterparties, foldDesk, foldEvent, foldIntoChain, foldProtections } from '../book/fold-event.ts';
import { strictestLimits } from '../book/limits.ts';
import { loadBook } from '../book/load-book.ts';
import { TradingStates } from '../guard/trading-states.ts';
import type { ChainEvent, CounterpartiesEvent, DeskEvent, ProtectionsEvent } from '../journal/book/fold.ts';
import type { StoredBook } from '../journal/book/read.ts';
import { BOOK } from '../journal/book/slice.ts';
import { migrationsOf } from '../journal/migrations.ts';
import { createProjector, type StoredEvent } from '../journal/slice.ts';
import { SLICES } from '../journal/slices.ts';
import { foldScope, type StoredTradingState, type TradingEvent } from '../journal/trading/fold.ts';
import { TRADING } from '../journal/trading/slice.ts';
import { DeskError, isDeskError } from '../protocol/desk-error.ts';

/** What was decided about a desk at one moment: what it lists and quotes, and who stopped what. Never changed in place. */
export interface PastState {
  readonly book: BookState;
  readonly trading: readonly StoredTradingState[];
}

/** A row as it is stored, of which `previous` and `hash` are taken over. */
export type PastRow = StoredEvent & { previous: Buffer; hash: Buffer };

type Change =
  | ChainEvent
  | (DeskEvent & { kind: 'desk_set' })
  | (CounterpartiesEvent & { kind: 'counterparties_set' })
  | (ProtectionsEvent & { kind: 'protections_set' })
  | TradingEvent
  | { kind: 'desk_configured' };
type Made = { readonly time: number; readonly before: PastState; readonly change: Change };

/** How long a row may have been on its way to the disk when a quote was decided, milliseconds. */
const ON_ITS_WAY_MS = 5_000;

/** So many moves wait for the tables. */
const MOST_MOVES = 50_000;

const CHANGES: readonly string[] = [...Object.keys(BOOK.events), ...Object.keys(TRADING.events)];

/** The kinds of event that a desk of the past is made of: what is changed, and its starts. */
export const PAST_KINDS: readonly string[] = [...CHANGES, 'desk_started'];

/**
 * A desk as it was after any row of its journal: the rows of its changes are brought into tables that go away, and are folded as
 * the desk itself folds them. To be closed.
 */
export class PastDesk {
  readonly #tables: Database;
  /** All that rows do, or nothing of them. */
  readonly #project: (rows: readonly PastRow[]) => void;
  /** Moves that the tables do not have yet: there are very many, and only another change, or who reads the tables, needs them there. */
  #moves: PastRow[] = [];
  readonly #stored: () => StoredBook;
  readonly #trading: () => StoredTradingState[];
  #state: PastState;
  /** The newest changes, the last one last. */
  #made: Made[] = [];

  constructor() {
    this.#tables = new Sqlite(''); // on disk where it does not fit into memory
    for (const step of migrationsOf(SLICES)) step(this.#tables);
    this.#tables.exec('BEGIN');
    const project = createProjector(this.#tables, [BOOK, TRADING]);
    const insert = this.#tables.prepare<PastRow>(
      'INSERT INTO journal VALUES (@seq, @time, @actor, @kind, @body, @previous, @hash)',
    );
    this.#project = this.#tables.transaction((rows: readonly PastRow[]) => {
      for (const row of rows) {
        insert.run(row);
        project(row);
      }
    });
    const { storedBook } = BOOK.queries(this.#tables);
    this.#stored = storedBook;
    this.#trading = TRADING.queries(this.#tables).tradingStates;
    this.#state = { book: loadBook(storedBook()), trading: [] };
  }

  /** The desk as it was after a row of its journal; to be closed. Throws as `take` does. */
  static after(db: Database, seq: number): PastDesk {
    const desk = new PastDesk();
    try {
      for (const row of pastRows(db, seq)) desk.take(row);
      return desk;
    } catch (error) {
      desk.close();
      throw error;
    }
  }

  /** The desk after the rows that were taken. */
  get state(): PastState {
    return this.#state;
  }

  /** What is stored of the book after the rows that were taken. */
  stored(): StoredBook {
    this.#projectMoves();
    return this.#stored();
  }

  /**
   * Takes the next row of one of `PAST_KINDS`, in the order of the journal. Throws DeskError `journal_broken` where it cannot be
   * read; the desk is then as it was before it.
   */
  take(row: PastRow): void {
    if (row.kind === 'desk_started') {
      this.#made = []; // all that came before is on the disk
      return;
    }
    const before = this.#state;
    try {
      // The kind chooses the body's schema, which the compiler cannot follow through a lookup.
      const change = { ...row, body: JSON.parse(row.body) } as unknown as Change;
      if (change.kind === 'ladders_moved') {
        this.#state = this.#after(before, change);
        if (this.#moves.push(row) >= MOST_MOVES) this.#projectMoves();
      } else {
        this.#projectMoves();
        this.#project([row]);
        this.#state = this.#after(before, change);
      }
      const recent = this.#made.filter(({ time }) => row.time - time <= ON_ITS_WAY_MS);
      this.#made = [...recent, { time: row.time, before, change }];
    } catch (cause) {
      throw isDeskError(cause, 'journal_broken') ? cause : broken(row, cause);
    }
  }

  /**
   * The desk as it may have been at `time` (Unix milliseconds) as well: a start is in force once its row is durable, and the last
   * of them may not have been; one of trading also waits for the file that arms the desk. Stops are in force at once.
   */
  *stillOnTheirWay(time: number): Generator<PastState> {
    const first = this.#made.findIndex((made) => time - made.time <= ON_ITS_WAY_MS);
    const recent = first < 0 ? [] : this.#made.slice(first);
    const states = recent.map(({ before }, index) =>
      recent.slice(index).reduce((state, { change }) => underStop(state, change), before),
    );
    const all = [this.#state, ...states.reverse()];
    for (const { trading } of all) for (const { book } of all) yield { book, trading };
  }

  close(): void {
    this.#tables.close();
  }

  #projectMoves(): void {
    const [first] = this.#moves;
    if (first === undefined) return;
    const moves = this.#moves;
    this.#moves = [];
    try {
      this.#project(moves);
    } catch (cause) {
      throw broken(first, cause);
    }
  }

  #after({ book, trading }: PastState, change: Change): PastState {
    switch (change.kind) {
      case 'desk_configured':
        return { book: loadBook(this.#stored()), trading: this.#trading() };
      case 'trading_state':
      case 'stop_explained':
        return { book, trading: this.#trading() };
      case 'desk_set':
        return { book: foldDesk(book, change), trading };
      case 'counterparties_set':
        return { book: foldCounterparties(book, change), trading };
      case 'protections_set':
        return { book: foldProtections(book, change), trading };
      case 'pair_saved': // one that comes back has a revision that the tables know
        return { book: loadBook(this.#stored()), trading };
      default:
        return { book: foldEvent(book, change), trading };
    }
  }
}

function broken({ seq, kind }: PastRow, cause: unknown): DeskError {
  return new DeskError('journal_broken', `Row ${seq} of the journal, of the kind ${kind}, cannot be read.`, {
    remedy: 'What the desk was after it is not known. Run "makerdesk verify", and put a backup back.',
    cause,
  });
}

/** The rows of some of `PAST_KINDS` up to one of the journal, in its order; each is read when it is asked for. */
export function* pastRows(db: Database, seq: number, kinds: readonly string[] = PAST_KINDS): Generator<PastRow> {
  const named = kinds.map((kind) => `'${kind}'`).join(', ');
  const seqs = db
    .prepare<[number], number>(`SELECT seq FROM main.journal WHERE kind <> 'quote' AND kind IN (${named}) AND seq <= ?`)
    .pluck();
  const rowAt = db.prepare<[number], PastRow>(
    'SELECT seq, time, actor, kind, body, previous, hash FROM journal WHERE seq = ?',
  );
  for (const at of seqs.all(seq).sort((a, b) => a - b)) {
    const row = rowAt.get(at);
    if (row !== undefined) yield row;
  }
}

/** The desk under a change whose row is not durable: only as far as it is a stop. */
function underStop(state: PastState, change: Change): PastState {
  const { book, trading } = state;
  const ofChain = (chainId: number, under: (chain: ChainState) => ChainState): PastState => {
    const chain = book.chains.get(chainId);
    if (chain === undefined) return state;
    return { book: { ...book, chains: new Map(book.chains).set(chainId, under(chain)) }, trading };
  };
  switch (change.kind) {
    case 'trading_state': {
      if (change.body.state === 'LIVE') return state;
      const states = new TradingStates(0);
      states.replace(trading);
      const stopped = foldScope(undefined, change);
      if (stopped !== undefined) states.set(stopped);
      return { book, trading: states.all() };
    }
    case 'pair_retired':
      return ofChain(change.body.chainId, (chain) => foldIntoChain(chain, change));
    case 'blacklist_added': {
      const { chainId, address, reason, until, onlyHere = false } = change.body;
      const entry = { address, reason, until, onlyHere, since: change.time, actor: change.actor };
      return ofChain(chainId, (chain) => blacklistUnder(chain, entry));
    }
    case 'limits_set':
      return ofChain(change.body.chainId, (chain) => {
        const limits = strictestLimits(chain.settings.limits, change.body.limits);
        return { ...chain, settings: { ...chain.settings, limits } };
      });
    case 'takers_set':
      return ofChain(change.body.chainId, (chain) => {
        const kept = chain.settings.takers.filter((taker) => change.body.takers.includes(taker));
        return kept.length === 0 ? chain : { ...chain, settings: { ...chain.settings, takers: kept } };
      });
    default:
      return state;
  }
}
