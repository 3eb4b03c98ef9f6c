import type { Database } from 'better-sqlite3';
import type { Address } from '../../protocol/address.ts';
import { bytesOf } from '../hex-bytes.ts';

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
