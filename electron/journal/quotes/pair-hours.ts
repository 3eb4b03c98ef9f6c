import type { Database, Statement } from 'better-sqlite3';
import type { Address } from '../../protocol/address.ts';
import type { FillBody } from '../fills/events.ts';
import { bytesOf, hexOf } from '../hex-bytes.ts';
import { rowsBetween } from '../time-marks.ts';
import type { QuoteBody } from './events.ts';

/** The hours by which pairs are counted. */
export const HOUR_MS = 3_600_000;

/** What is added to a pair's hour. Volumes are raw units of `asset`, the quote token; a fill taken back is negative. */
type HourChange = {
  hour: number;
  chainId: number;
  pair: string;
  asset: Address;
  signed?: number;
  refused?: number;
  filled?: number;
  signedVolume?: string;
  filledVolume?: string;
};

/** Adds to the hours of pairs. Volumes are added exactly: SQLite has no integers of their size. */
export function countHours(db: Database): (change: HourChange) => void {
  db.function('add_units', { deterministic: true }, (a, b) => (b === '0' ? a : `${BigInt(`${a}`) + BigInt(`${b}`)}`));
  const add = db.prepare(`
    INSERT INTO pair_hours
      (hour, chain_id, pair, quote_asset, signed, refused, filled, signed_volume, filled_volume)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (hour, chain_id, pair, quote_asset) DO UPDATE
    SET signed = signed + excluded.signed, refused = refused + excluded.refused, filled = filled + excluded.filled,
      signed_volume = add_units(signed_volume, excluded.signed_volume),
      filled_volume = add_units(filled_volume, excluded.filled_volume)`);
  return ({ hour, chainId, pair, asset, signed = 0, refused = 0, filled = 0, ...volumes }) => {
    const { signedVolume = '0', filledVolume = '0' } = volumes;
    add.run(hour, chainId, pair, bytesOf(asset), signed, refused, filled, signedVolume, filledVolume);
  };
}

type Order = { makerAsset: Address; takerAsset: Address; makerAmount: string | null; takerAmount: string | null };

/** An order's quote token and how much of it changes hands, raw units: the maker gives it on the bids, and gets it on the asks. */
export function inQuoteToken(side: string | null, order: Order): { asset: Address; amount: string } {
  const { makerAsset, takerAsset, makerAmount, takerAmount } = order;
  if (side === 'bids') return { asset: makerAsset, amount: makerAmount ?? '0' };
  return { asset: takerAsset, amount: side === null ? '0' : (takerAmount ?? '0') };
}

type Quote = {
  seq: number;
  time: number;
  chainId: number;
  pair: string;
  side: string | null;
  state: string;
  body: string;
};
type Fill = Omit<Quote, 'state'>;

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
  const quotes = db.prepare<[number], Quote>(`
    SELECT q.seq, q.time, q.chain_id AS chainId, q.pair, q.side, q.state, j.body
    FROM quotes q JOIN journal j ON j.seq = q.seq WHERE q.seq > ? AND q.pair IS NOT NULL ORDER BY q.seq LIMIT ${AT_ONCE}`);
  for (const { time, chainId, pair, side, state, body } of inChunks(quotes)) {
    const { asset, amount } = inQuoteToken(side, JSON.parse(body) as QuoteBody);
    const counts = state === 'refused' ? { refused: 1 } : { signed: 1, signedVolume: amount };
    add({ hour: Math.floor(time / HOUR_MS), chainId, pair, asset, ...counts });
  }
  const fills = db.prepare<[number], Fill>(`
    SELECT f.seq, f.time, f.chain_id AS chainId, f.pair, f.side, j.body FROM fills f JOIN journal j ON j.seq = f.seq
    WHERE f.seq > ? AND f.pair IS NOT NULL AND f.reverted = 0 ORDER BY f.seq LIMIT ${AT_ONCE}`);
  for (const { time, chainId, pair, side, body } of inChunks(fills)) {
    const { asset, amount } = inQuoteToken(side, JSON.parse(body) as FillBody);
    add({ hour: Math.floor(time / HOUR_MS), chainId, pair, asset, filled: 1, filledVolume: amount });
  }
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

