import type { Database } from 'better-sqlite3';
import type { z } from 'zod';
import type { HedgeStep } from '../../contract/hedge-steps.ts';
import { type AutoHedge, autoHedgeSchema } from '../../contract/hedge-terms.ts';
import type { Address } from '../../protocol/address.ts';
import { fillBase } from '../fills/positions.ts';
import type { HEDGE_EVENTS } from './events.ts';
import type { HedgeRecord, StoredAutoHedge } from './fold.ts';

/** A step as it stands in the journal. */
export interface WrittenStep {
  seq: number;
  time: number;
  actor: string;
  step: HedgeStep;
}

/** A fill that a hedge may be placed for, with what base of it is open: + for long. Raw units. */
export interface UnhedgedFill {
  seq: number;
  /** Block time, Unix milliseconds. */
  time: number;
  /** The base token that it moved: the pair may have another one by now. */
  asset: Address;
  open: string;
  /** Rows of the journal of the hedges that it ever had. */
  hedges: number[];
}

/** A contract that a hedge named to take a token. */
export interface GivenSpender {
  chainId: number;
  maker: Address;
  token: Address;
  symbol: string;
  decimals: number;
  spender: Address;
}

/** A row of the table: settings and what was said are JSON. */
export type AutoHedgeCells = Omit<StoredAutoHedge, 'settings' | 'said'> & { settings: string; said: string | null };
export const AUTO_HEDGE_COLUMNS =
  'chain_id AS chainId, pair, settings, since, since_seq AS sinceSeq, said FROM auto_hedges';

/** As it was written: what an earlier program left out is not filled in. */
function autoHedgeOf({ settings, said, ...row }: AutoHedgeCells): StoredAutoHedge {
  return { ...row, settings: JSON.parse(settings), said: said === null ? null : JSON.parse(said) };
}

/** `settings` is null where they cannot be read: nothing is hedged by them until somebody sets them again. */
export type ReadAutoHedge = Omit<StoredAutoHedge, 'settings'> & { settings: AutoHedge | null };

/** As it was written, and its settings with what an earlier program left out; null where they cannot be read, which takes no other along. */
export function readableAutoHedge(row: AutoHedgeCells): { written: StoredAutoHedge; settings: AutoHedge } | null {
  try {
    const written = autoHedgeOf(row);
    return { written, settings: autoHedgeSchema.parse(written.settings) };
  } catch {
    return null;
  }
}

function readAutoHedge(row: AutoHedgeCells): ReadAutoHedge {
  const { chainId, pair } = row;
  const readable = readableAutoHedge(row);
  if (readable === null) return { chainId, pair, settings: null, since: null, sinceSeq: null, said: null };
  return { ...readable.written, settings: readable.settings };
}

type WhichHedges = { chainId?: number; open?: boolean; before?: number; limit: number };
type StepRow = { seq: number; time: number; actor: string; body: string };
type OpenRow = { seq: number; time: number; side: string | null; hedged: string; hedges: string; body: string };

