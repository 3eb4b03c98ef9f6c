import type { Database } from 'better-sqlite3';
import { hexOf } from '../hex-bytes.ts';
import type { PairCounts } from '../stored.ts';
import { rowsBetween } from '../time-marks.ts';
import { HOUR_MS, inQuoteToken } from './pair-hours.ts';

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
