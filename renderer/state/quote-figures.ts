import type { QuoteRow } from '../../electron/contract/quote-log.ts';
import { leastSensible, type TokenFigure } from '../components/figures/amounts.ts';
import { narrowPricePlaces, tradePriceText } from '../components/figures/prices.ts';
import { useDesk } from './console.tsx';
import { findPair } from './live-desk.ts';
import { useTokenFinder } from './tokens.ts';

export interface AmountOf {
  raw: string | null;
  token: TokenFigure | undefined;
}

type Traded = Pick<QuoteRow, 'chainId' | 'pair' | 'side' | 'makerAsset' | 'takerAsset' | 'makerAmount' | 'takerAmount'>;

/** Which of the two amounts is base and which is quote: on a bid we give quote, on an ask we give base. */
export function baseAndQuote(
  row: Traded,
  find: (address: string) => TokenFigure | undefined,
): { base: AmountOf; quote: AmountOf } {
  const maker = { raw: row.makerAmount, token: find(row.makerAsset) };
  const taker = { raw: row.takerAmount, token: find(row.takerAsset) };
  return row.side === 'bids' ? { base: taker, quote: maker } : { base: maker, quote: taker };
}

/** Base, quote and price of a quote or a fill, the price with as many decimals as the pair's ladder has. */
export function useQuoteFigures(row: Traded): { base: AmountOf; quote: AmountOf; price: string | null } {
  const find = useTokenFinder();
  const places = useDesk((view) => {
    const pair = findPair(view.pairs, row.chainId, row.pair);
    return pair === undefined ? 4 : Math.max(2, narrowPricePlaces([pair.bestBid, pair.bestAsk]));
  });
  const { base, quote } = baseAndQuote(row, (address) => find(row.chainId, address));
  const price =
    base.raw !== null && quote.raw !== null && base.token !== undefined && quote.token !== undefined
      ? tradePriceText(
          {
            base: base.raw,
            quote: quote.raw,
            baseDecimals: base.token.decimals,
            quoteDecimals: quote.token.decimals,
            weBuy: row.side === 'bids',
          },
          places,
        )
      : null;
  return { base, quote, price };
}

/**
 * Whether an order that can still be filled has more left than dust: at its own price that is at least the least amount of its
 * quote token that anybody troubles about. What cannot be judged, an NFT or a token that is not listed, is no dust.
 */
export function hasMoreThanDust(
  { makerAmount, filledMakerAmount }: Pick<QuoteRow, 'makerAmount' | 'filledMakerAmount'>,
  quote: AmountOf,
): boolean {
  if (makerAmount === null || makerAmount === '0' || quote.raw === null || quote.token === undefined) return true;
  const left = BigInt(makerAmount) - BigInt(filledMakerAmount);
  // Cut up: what is just below counts as dust only where it surely is.
  const inQuote = (left * BigInt(quote.raw) + BigInt(makerAmount) - 1n) / BigInt(makerAmount);
  return inQuote >= leastSensible(quote.token);
}
