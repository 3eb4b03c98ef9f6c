import { type PriceAsk, pricePath } from './price-path.ts';
import type { Source } from './sources.ts';

/** What each exchange by itself would do with the swap, the best first (PROTOCOL 14.1, `otherExchangePrices`). */
export function otherExchanges(ask: PriceAsk, sources: readonly Source[]) {
  const direct = sources.filter(({ tokenIn, tokenOut }) => tokenIn === ask.from && tokenOut === ask.to);
  return direct
    .flatMap((source) => {
      const priced = pricePath(ask, [ask.from, ask.to], [source], 'whole');
      if (priced === null) return [];
      return [{ exchange: source.exchange, srcAmount: `${priced.srcAmount}`, destAmount: `${priced.destAmount}` }];
    })
    .sort(
      (a, b) =>
        Number(BigInt(b.destAmount) - BigInt(a.destAmount)) || Number(BigInt(a.srcAmount) - BigInt(b.srcAmount)),
    );
}
