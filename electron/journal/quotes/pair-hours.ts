import type { Database, Statement } from 'better-sqlite3';
import type { Address } from '../../protocol/address.ts';
import type { FillBody } from '../fills/events.ts';
import { bytesOf, hexOf } from '../hex-bytes.ts';
import { rowsBetween } from '../time-marks.ts';
import type { QuoteBody } from './events.ts';

const HOUR_MS = 3_600_000;

/** What came of a pair. Volumes are raw units of its quote token. */
interface Counts {
  readonly signed: number;
  readonly refused: number;
  readonly filled: number;
  readonly signedVolume: bigint;
  readonly filledVolume: bigint;
}

/** What is added to a pair's hour (Unix milliseconds / 3,600,000); `asset` is its quote token then. */
export type HourChange = { hour: number; chainId: number; pair: string; asset: Address } & Partial<Counts>;

/** What a pair came to after something was added. */
export function foldCounts(before: Counts | undefined, change: Partial<Counts>): Counts {
  return {
    signed: (before?.signed ?? 0) + (change.signed ?? 0),
    refused: (before?.refused ?? 0) + (change.refused ?? 0),
    filled: (before?.filled ?? 0) + (change.filled ?? 0),
    signedVolume: (before?.signedVolume ?? 0n) + (change.signedVolume ?? 0n),
    filledVolume: (before?.filledVolume ?? 0n) + (change.filledVolume ?? 0n),
  };
}

type QuoteTerms = Pick<QuoteBody, 'chainId' | 'pair' | 'side' | 'orderHash'> & Order;

/** What a request that was decided at `time` adds to its pair; null where it is of none. */
export function hourOfQuote(time: number, body: QuoteTerms): HourChange | null {
  const { chainId, pair, side, orderHash } = body;
  if (pair === null) return null;
  const { asset, amount } = inQuoteToken(side, body);
  const place = { hour: Math.floor(time / HOUR_MS), chainId, pair, asset };
  return orderHash === null ? { ...place, refused: 1 } : { ...place, signed: 1, signedVolume: amount };
}

/** What a fill adds to the pair and side of its order, by the time of its block; `way` is -1 where it is taken back. Null where it is of no pair. */
export function hourOfFill(
  way: 1 | -1,
  { pair, side }: { pair: string | null; side: string | null },
  body: Pick<FillBody, 'chainId' | 'blockTime'> & Order,
): HourChange | null {
  if (pair === null) return null;
  const { asset, amount } = inQuoteToken(side, body);
  const hour = Math.floor(body.blockTime / HOUR_MS);
  return { hour, chainId: body.chainId, pair, asset, filled: way, filledVolume: BigInt(way) * amount };
}

