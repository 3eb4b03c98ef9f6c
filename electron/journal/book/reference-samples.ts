import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { chainIdSchema, pairIdSchema, timeSchema } from '../../contract/names.ts';
import { compare, decimalSchema, parseDecimal } from '../../protocol/decimal.ts';

/** What the independent reference said, one sample a second a pair, outside the chain. */
export const REFERENCE_SAMPLES = `
CREATE TABLE reference_samples (
  chain_id INTEGER NOT NULL,
  pair TEXT NOT NULL,
  time INTEGER NOT NULL,
  mid TEXT NOT NULL,
  PRIMARY KEY (chain_id, pair, time)
) STRICT, WITHOUT ROWID;
`;

/** When the desk heard of each; 0 in rows of before, of which it is only known when their source had it. */
export function whenHeard(db: Database): void {
  db.exec('ALTER TABLE reference_samples ADD COLUMN heard INTEGER NOT NULL DEFAULT 0;');
}

/** When the words were so that a mid of several sources is made of; 0 where that is its time, as in rows of before. */
export function whenMidWas(db: Database): void {
  db.exec('ALTER TABLE reference_samples ADD COLUMN mid_time INTEGER NOT NULL DEFAULT 0;');
}

/** How long a reference sample is kept before the newest but one, in milliseconds. */
const SAMPLES_KEPT_MS = 7 * 86_400_000;
/** How many older ones a new sample takes out: hardly more than it brings, or a clock that is days ahead for an hour took out all of them. */
const OLD_SAMPLES_AT_ONCE = 2;
/** How many of a time to come it takes out. Whoever publishes and halts waits for the same disk. */
const EARLY_SAMPLES_AT_ONCE = 1_000;

/** A reference older than this at the moment it is asked for says nothing of that moment. Milliseconds. */
const REFERENCE_VALID_MS = 5_000;

/** SQL for the reference of a row's pair at `time`: the newest sample before it that is still valid, or NULL. */
export function referenceAt(row: { chain: string; pair: string; time: string }): string {
  return `(SELECT r.mid FROM reference_samples r WHERE r.chain_id = ${row.chain} AND r.pair = ${row.pair}
    AND r.time <= ${row.time} AND r.time >= ${row.time} - ${REFERENCE_VALID_MS} ORDER BY r.time DESC LIMIT 1)`;
}

export const sampleWriteSchema = z.object({
  table: z.literal('reference_samples'),
  chainId: chainIdSchema,
  pair: pairIdSchema,
  time: timeSchema,
  heard: timeSchema,
  mid: decimalSchema,
  midTime: timeSchema.optional(),
  /** Whether the desk's clock and the chain's agreed when it was heard. */
  clockAgrees: z.boolean().optional(),
});

/** `mid` in quote per base; `time`, when its source had it, in Unix milliseconds. */
export type ReferenceSample = { time: number; mid: string };
/**
 * With when the desk heard of it: what it decided before that knew nothing of it; and with when the words were so that it is made of,
 * which are older than its time where other sources were heard after them.
 */
export type HeardSample = ReferenceSample & { heard: number; midTime: number };

export function writeSamples(db: Database) {
  const save = db.prepare(
    'INSERT OR REPLACE INTO reference_samples (chain_id, pair, time, heard, mid, mid_time) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const drop = (which: string, atOnce: number) =>
    db.prepare(`
      DELETE FROM reference_samples WHERE (chain_id, pair, time) IN (
        SELECT chain_id, pair, time FROM reference_samples
        WHERE chain_id = :chainId AND pair = :pair AND ${which} ORDER BY time LIMIT ${atOnce})`);
  /** Written before our clock was set back: they would be believed once it gets there. */
  const dropEarly = drop('time > :heard', EARLY_SAMPLES_AT_ONCE);
  // One sample of a time to come says nothing of how old the others are.
  const dropOld = drop(
    `time < -${SAMPLES_KEPT_MS} + (
      SELECT max(time) FROM reference_samples WHERE chain_id = :chainId AND pair = :pair AND time < :time)`,
    OLD_SAMPLES_AT_ONCE,
  );
  return {
    reference_samples: (sample: z.infer<typeof sampleWriteSchema>) => {
      const { chainId, pair, time, heard, mid, midTime = 0, clockAgrees } = sample;
      save.run(chainId, pair, time, heard, mid, midTime);
      // By a clock that is behind all real ones would be of a time to come.
      if (clockAgrees === true) dropEarly.run({ chainId, pair, heard });
      dropOld.run({ chainId, pair, time });
    },
  };
}

export function readReference(db: Database) {
  const samples = db.prepare<[number, string, number, number], HeardSample>(`
    SELECT time, max(time, heard) AS heard, mid, iif(mid_time = 0, time, mid_time) AS midTime FROM reference_samples
    WHERE chain_id = ? AND pair = ? AND time >= ? AND time <= ? ORDER BY time`);
  const newest = db.prepare<[number, string, number, number], ReferenceSample>(`
    SELECT time, mid FROM reference_samples WHERE chain_id = ? AND pair = ? AND time <= ? AND time >= ?
    ORDER BY time DESC LIMIT 1`);
  const byPerson = db
    .prepare<[number, string, number], number | null>(`
      SELECT max(j.time) FROM ladder_revisions r JOIN journal j ON j.seq = r.seq
      WHERE r.chain_id = ? AND r.pair = ? AND j.time >= ? AND j.actor NOT IN ('follow', 'formula') AND j.actor NOT LIKE 'prices:%'`)
    .pluck();
  return {
    /** From `since` to `until`, both Unix milliseconds and included. */
    referenceSamples: (chainId: number, pair: string, since: number, until: number): HeardSample[] =>
      samples.all(chainId, pair, since, until),
    /** The reference at a moment: the newest sample before it that still says something of it. */
    referenceAt: (chainId: number, pair: string, time: number): ReferenceSample | null =>
      newest.get(chainId, pair, time, time - REFERENCE_VALID_MS) ?? null,
    /** What the reference said since, and since a person last published the pair: the lowest, the highest and the last; null where it said nothing. */
    referenceSpan(chainId: number, pair: string, since: number): { low: string; high: string; last: string } | null {
      const from = Math.max(since, byPerson.get(chainId, pair, since) ?? 0);
      const said = samples.all(chainId, pair, from, Number.MAX_SAFE_INTEGER);
      const mids = said.map(({ mid }) => ({ mid, exact: parseDecimal(mid) }));
      const last = mids.at(-1);
      if (last === undefined) return null;
      let [low, high] = [last, last];
      for (const one of mids) {
        if (compare(one.exact, low.exact) < 0) low = one;
        if (compare(one.exact, high.exact) > 0) high = one;
      }
      return { low: low.mid, high: high.mid, last: last.mid };
    },
  };
}
