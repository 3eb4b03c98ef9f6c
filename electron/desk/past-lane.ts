import type { Database } from 'better-sqlite3';
import { isProgram } from '../contract/names.ts';
import type { PastLane } from '../contract/past.ts';
import { BESIDE_QUOTES } from '../journal/quotes/other-events.ts';
import { rowAtTime } from '../journal/time-marks.ts';

type Mark = PastLane['marks'][number];
type Row = { seq: number; time: number; actor: string };
type Stop = Row & { chainId: number; until: number | null };

/** Of each kind; more would be drawn over each other. */
const MOST_MARKS = 200;
const ALERTS = ['protection_tripped', 'drift', 'past_unproven'];

/** How many rows a stretch of time has by equal steps, and its halts, alerts and publishes by hand. Times are Unix milliseconds. */
export function readLane(db: Database) {
  const { index, condition } = BESIDE_QUOTES;
  const atTime = rowAtTime(db);
  const span = db.prepare<[], { first: number | null; last: number | null }>(`
    SELECT (SELECT time FROM main.journal ORDER BY seq LIMIT 1) AS first,
      (SELECT time FROM main.journal ORDER BY seq DESC LIMIT 1) AS last`);
  const ofKind = db.prepare<[string, number, number], Row>(`
    SELECT b.seq, j.time, b.actor FROM main.journal b INDEXED BY ${index} JOIN main.journal j ON j.seq = b.seq
    WHERE b.kind = ? AND b.${condition} AND b.seq BETWEEN ? AND ? ORDER BY b.seq DESC LIMIT ${MOST_MARKS + 1}`);
  const publishes = db.prepare<[number, number], { seq: number; actor: string }>(`
    SELECT seq, actor FROM main.journal INDEXED BY ${index}
    WHERE kind = 'ladder_published' AND ${condition} AND seq BETWEEN ? AND ? AND actor NOT IN ('follow', 'formula')
      AND actor NOT LIKE 'prices:%' ORDER BY seq DESC LIMIT ${MOST_MARKS + 1}`);
  const time = db.prepare<[number], number>('SELECT time FROM main.journal WHERE seq = ?').pluck();
  const stops = db.prepare<[number, number, number], Stop>(`
    SELECT s.seq, j.time, j.actor, s.chain_id AS chainId,
      (SELECT e.time FROM main.journal e WHERE e.seq = s.ended_seq) AS until
    FROM stops s INDEXED BY stops_wide JOIN main.journal j ON j.seq = s.seq
    WHERE s.pair = '' AND s.seq <= ? AND (s.ended_seq IS NULL OR s.ended_seq >= ?) AND j.time <= ?
    ORDER BY s.id DESC LIMIT ${MOST_MARKS + 1}`);

  return ({ since, until, steps }: { since: number; until: number; steps: number }): PastLane => {
    const step = (until - since) / steps;
    const edges = Array.from({ length: steps + 1 }, (_, index) => atTime(Math.round(since + index * step) - 1) ?? 0);
    // Where the clock was set back an edge lies before the one before it: nothing is counted twice.
    const rows = edges.slice(1).map((edge, index) => Math.max(0, edge - (edges[index] ?? 0)));
    const [first, last] = [(edges[0] ?? 0) + 1, Math.max(...edges)];
    const halts = stops.all(last, first, until).map(({ chainId, ...row }): Mark => {
      return { ...shown(row), kind: 'halt', chainId: chainId === 0 ? null : chainId, until: row.until };
    });
    const alerts = ALERTS.flatMap((kind) => ofKind.all(kind, first, last)).map((row): Mark => {
      return { ...shown(row), kind: 'alert', chainId: null };
    });
    const byHand = publishes
      .all(first, last)
      .filter(({ actor }) => !isProgram(actor))
      .map((row): Mark => ({ ...shown({ ...row, time: time.get(row.seq) ?? 0 }), kind: 'publish', chainId: null }));
    const all = [halts, alerts, byHand];
    const { first: begins, last: ends } = span.get() ?? { first: null, last: null };
    return {
      rows,
      marks: all.flatMap((marks) => marks.slice(0, MOST_MARKS)),
      left: all.reduce((sum, marks) => sum + Math.max(0, marks.length - MOST_MARKS), 0),
      span: begins === null || ends === null ? null : { first: Math.max(0, begins), last: Math.max(0, ends) },
    };
  };
}

function shown({ seq, time, actor }: Row): Row {
  return { seq, time: Math.max(0, time), actor: actor.slice(0, 60) };
}
