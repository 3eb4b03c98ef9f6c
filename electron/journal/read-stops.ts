import type { Database } from 'better-sqlite3';
import type { Stop, StopsPage, StopsQuery, StopWord } from '../contract/stops.ts';
import type { Scope } from '../contract/trading.ts';
import type { EventBody } from './events.ts';

type StopRow = {
  id: number;
  seq: number;
  chainId: number;
  pair: string;
  side: '' | 'bids' | 'asks';
  endedSeq: number | null;
};
type Written = { seq: number; time: number; actor: string; kind: string; body: string };

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
  return {
    /** Newest first. */
    stops({ which, before, limit }: StopsQuery): StopsPage {
      const found = pages[which].all(before ?? Number.MAX_SAFE_INTEGER, limit + 1);
      return { rows: found.slice(0, limit).map(stopOf), more: found.length > limit };
    },
  };
}

function scopeOf(chainId: number, pair: string, side: StopRow['side']): Scope {
  return {
    ...(chainId === 0 ? {} : { chainId }),
    ...(pair === '' ? {} : { pair }),
    ...(side === '' ? {} : { side }),
  };
}

function beganBy({ seq, time, actor, kind, body }: Written): Stop['began'] {
  const stamp = { seq, at: time, actor };
  if (kind !== 'trading_state') return { ...stamp, what: 'imported', reason: null, cause: null };
  const { state, reason, cause }: EventBody<'trading_state'> = JSON.parse(body);
  return { ...stamp, what: state === 'DRAIN' ? 'drained' : 'halted', reason, cause };
}

function wordOf({ seq, time, actor, kind, body }: Written): StopWord {
  const stamp = { seq, at: time, actor };
  if (kind === 'stop_explained') {
    const { reason }: EventBody<'stop_explained'> = JSON.parse(body);
    return { ...stamp, what: 'explained', reason, cause: null };
  }
  const { state, reason, cause }: EventBody<'trading_state'> = JSON.parse(body);
  return { ...stamp, what: state === 'DRAIN' ? 'drained' : 'halted', reason, cause };
}

function endedBy({ seq, time, actor, kind, body }: Written): NonNullable<Stop['ended']> {
  const stamp = { seq, at: time, actor };
  if (kind !== 'trading_state') return { ...stamp, what: 'imported', reason: null };
  const { reason }: EventBody<'trading_state'> = JSON.parse(body);
  return { ...stamp, what: 'resumed', reason };
}