type Place = { chainId: number; pair: string };
type Hour = Place & {
  asset: Buffer;
  signed: number;
  refused: number;
  filled: number;
  signedVolume: string;
  filledVolume: string;
};
type Row = Place & { side: string | null; body: string };
type Added = Omit<Hour, 'asset' | 'signedVolume' | 'filledVolume'> & {
  asset: PairCounts['volumes'][number]['asset'];
  signedVolume: bigint;
  filledVolume: bigint;
};

/** Counts and volumes of pairs. */
export function readPairCounts(db: Database) {
  const hours = db.prepare<[number], Hour>(`
    SELECT chain_id AS chainId, pair, quote_asset AS asset, signed, refused, filled,
      signed_volume AS signedVolume, filled_volume AS filledVolume
    FROM pair_hours WHERE hour >= ? ORDER BY hour, chain_id, pair`);
  const quotes = db.prepare<[number, number, number, number], Row & { state: string }>(`
    SELECT q.chain_id AS chainId, q.pair, q.side, q.state, j.body
    FROM quotes q NOT INDEXED JOIN journal j ON j.seq = q.seq
    WHERE q.seq BETWEEN ? AND ? AND q.time >= ? AND q.time < ? AND q.pair IS NOT NULL`);
  const fills = db.prepare<[number, number], Row>(`
    SELECT f.chain_id AS chainId, f.pair, f.side, j.body FROM fills f JOIN journal j ON j.seq = f.seq
    WHERE f.time >= ? AND f.time < ? AND f.pair IS NOT NULL AND f.reverted = 0`);
  const rows = rowsBetween(db);

  return {
    /** Since a moment in Unix milliseconds; pairs without any are left out. Cheap from the full hour. */
    pairCounts: (since: number): PairCounts[] => {
      const counts = new Map<string, PairCounts>();
      const add = ({ chainId, pair, signed, refused, filled, asset, signedVolume, filledVolume }: Added) => {
        const key = `${chainId}/${pair}`;
        const sum = counts.get(key) ?? { chainId, pair, signed: 0, refused: 0, filled: 0, volumes: [] };
        const before = sum.volumes.find((volume) => volume.asset === asset) ?? { asset, signed: '0', filled: '0' };
        const volume = {
          asset,
          signed: `${BigInt(before.signed) + signedVolume}`,
          filled: `${BigInt(before.filled) + filledVolume}`,
        };
        counts.set(key, {
          chainId,
          pair,
          volumes: [...sum.volumes.filter((other) => other !== before), volume],
          signed: sum.signed + signed,
          refused: sum.refused + refused,
          filled: sum.filled + filled,
        });
      };
      const hour = Math.ceil(since / HOUR_MS);
      const until = hour * HOUR_MS;
      if (until > since) {
        const { first, last } = rows(since, until - 1);
        for (const { state, side, body, ...place } of quotes.all(first, last, since, until)) {
          const { asset, amount } = inQuoteToken(side, JSON.parse(body));
          const signed = state === 'refused' ? 0 : 1;
          const signedVolume = signed === 1 ? BigInt(amount) : 0n;
          add({ ...place, asset, signed, refused: 1 - signed, filled: 0, signedVolume, filledVolume: 0n });
        }
        for (const { side, body, ...place } of fills.all(since, until)) {
          const { asset, amount } = inQuoteToken(side, JSON.parse(body));
          add({ ...place, asset, signed: 0, refused: 0, filled: 1, signedVolume: 0n, filledVolume: BigInt(amount) });
        }
      }
      for (const { asset, signedVolume, filledVolume, ...counted } of hours.all(hour)) {
        add({
          ...counted,
          asset: hexOf(asset),
          signedVolume: BigInt(signedVolume),
          filledVolume: BigInt(filledVolume),
        });
      }
      return [...counts.values()];
    },
  };
}
