import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import {
  type CellChange,
  type CellHistory,
  followedSchema,
  type LadderCell,
  type PublishedLadder,
} from '../../contract/book.ts';
import { type Ladder, ladderSchema } from '../../contract/desk-file.ts';
import { decimalSchema } from '../../protocol/decimal.ts';
import { checkedRow } from '../checked-row.ts';
import type { BOOK_EVENTS, LadderMove } from './events.ts';
import { movedBy } from './ladder-move.ts';

/** Which row of the journal published a revision. `base`: which one published the ladder that was moved; the same where it is no move. */
export interface Place {
  readonly revision: number;
  readonly seq: number;
  readonly base: number;
}

type Row = { time: number; actor: string; kind: string; body: string };
type Body<Kind extends keyof typeof BOOK_EVENTS> = z.infer<(typeof BOOK_EVENTS)[Kind]>;
type Said = Pick<PublishedLadder, 'ladder' | 'followed' | 'anchor' | 'unreadable'>;
/** What a row published: when, by whom, and for a pair. */
type Publication = Pick<Row, 'time' | 'actor'> & {
  as: CellChange['kind'];
  of: (chainId: number, pair: string) => Said;
};
/** Moves right behind each other, `first` and `last` included, with the rows they are in; see `tableOfMoves`. */
type MovesRow = { first: number; last: number; rows: string };

const EMPTY: Ladder = { bids: [], asks: [] };

/** Rows of the journal kept as they were read: neighbouring moments of a chart mostly lie in the same revision. */
const MOST_KEPT = 500;
/** A row with moves may have some of each pair of its chain. */
const MOST_MOVES_KEPT = 20;

/** For the history of a cell so many ladders are looked at in one go, and so many of its changes told. */
const MOST_LADDERS = 200;
const MOST_CHANGES = 50;

/** So many moves share a row: a longer one would not fit into a page of the file with others. */
const MOVES_IN_A_ROW = 128;

/**
 * Moves have a table of their own beside the revisions with a ladder: a row for a run of them, so that one costs a few bytes.
 * `rows` is the number of the first one's row in the journal, and of each after it how much further on its row is.
 */
export function tableOfMoves(db: Database): void {
  db.exec(`
    CREATE TABLE ladder_moves (
      chain_id INTEGER NOT NULL,
      pair TEXT NOT NULL,
      first INTEGER NOT NULL,
      last INTEGER NOT NULL,
      rows TEXT NOT NULL,
      PRIMARY KEY (chain_id, pair, first)
    ) STRICT, WITHOUT ROWID;`);
}

/** Notes which row of the journal published a revision: one with its ladder, or a move, which is the revision after the newest one. */
export function noteRevisions(db: Database) {
  const saveLadder = db.prepare('INSERT INTO ladder_revisions (chain_id, pair, revision, seq) VALUES (?, ?, ?, ?)');
  const newestMoves = movesUpTo(db);
  const begin = db.prepare('INSERT INTO ladder_moves (chain_id, pair, first, last, rows) VALUES (?, ?, ?, ?, ?)');
  const goOn = db.prepare('UPDATE ladder_moves SET last = ?, rows = ? WHERE chain_id = ? AND pair = ? AND first = ?');
  return {
    ladder: (chainId: number, pair: string, revision: number, seq: number): void => {
      saveLadder.run(chainId, pair, revision, seq);
    },
    move: (chainId: number, pair: string, revision: number, seq: number): void => {
      const run = newestMoves.get(chainId, pair, revision);
      if (run?.last === revision - 1 && run.last - run.first + 1 < MOVES_IN_A_ROW) {
        const before = seqsOf(run.rows).at(-1) ?? 0;
        goOn.run(revision, `${run.rows},${seq - before}`, chainId, pair, run.first);
      } else begin.run(chainId, pair, revision, revision, `${seq}`);
    },
  };
}