/** Adds to the hours of pairs. */
export function countHours(db: Database): (change: HourChange | null) => void {
  const select = db.prepare<[number, number, string, Buffer], HourCells>(`
    SELECT ${HOUR_COLUMNS} FROM pair_hours WHERE hour = ? AND chain_id = ? AND pair = ? AND quote_asset = ?`);
  const save = db.prepare(`
    INSERT OR REPLACE INTO pair_hours
      (hour, chain_id, pair, quote_asset, signed, refused, filled, signed_volume, filled_volume)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  return (change) => {
    if (change === null) return;
    const place = [change.hour, change.chainId, change.pair, bytesOf(change.asset)] as const;
    const row = select.get(...place);
    const { signed, refused, filled, signedVolume, filledVolume } = foldCounts(row && countsOf(row), change);
    save.run(...place, signed, refused, filled, `${signedVolume}`, `${filledVolume}`);
  };
}

const HOUR_COLUMNS = 'signed, refused, filled, signed_volume AS signedVolume, filled_volume AS filledVolume';
type HourCells = Pick<Counts, 'signed' | 'refused' | 'filled'> & { signedVolume: string; filledVolume: string };

function countsOf({ signedVolume, filledVolume, signed, refused, filled }: HourCells): Counts {
  return { signed, refused, filled, signedVolume: BigInt(signedVolume), filledVolume: BigInt(filledVolume) };
}

type Order = { makerAsset: Address; takerAsset: Address; makerAmount: string | null; takerAmount: string | null };

/** An order's quote token and how much of it changes hands, raw units: the maker gives it on the bids, and gets it on the asks. */
function inQuoteToken(side: string | null, order: Order): { asset: Address; amount: bigint } {
  const { makerAsset, takerAsset, makerAmount, takerAmount } = order;
  if (side === 'bids') return { asset: makerAsset, amount: BigInt(makerAmount ?? 0) };
  return { asset: takerAsset, amount: side === null ? 0n : BigInt(takerAmount ?? 0) };
}

type DecidedQuote = { seq: number; time: number; body: string };
type StandingFill = { seq: number; pair: string; side: string | null; body: string };

const AT_ONCE = 1_000;

const TABLE = `
DROP TABLE quote_hours;

-- What came of a pair in an hour (Unix milliseconds / 3,600,000), so that a day is counted from few rows. Quotes by when
-- they were decided, fills that stand by their block. Volumes are raw units of quote_asset, which the pair had then.
CREATE TABLE pair_hours (
  hour INTEGER NOT NULL,
  chain_id INTEGER NOT NULL,
  pair TEXT NOT NULL,
  quote_asset BLOB NOT NULL CHECK (length(quote_asset) = 20),
  signed INTEGER NOT NULL,
  refused INTEGER NOT NULL,
  filled INTEGER NOT NULL,
  signed_volume TEXT NOT NULL,
  filled_volume TEXT NOT NULL,
  PRIMARY KEY (hour, chain_id, pair, quote_asset)
) STRICT, WITHOUT ROWID;
`;

/** Hours of pairs count volumes and fills beside quotes; what was counted before is counted anew. */
export function pairHoursWithVolumes(db: Database): void {
  db.exec(TABLE);
  const add = countHours(db);
  const quotes = db.prepare<[number], DecidedQuote>(`
    SELECT q.seq, q.time, j.body
    FROM quotes q JOIN journal j ON j.seq = q.seq WHERE q.seq > ? AND q.pair IS NOT NULL ORDER BY q.seq LIMIT ${AT_ONCE}`);
  for (const { time, body } of inChunks(quotes)) add(hourOfQuote(time, JSON.parse(body)));
  const fills = db.prepare<[number], StandingFill>(`
    SELECT f.seq, f.pair, f.side, j.body FROM fills f JOIN journal j ON j.seq = f.seq
    WHERE f.seq > ? AND f.pair IS NOT NULL AND f.reverted = 0 ORDER BY f.seq LIMIT ${AT_ONCE}`);
  for (const { body, ...order } of inChunks(fills)) add(hourOfFill(1, order, JSON.parse(body)));
}

/** Nothing can be written while a query is walked, so the rows come in pieces. */
function* inChunks<T extends { seq: number }>(rows: Statement<[number], T>): Generator<T, void> {
  for (let chunk = rows.all(0); chunk.length > 0; chunk = rows.all(chunk.at(-1)?.seq ?? 0)) yield* chunk;
}

/**
 * Quotes signed and refused, and fills that stand, with what was signed and filled in raw units of the quote token. A
 * pair that was given another quote token has a volume in each.
 */
export type PairCounts = {
  chainId: number;
  pair: string;
  signed: number;
  refused: number;
  filled: number;
  volumes: { asset: Address; signed: string; filled: string }[];
};

/** Orders of a pair of which something is filled. */
export type FilledOrders = { chainId: number; pair: string; orders: number };

type Hour = HourCells & { chainId: number; pair: string; asset: Buffer };

/** Counts and volumes of pairs. */
export function readPairCounts(db: Database) {
  const hours = db.prepare<[number], Hour>(`
    SELECT chain_id AS chainId, pair, quote_asset AS asset, ${HOUR_COLUMNS}
    FROM pair_hours WHERE hour >= ? ORDER BY hour, chain_id, pair`);
  const quotes = db.prepare<[number, number, number, number], DecidedQuote>(`
    SELECT q.seq, q.time, j.body FROM quotes q NOT INDEXED JOIN journal j ON j.seq = q.seq
    WHERE q.seq BETWEEN ? AND ? AND q.time >= ? AND q.time < ? AND q.pair IS NOT NULL`);
  const fills = db.prepare<[number, number], StandingFill>(`
    SELECT f.seq, f.pair, f.side, j.body FROM fills f JOIN journal j ON j.seq = f.seq
    WHERE f.time >= ? AND f.time < ? AND f.pair IS NOT NULL AND f.reverted = 0`);
  const orders = db.prepare<[number, number], FilledOrders>(`
    SELECT q.chain_id AS chainId, q.pair, count(DISTINCT f.quote_seq) AS orders
    FROM fills f CROSS JOIN quotes q ON q.seq = f.quote_seq
    WHERE f.quote_seq >= ? AND q.time >= ? AND f.reverted = 0 AND q.pair IS NOT NULL GROUP BY 1, 2`);
  const rows = rowsBetween(db);

  /** What was counted since then: one by one up to the full hour, and by the hour from there. */
  function* changesSince(since: number): Generator<Omit<HourChange, 'hour'> | null, void> {
    const hour = Math.ceil(since / HOUR_MS);
    const until = hour * HOUR_MS;
    if (until > since) {
      const { first, last } = rows(since, until - 1);
      for (const { time, body } of quotes.all(first, last, since, until)) yield hourOfQuote(time, JSON.parse(body));
      for (const { body, ...order } of fills.all(since, until)) yield hourOfFill(1, order, JSON.parse(body));
    }
    for (const { chainId, pair, asset, ...cells } of hours.all(hour)) {
      yield { chainId, pair, asset: hexOf(asset), ...countsOf(cells) };
    }
  }

  return {
    /** Since a moment in Unix milliseconds; pairs without any are left out. Cheap from the full hour. */
    pairCounts: (since: number): PairCounts[] => sumPairs(changesSince(since)),
    /** Of orders signed since a moment in Unix milliseconds; pairs without any are left out. */
    filledOrders: (since: number): FilledOrders[] => orders.all(rows(since, Number.MAX_SAFE_INTEGER).first, since),
  };
}

/** What all of it came to for each pair, with a volume for each token that was its quote token. */
export function sumPairs(changes: Iterable<Omit<HourChange, 'hour'> | null>): PairCounts[] {
  const pairs = new Map<string, { chainId: number; pair: string; assets: Map<Address, Counts> }>();
  for (const change of changes) {
    if (change === null) continue;
    const { chainId, pair, asset } = change;
    const { assets } = pairs.get(`${chainId}/${pair}`) ?? { assets: new Map<Address, Counts>() };
    assets.set(asset, foldCounts(assets.get(asset), change));
    pairs.set(`${chainId}/${pair}`, { chainId, pair, assets });
  }
  return [...pairs.values()].map(({ chainId, pair, assets }) => {
    const { signed, refused, filled } = [...assets.values()].reduce(foldCounts);
    const volumes = [...assets].map(([asset, { signedVolume, filledVolume }]) => {
      return { asset, signed: `${signedVolume}`, filled: `${filledVolume}` };
    });
    return { chainId, pair, signed, refused, filled, volumes };
  });
}
