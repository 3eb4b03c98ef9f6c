import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { chainIdSchema, pairIdSchema, timeSchema } from '../../contract/names.ts';
import { REFERENCE_MOST_AGE_SECONDS } from '../../contract/sources.ts';
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

/** Until when each is believed, where nothing newer is heard; 0 in rows of before, which are for `USUALLY_BELIEVED_MS`. */
export function untilWhenBelieved(db: Database): void {
  db.exec('ALTER TABLE reference_samples ADD COLUMN believed_until INTEGER NOT NULL DEFAULT 0;');
}

/** How long a reference sample is kept before the newest but one, in milliseconds. */
const SAMPLES_KEPT_MS = 7 * 86_400_000;
/** How many older ones a new sample takes out: hardly more than it brings, or a clock that is days ahead for an hour took out all of them. */
const OLD_SAMPLES_AT_ONCE = 2;
/** How many of a time to come it takes out. Whoever publishes and halts waits for the same disk. */
const EARLY_SAMPLES_AT_ONCE = 1_000;

/** So long after its time a sample is believed of which nobody wrote down until when. Milliseconds. */
const USUALLY_BELIEVED_MS = 5_000;
/** No reference may be older than this and still be believed. Milliseconds. */
const LONGEST_BELIEVED_MS = REFERENCE_MOST_AGE_SECONDS * 1_000;

const BELIEVED_UNTIL = `iif(r.believed_until = 0, r.time + ${USUALLY_BELIEVED_MS}, r.believed_until)`;

/** What is asked of a pair at a moment, each as SQL. */
type AskedAt = { chain: string; pair: string; time: string };

function heardBy({ chain, pair, time }: AskedAt): string {
  return `FROM reference_samples r WHERE r.chain_id = ${chain} AND r.pair = ${pair} AND r.time <= ${time}
    AND r.time >= ${time} - ${LONGEST_BELIEVED_MS} AND r.heard <= ${time} ORDER BY r.time DESC LIMIT 1`;
}

/**
 * SQL for the reference of a row's pair at `time`: what the desk had heard last by then, where it believed that still, as its own limit
 * of age and what was heard of it since had it; else NULL. What is heard later changes nothing of it.
 *
 * So the price is one of about that moment only as far as the reference speaks often. One that speaks every 30 s and may be a minute
 * old has the same word for a quote, for its fill and for ten seconds after it: that markout says no more than the edge does, and what
 * the price did meanwhile is told by the first mark at which a later word is known. Nothing is taken from after the moment, and nothing
 * is worked out between two words.
 */
export function referenceAt(row: AskedAt): string {
  return `(SELECT iif(${BELIEVED_UNTIL} >= ${row.time}, r.mid, NULL) ${heardBy(row)})`;
}

/** What was first believed of a pair after a moment: said after it, and not too old by the time that it was heard. */
export function firstBelievedAfter(
  db: Database,
): (
  chainId: number,
  pair: string,
  span: { after: number; until: number },
) => { mid: string; heard: number } | undefined {
  const first = db.prepare<[number, string, number, number], { mid: string; heard: number }>(`
    SELECT r.mid, max(r.time, r.heard) AS heard FROM reference_samples r
    WHERE r.chain_id = ? AND r.pair = ? AND r.time > ? AND r.time <= ? AND ${BELIEVED_UNTIL} >= r.heard
    ORDER BY r.time LIMIT 1`);
  return (chainId, pair, { after, until }) => first.get(chainId, pair, after, until);
}

export const sampleWriteSchema = z.object({
  table: z.literal('reference_samples'),
  chainId: chainIdSchema,
  pair: pairIdSchema,
  time: timeSchema,
  heard: timeSchema,
  mid: decimalSchema,
  midTime: timeSchema.optional(),
  /** Until when it is believed, where nothing newer is heard and nothing speaks against it. */
  believedUntil: timeSchema.optional(),
  /** Whether the desk's clock and the chain's agreed when it was heard. */
  clockAgrees: z.boolean().optional(),
});

/** From a moment on what was heard last of a pair is not believed any more, although it is not too old. */
export const endWriteSchema = z.object({
  table: z.literal('reference_ends'),
  chainId: chainIdSchema,
  pair: pairIdSchema,
  at: timeSchema,
});

/** `mid` in quote per base; `time`, when its source had it, in Unix milliseconds. */
export type ReferenceSample = { time: number; mid: string };
/**
 * With when the desk heard of it: what it decided before that knew nothing of it; and with when the words were so that it is made of,
 * which are older than its time where other sources were heard after them.
 */
export type HeardSample = ReferenceSample & {
  heard: number;
  midTime: number;
  /** Until when it was believed, Unix milliseconds; null where nobody wrote that down. */
  until: number | null;
};

export function writeSamples(db: Database) {
  // One that is heard again after a start stays as it was first heard: marks were taken by it.
  const save = db.prepare(`
    INSERT INTO reference_samples (chain_id, pair, time, heard, mid, mid_time, believed_until)
    VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`);
  const end = db.prepare<[z.infer<typeof endWriteSchema>]>(`
    UPDATE reference_samples AS r SET believed_until = :at
    WHERE r.chain_id = :chainId AND r.pair = :pair AND ${BELIEVED_UNTIL} > :at AND r.time = (
      SELECT max(time) FROM reference_samples WHERE chain_id = :chainId AND pair = :pair AND time <= :at)`);
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
      const { chainId, pair, time, heard, mid, midTime = 0, believedUntil = 0, clockAgrees } = sample;
      save.run(chainId, pair, time, heard, mid, midTime, believedUntil);
      // By a clock that is behind all real ones would be of a time to come.
      if (clockAgrees === true) dropEarly.run({ chainId, pair, heard });
      dropOld.run({ chainId, pair, time });
    },
    reference_ends: (write: z.infer<typeof endWriteSchema>) => void end.run(write),
  };
}

export function readReference(db: Database) {
  const samples = db.prepare<[number, string, number, number], HeardSample>(`
    SELECT time, max(time, heard) AS heard, mid, iif(mid_time = 0, time, mid_time) AS midTime,
      nullif(believed_until, 0) AS until FROM reference_samples
    WHERE chain_id = ? AND pair = ? AND time >= ? AND time <= ? ORDER BY time`);
  const newest = db.prepare<[{ chainId: number; pair: string; time: number }], ReferenceSample & { until: number }>(
    `SELECT r.time, r.mid, ${BELIEVED_UNTIL} AS until ${heardBy({ chain: ':chainId', pair: ':pair', time: ':time' })}`,
  );
  const byPerson = db
    .prepare<[number, string, number], number | null>(`
      SELECT max(j.time) FROM ladder_revisions r JOIN journal j ON j.seq = r.seq
      WHERE r.chain_id = ? AND r.pair = ? AND j.time >= ? AND j.actor NOT IN ('follow', 'formula') AND j.actor NOT LIKE 'prices:%'`)
    .pluck();
  return {
    /** From `since` to `until`, both Unix milliseconds and included. */
    referenceSamples: (chainId: number, pair: string, since: number, until: number): HeardSample[] =>
      samples.all(chainId, pair, since, until),
    /** The reference at a moment: what was heard last by then, where it was still believed. */
    referenceAt(chainId: number, pair: string, time: number): ReferenceSample | null {
      const last = newest.get({ chainId, pair, time });
      return last === undefined || last.until < time ? null : { time: last.time, mid: last.mid };
    },
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