/** Revisions of ladders: the tables say which row of the journal published one, the ladder itself is in the body of that row. */
export function readRevisions(db: Database) {
  const ladderUpTo = db.prepare<[number, string, number], { revision: number; seq: number }>(`
    SELECT revision, seq FROM ladder_revisions WHERE chain_id = ? AND pair = ? AND revision <= ?
    ORDER BY revision DESC LIMIT 1`);
  const moves = movesUpTo(db);
  const oldest = db
    .prepare<[number, string], number | null>(
      'SELECT min(revision) FROM ladder_revisions WHERE chain_id = ? AND pair = ?',
    )
    .pluck();
  const row = db.prepare<[number], Row>('SELECT time, actor, kind, body FROM journal WHERE seq = ?');
  // A row never changes, so what was read of it is kept.
  const ladders = keeping(MOST_KEPT, (seq: number) => publicationOf(row.get(seq)));
  const moved = keeping(MOST_MOVES_KEPT, (seq: number) => movesOf(row.get(seq)));

  /** The newest revision of a pair that is not after `revision`; null before the first. */
  const upTo = (chainId: number, pair: string, revision = Number.MAX_SAFE_INTEGER): Place | null => {
    const ladder = ladderUpTo.get(chainId, pair, revision);
    if (ladder === undefined) return null;
    const run = moves.get(chainId, pair, revision);
    if (run === undefined || run.first < ladder.revision) return { ...ladder, base: ladder.seq };
    const at = Math.min(revision, run.last);
    return { revision: at, seq: seqsOf(run.rows)[at - run.first] ?? 0, base: ladder.seq };
  };
  /** The newest revision that a pair had after a row of the journal; null before the first. */
  const afterRow = (chainId: number, pair: string, seq: number): Place | null => {
    let [low, high] = [oldest.get(chainId, pair) ?? 0, upTo(chainId, pair)?.revision ?? 0];
    let found: Place | null = null;
    // Each revision is of a later row than the one before it.
    while (low <= high) {
      const middle = Math.floor((low + high) / 2);
      const place = upTo(chainId, pair, middle);
      if (place === null || place.seq > seq) high = middle - 1;
      else {
        found = place;
        low = middle + 1;
      }
    }
    return found;
  };
  /** What was published there. A move leaves no prices where its row, or the ladder that it moved, cannot be read. */
  const published = (chainId: number, pair: string, { revision, seq, base }: Place): PublishedLadder => {
    const { time, actor, of } = ladders(base);
    const from = of(chainId, pair);
    if (seq === base) return { chainId, pair, revision, time, actor, ...from };
    const { moves: all, ...by } = moved(seq);
    const move = all.get(keyOf(chainId, pair, revision));
    const to = checked((): Said => {
      const { anchor } = from;
      const said = move === undefined ? null : movedBy(move, from.ladder, from.followed);
      if (said !== null) return anchor === undefined ? said : { ...said, anchor };
      return { ladder: EMPTY, unreadable: from.unreadable ?? 'its move says no prices' };
    });
    return { chainId, pair, revision, ...by, ...to };
  };
  /** What became of a cell before a revision, newest first. Moves between two other changes of it are one, whatever they passed through. */
  const cellHistory = (chainId: number, pair: string, cell: LadderCell, before?: number): CellHistory => {
    const changes: (Omit<CellChange, 'before' | 'after' | 'unread'> & { from: CellValue; to: CellValue })[] = [];
    const at = (place: Place | null) => {
      const said = place === null ? null : published(chainId, pair, place);
      const text = said?.ladder[cell.side][cell.level]?.[cell.field === 'price' ? 0 : 1] ?? null;
      return { said, value: { text, isRead: said?.unreadable === undefined } };
    };
    const note = (change: (typeof changes)[number]) => {
      const later = changes.at(-1);
      const goesOn = later?.kind === 'moved' && change.kind === 'moved';
      if (goesOn) changes[changes.length - 1] = { ...later, moves: later.moves + change.moves, from: change.from };
      else changes.push(change);
    };
    let place = upTo(chainId, pair, before === undefined ? undefined : before - 1);
    for (let looked = 0; place !== null && looked < MOST_LADDERS && changes.length < MOST_CHANGES; looked += 1) {
      const base = ladderUpTo.get(chainId, pair, place.revision) ?? place;
      const ladder = at({ ...base, base: base.seq });
      if (place.revision !== base.revision) {
        const { said, value } = at(place);
        // A price that came back to where it was moved all the same.
        if (said !== null && (!isSame(value, ladder.value) || (cell.field === 'price' && value.text !== null))) {
          const { revision, time, actor } = said;
          const moves = revision - base.revision;
          note({ kind: 'moved', revision, moves, time, actor, from: ladder.value, to: value });
        }
      }
      const earlier = upTo(chainId, pair, base.revision - 1);
      const was = at(earlier).value;
      if (ladder.said !== null && !isSame(ladder.value, was)) {
        const { revision, time, actor } = ladder.said;
        const { as: kind } = ladders(base.seq);
        note({ kind, revision, moves: kind === 'moved' ? 1 : 0, time, actor, from: was, to: ladder.value });
      }
      place = earlier;
    }
    return { changes: changes.map(asTold), further: place === null ? null : place.revision + 1 };
  };
  return {
    upTo,
    afterRow,
    published,
    cellHistory,
    /** The first revision that a pair ever had; null where it has none. */
    first: (chainId: number, pair: string): number | null => oldest.get(chainId, pair) ?? null,
    /** The newest revision that a pair ever had; 0 where it has none. */
    newest: (chainId: number, pair: string): number => upTo(chainId, pair)?.revision ?? 0,
    /** The newest revision of a pair that is no move with the reference: published, imported or listed. 0 where it has none. */
    lastPublished: (chainId: number, pair: string): number =>
      ladderUpTo.get(chainId, pair, Number.MAX_SAFE_INTEGER)?.revision ?? 0,
    /** A revision of this very number; null where there is none. */
    numbered(chainId: number, pair: string, revision: number): PublishedLadder | null {
      const place = upTo(chainId, pair, revision);
      return place?.revision === revision ? published(chainId, pair, place) : null;
    },
    /** Whether the ladder of a pair that was published last can be moved so. */
    canMove(chainId: number, move: LadderMove): boolean {
      const [pair] = move;
      const base = ladderUpTo.get(chainId, pair, Number.MAX_SAFE_INTEGER);
      if (base === undefined) return false;
      const { ladder, followed } = ladders(base.seq).of(chainId, pair);
      return movedBy(move, ladder, followed) !== null;
    },
  };
}