/** Hedges, their steps, and what is left to hedge. */
export function readHedges(db: Database) {
  const one = db.prepare<[number], string>('SELECT record FROM hedges WHERE seq = ?').pluck();
  const all = db
    .prepare<[{ chainId: number | null; before: number; open: number | null; limit: number }], string>(`
      SELECT record FROM hedges WHERE seq < :before AND (:chainId IS NULL OR chain_id = :chainId)
        AND (:open IS NULL OR ended = 1 - :open) ORDER BY seq DESC LIMIT :limit`)
    .pluck();
  const open = db.prepare<[], string>('SELECT record FROM hedges WHERE ended = 0 ORDER BY seq').pluck();
  const automatic = db
    .prepare<[number], string>('SELECT record FROM hedges WHERE automatic = 1 AND time >= ? ORDER BY seq')
    .pluck();
  const until = db
    .prepare<[number], string>(
      "SELECT record FROM hedges WHERE ended = 0 OR json_extract(record, '$.opened.deadline') >= ? ORDER BY seq",
    )
    .pluck();
  const given = db.prepare<[], GivenSpender>(`
    SELECT DISTINCT json_extract(h.record, '$.opened.chainId') AS chainId,
      json_extract(h.record, '$.opened.maker') AS maker, json_extract(h.record, '$.opened.src.address') AS token,
      json_extract(h.record, '$.opened.src.symbol') AS symbol, json_extract(h.record, '$.opened.src.decimals') AS decimals,
      lower(coalesce(json_extract(j.body, '$.step.spender'), json_extract(j.body, '$.step.to'))) AS spender
    FROM hedge_steps s JOIN journal j ON j.seq = s.seq JOIN hedges h ON h.seq = s.hedge_seq
    WHERE json_extract(j.body, '$.step.step') IN ('order_built', 'permit_signed', 'swap_built')`);
  const steps = db.prepare<[number], StepRow>(`
    SELECT j.seq, j.time, j.actor, j.body FROM hedge_steps s JOIN journal j ON j.seq = s.seq
    WHERE s.hedge_seq = ? ORDER BY s.seq`);
  const toHedge = db.prepare<[{ chainId: number; pair: string; after: number; limit: number }], OpenRow>(`
    SELECT f.seq, f.time, f.side, j.body,
      (SELECT json_group_array(c.base) FROM hedge_fills c WHERE c.fill_seq = f.seq) AS hedged,
      (SELECT json_group_array(c.hedge_seq) FROM hedge_fills c WHERE c.fill_seq = f.seq) AS hedges
    FROM fills f INDEXED BY fills_to_hedge JOIN journal j ON j.seq = f.seq
    WHERE f.chain_id = :chainId AND f.pair = :pair AND f.cover <> 'hedged' AND f.reverted = 0 AND f.pair IS NOT NULL
      AND f.cover IN ('unhedged', 'part_hedged') AND f.seq > :after ORDER BY f.seq LIMIT :limit`);
  const autos = db.prepare<[], AutoHedgeCells>(`SELECT ${AUTO_HEDGE_COLUMNS}`);
  const record = (text: string): HedgeRecord => JSON.parse(text);

  return {
    hedge: (seq: number): HedgeRecord | null => {
      const text = one.get(seq);
      return text === undefined ? null : record(text);
    },
    /** Newest first. */
    hedges: ({ chainId, open: running, before = Number.MAX_SAFE_INTEGER, limit }: WhichHedges): HedgeRecord[] =>
      all
        .all({ chainId: chainId ?? null, before, open: running === undefined ? null : Number(running), limit })
        .map(record),
    /** Those without an end, oldest first. */
    openHedges: (): HedgeRecord[] => open.all().map(record),
    /** Those without an end, and those whose deadline, Unix seconds, is not before this: what they signed may still be used. */
    hedgesUntil: (deadline: number): HedgeRecord[] => until.all(deadline).map(record),
    /** Which contract was ever given, or was to be given, which token of a maker. */
    givenSpenders: (): GivenSpender[] => given.all(),
    /** Hedges that automatic hedging opened from a moment in Unix milliseconds on. */
    automaticHedges: (since: number): HedgeRecord[] => automatic.all(since).map(record),
    hedgeSteps: (seq: number): WrittenStep[] =>
      steps.all(seq).map(({ body, ...row }) => ({
        ...row,
        step: (JSON.parse(body) as z.infer<typeof HEDGE_EVENTS.hedge_step>).step,
      })),
    /** Fills of a pair of which no hedge runs and something is open, oldest first. */
    unhedgedFills: (which: { chainId: number; pair: string; after?: number; limit: number }): UnhedgedFill[] =>
      toHedge.all({ after: 0, ...which }).map(({ seq, time, side, hedged, hedges, body }) => {
        const { asset, base } = fillBase(side, JSON.parse(body));
        const shares: string[] = JSON.parse(hedged);
        const open = shares.reduce((sum, share) => sum + BigInt(share), base);
        return { seq, time, asset, open: `${open}`, hedges: JSON.parse(hedges) };
      }),
    autoHedges: (): ReadAutoHedge[] => autos.all().map(readAutoHedge),
  };
}
