import type { Database } from 'better-sqlite3';
import type { Address } from '../../protocol/address.ts';
import { formatDecimal } from '../../protocol/decimal.ts';
import { listedTokens } from '../book/listed-tokens.ts';
import { referenceAt } from '../book/reference-samples.ts';
import { type Place, readRevisions } from '../book/revisions.ts';
import { sidesOf, tenthBps, worthAt } from '../quotes/trade-value.ts';
import { type MidColumns, midColumn, priceOf, tradeOf, WHICH_FILLS, type WhichFills, whichValues } from './marks.ts';

type Line = [time: number, price: string | null][];
type Span = { chainId: number; pair: string; since: number; until: number; steps: number };
export type PlacedFill = {
  seq: number;
  quoteSeq: number | null;
  time: number;
  side: 'bids' | 'asks';
  price: string;
  base: string;
  edge: number | null;
};

type FillAt = Pick<MidColumns, 'mid_edge'> & {
  seq: number;
  quoteSeq: number | null;
  time: number;
  side: 'bids' | 'asks';
  maker: string;
  taker: string;
  makerAsset: Address;
  takerAsset: Address;
};

/** One pair over time, at as many moments as a chart has room for. */
export function readPriceLines(db: Database) {
  const revisions = readRevisions(db);
  const mid = db
    .prepare<[{ chainId: number; pair: string; time: number }], string | null>(
      `SELECT ${referenceAt({ chain: ':chainId', pair: ':pair', time: ':time' })}`,
    )
    .pluck();
  const timeOf = db.prepare<[number], number>('SELECT time FROM journal WHERE seq = ?').pluck();
  const which = `FROM fills f INDEXED BY fills_by_time LEFT JOIN quotes q ON q.seq = f.quote_seq`;
  const stands = `${WHICH_FILLS} AND f.reverted = 0 AND f.side IS NOT NULL`;
  const fills = db.prepare<[ReturnType<typeof whichValues> & { limit: number }], FillAt>(`
    SELECT f.seq, f.quote_seq AS quoteSeq, f.time, f.side, f.maker_amount AS maker, f.taker_amount AS taker,
      j.body ->> '$.makerAsset' AS makerAsset, j.body ->> '$.takerAsset' AS takerAsset, ${midColumn('edge')}
    ${which} CROSS JOIN journal j ON j.seq = f.seq WHERE ${stands} ORDER BY f.time DESC, f.seq DESC LIMIT :limit`);
  const count = db
    .prepare<[ReturnType<typeof whichValues>], number>(`SELECT count(*) ${which} WHERE ${stands}`)
    .pluck();
  const tokens = listedTokens(db);

  /** The newest revision published up to a moment, found by halving; null before the first. */
  const inForceAt = (chainId: number, pair: string, time: number): Place | null => {
    let [first, last] = [revisions.first(chainId, pair) ?? 1, revisions.newest(chainId, pair)];
    let found: Place | null = null;
    while (first <= last) {
      const middle = Math.floor((first + last) / 2);
      // Revisions are numbered without gaps; should one be missing, the one before it stands for it.
      const place = revisions.upTo(chainId, pair, middle);
      const published = place === null ? undefined : timeOf.get(place.seq);
      if (published !== undefined && published <= time) {
        found = place;
        first = middle + 1;
      } else last = middle - 1;
    }
    return found;
  };

  return {
    /** The reference, and the best price of each side of the published ladder, at `steps` moments of the span. */
    priceLines: ({ chainId, pair, since, until, steps }: Span): Record<'reference' | 'bid' | 'ask', Line> => {
      const lines = { reference: [] as Line, bid: [] as Line, ask: [] as Line };
      for (let step = 0; step < steps; step += 1) {
        const time = Math.round(since + ((until - since) * step) / (steps - 1));
        lines.reference.push([time, mid.get({ chainId, pair, time }) ?? null]);
        const place = inForceAt(chainId, pair, time);
        const ladder = place === null ? null : revisions.published(chainId, pair, place).ladder;
        lines.bid.push([time, ladder?.bids[0]?.[0] ?? null]);
        lines.ask.push([time, ladder?.asks[0]?.[0] ?? null]);
      }
      return lines;
    },
    /** The newest fills that stand, as marks of a chart, and how many there are in all. */
    placedFills: (asked: WhichFills & { chainId: number; limit: number }): { fills: PlacedFill[]; count: number } => {
      const token = tokens();
      const placed = fills.all({ ...whichValues(asked), limit: asked.limit }).flatMap((row): PlacedFill[] => {
        const { seq, quoteSeq, time, side, makerAsset, takerAsset } = row;
        const [base, quote] = side === 'bids' ? [takerAsset, makerAsset] : [makerAsset, takerAsset];
        const decimals = token(asked.chainId, base)?.decimals;
        const amounts = { makerAmount: BigInt(row.maker), takerAmount: BigInt(row.taker) };
        const trade = tradeOf(side, amounts, decimals, token(asked.chainId, quote)?.decimals);
        const price = trade === null ? null : priceOf(trade);
        if (trade === null || price === null) return [];
        const edge = row.mid_edge === null ? null : worthAt(trade, row.mid_edge);
        const amount = formatDecimal(sidesOf(trade).base, trade.baseDecimals, 'floor');
        return [{ seq, quoteSeq, time, side, price, base: amount, edge: edge === null ? null : tenthBps(edge) }];
      });
      return { fills: placed, count: count.get(whichValues(asked)) ?? 0 };
    },
  };
}