/** What a cell was at a revision; nothing where that had no such level, or where it cannot be read. */
interface CellValue {
  readonly text: string | null;
  readonly isRead: boolean;
}

function isSame(one: CellValue, other: CellValue): boolean {
  return one.text === other.text && one.isRead === other.isRead;
}

function asTold({ from, to, ...change }: Omit<CellChange, 'before' | 'after'> & { from: CellValue; to: CellValue }) {
  const unread = [...(from.isRead ? [] : ['before' as const]), ...(to.isRead ? [] : ['after' as const])];
  const told: CellChange = { ...change, before: from.text, after: to.text };
  return unread.length === 0 ? told : { ...told, unread };
}

function movesUpTo(db: Database) {
  return db.prepare<[number, string, number], MovesRow>(`
    SELECT first, last, rows FROM ladder_moves WHERE chain_id = ? AND pair = ? AND first <= ?
    ORDER BY first DESC LIMIT 1`);
}

function seqsOf(rows: string): number[] {
  let seq = 0;
  return rows.split(',').map((step) => (seq += Number(step)));
}

function keyOf(chainId: number, pair: string, revision: number): string {
  return `${chainId} ${revision} ${pair}`;
}

/** What a row says of a pair's ladder. */
const saidSchema = z.object({
  ladder: ladderSchema,
  followed: followedSchema.optional(),
  anchor: decimalSchema.optional(),
  unreadable: z.string().optional(),
});

function checked(make: () => Said): Said {
  return checkedRow(saidSchema, make, (unreadable) => ({ ladder: EMPTY, unreadable }));
}

/** What a row without moves published. One that cannot be read has no prices and says why, and takes no other revision along. */
function publicationOf(row: Row | undefined): Publication {
  const { time, actor, kind } = row ?? { time: 0, actor: '', kind: '' };
  if (row === undefined || kind === 'pair_saved') return { time, actor, as: 'listed', of: () => ({ ladder: EMPTY }) };
  if (kind === 'ladder_published') {
    const said = checked(() => {
      const { ladder, followed, anchor }: Body<'ladder_published'> = JSON.parse(row.body);
      return { ladder, ...(followed && { followed }), ...(anchor !== undefined && { anchor }) };
    });
    // Before moves had rows of their own, the desk published each one whole.
    const as = said.followed !== undefined && actor === 'follow' ? 'moved' : 'published';
    return { time, actor, as, of: () => said };
  }
  let chains: Body<'desk_configured'>['desk']['chains'] | null = null;
  const of = (chainId: number, pair: string) =>
    checked(() => {
      chains ??= (JSON.parse(row.body) as Body<'desk_configured'>).desk.chains;
      return { ladder: chains.find((chain) => chain.chainId === chainId)?.prices[pair] ?? EMPTY };
    });
  return { time, actor, as: 'imported', of };
}

/** What a row moved, by chain, revision and pair. */
function movesOf(row: Row | undefined): Pick<Row, 'time' | 'actor'> & { moves: ReadonlyMap<string, LadderMove> } {
  if (row?.kind !== 'ladders_moved') return { time: row?.time ?? 0, actor: row?.actor ?? '', moves: new Map() };
  const { time, actor } = row;
  try {
    const { chainId, moves }: Body<'ladders_moved'> = JSON.parse(row.body);
    return { time, actor, moves: new Map(moves.map((move) => [keyOf(chainId, move[0], move[1]), move])) };
  } catch {
    return { time, actor, moves: new Map() }; // its revisions say that they cannot be read
  }
}

function keeping<T>(most: number, read: (seq: number) => T): (seq: number) => T {
  const kept = new Map<number, T>();
  return (seq) => {
    const known = kept.get(seq);
    if (known !== undefined) return known;
    const made = read(seq);
    if (kept.size >= most) kept.clear();
    kept.set(seq, made);
    return made;
  };
}
