import type { Database } from 'better-sqlite3';
import type { z } from 'zod';
import type { Stop, StopsPage, StopsQuery, StopWord } from '../../contract/stops.ts';
import type { TRADING_EVENTS } from './events.ts';
import type { StoredTradingState } from './fold.ts';
import { type Place, placeOf, type Side, scopeOf } from './place.ts';

type StopRow = { id: number; seq: number; chainId: number; pair: string; side: Side; endedSeq: number | null };
type Written = { seq: number; time: number; actor: string; kind: string; body: string };
type TradingState = z.infer<typeof TRADING_EVENTS.trading_state>;
type Explained = z.infer<typeof TRADING_EVENTS.stop_explained>;

export const STOPS_TABLES = `
-- Every stop of a scope by the row that began it, until the row that ended it; chain_id 0, pair '' and side '' stand for all of them.
CREATE TABLE stops (
  id INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL,
  chain_id INTEGER NOT NULL,
  pair TEXT NOT NULL,
  side TEXT NOT NULL,
  ended_seq INTEGER
) STRICT;
CREATE UNIQUE INDEX stops_open ON stops (chain_id, pair, side) WHERE ended_seq IS NULL;
CREATE INDEX stops_wide ON stops (id) WHERE pair = '';

-- Rows that said more of a stop: halted again, the drain is over, why.
CREATE TABLE stop_words (
  stop_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (stop_id, seq)
) STRICT, WITHOUT ROWID;
`;

/** What becomes of a scope in one row of the journal. */
export type ScopeChange = { before: StoredTradingState | undefined; after: StoredTradingState | undefined };

/**
 * When each scope was stopped, and when it was started again: a scope has one open stop while its state is not LIVE. `isWord`:
 * the row speaks of this scope, so that it says more of a stop that lasts.
 */
export function stopsTable(db: Database): (seq: number, change: ScopeChange, isWord: boolean) => void {
  const find = db
    .prepare<Place, number>('SELECT id FROM stops WHERE chain_id = ? AND pair = ? AND side = ? AND ended_seq IS NULL')
    .pluck();
  const begin = db.prepare('INSERT INTO stops (seq, chain_id, pair, side) VALUES (?, ?, ?, ?)');
  const end = db.prepare(
    'UPDATE stops SET ended_seq = ? WHERE chain_id = ? AND pair = ? AND side = ? AND ended_seq IS NULL',
  );
  const say = db.prepare('INSERT INTO stop_words (stop_id, seq) VALUES (?, ?)');
  return (seq, { before, after }, isWord) => {
    const scope = (after ?? before)?.scope;
    if (scope === undefined) return;
    const [was, is] = [isStopped(before), isStopped(after)];
    if (was && !is) end.run(seq, ...placeOf(scope));
    else if (!was && is) begin.run(seq, ...placeOf(scope));
    else if (was && isWord) say.run(find.get(...placeOf(scope)), seq);
  };
}

function isStopped(state: StoredTradingState | undefined): boolean {
  return state !== undefined && state.state !== 'LIVE';
}

/** Of one stop, beside the row that began it. */
const WORDS_AT_MOST = 20;
const COLUMNS = 'id, seq, chain_id AS chainId, pair, side, ended_seq AS endedSeq';

/** Past stops and those that last. */
export function readStops(db: Database) {
  const page = (only: string) =>
    db.prepare<[number, number], StopRow>(`SELECT ${COLUMNS} FROM stops WHERE id < ? ${only} ORDER BY id DESC LIMIT ?`);
  const pages = { all: page(''), wide: page("AND pair = ''") };
  const written = db.prepare<[number], Written>('SELECT seq, time, actor, kind, body FROM journal WHERE seq = ?');
  const words = db
    .prepare<[number, number], number>('SELECT seq FROM stop_words WHERE stop_id = ? ORDER BY seq DESC LIMIT ?')
    .pluck();

  const rowAt = (seq: number): Written => written.get(seq) ?? { seq, time: 0, actor: '', kind: '', body: '{}' };
  const stopOf = ({ id, seq, chainId, pair, side, endedSeq }: StopRow): Stop => ({
    id,
    scope: scopeOf(chainId, pair, side),
    began: beganBy(rowAt(seq)),
    words: words.all(id, WORDS_AT_MOST).reverse().map(rowAt).map(wordOf),
    ended: endedSeq === null ? null : endedBy(rowAt(endedSeq)),
  });
  const standing = db
    .prepare<[number, number, number], number>(
      'SELECT seq FROM stops WHERE seq <= ? AND (ended_seq IS NULL OR ended_seq > ?) ORDER BY seq DESC LIMIT ?',
    )
    .pluck();
  return {
    /** The rows that began what was still stopped after a row of the journal, newest first. */
    stopsAfter: (seq: number, limit: number): number[] => standing.all(seq, seq, limit),
    /** Newest first. */
    stops({ which, before, limit }: StopsQuery): StopsPage {
      const found = pages[which].all(before ?? Number.MAX_SAFE_INTEGER, limit + 1);
      return { rows: found.slice(0, limit).map(stopOf), more: found.length > limit };
    },
  };
}

function beganBy(row: Written): Stop['began'] {
  if (row.kind === 'trading_state') return saidBy(row);
  return { seq: row.seq, at: row.time, actor: row.actor, what: 'imported', reason: null, cause: null };
}

function wordOf(row: Written): StopWord {
  if (row.kind === 'trading_state') return saidBy(row);
  const { reason }: Explained = JSON.parse(row.body);
  return { seq: row.seq, at: row.time, actor: row.actor, what: 'explained', reason, cause: null };
}

function saidBy({ seq, time, actor, body }: Written) {
  const { state, reason, cause }: TradingState = JSON.parse(body);
  const what = state === 'DRAIN' ? ('drained' as const) : ('halted' as const);
  return { seq, at: time, actor, what, reason, cause };
}

function endedBy({ seq, time, actor, kind, body }: Written): NonNullable<Stop['ended']> {
  if (kind !== 'trading_state') return { seq, at: time, actor, what: 'imported', reason: null };
  const { reason }: TradingState = JSON.parse(body);
  return { seq, at: time, actor, what: 'resumed', reason };
}
