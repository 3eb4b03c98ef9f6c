import type { ChainBook } from '../book/chain-book.ts';
import type { PublishedLadder } from '../contract/book.ts';
import type { QuoteDetail } from '../contract/quote-log.ts';
import type { QuoteXray } from '../contract/quote-xray.ts';
import { formatDecimal, type Rational } from '../protocol/decimal.ts';
import { prepareLevels } from '../protocol/ladder.ts';
import { walkLadder } from '../protocol/ladder-walk.ts';
import type { Level } from '../protocol/wire.ts';

/** Walks the ladder a quote was priced on once more, with the overfill of the desk as it is now. null where that cannot be done. */
export function quoteWalk(quote: QuoteDetail, published: PublishedLadder, chain: ChainBook): QuoteXray['walk'] {
  const { pair, side, given, makerAmount, takerAmount } = quote;
  const market = pair === null ? undefined : chain.pairs.get(pair);
  if (market === undefined || side === null) return null;
  const { base, quote: against } = market;
  const listed = published.ladder[side];
  const head = {
    revision: published.revision,
    publishedAt: published.time,
    publishedBy: published.actor,
    baseSymbol: base.symbol,
    quoteSymbol: against.symbol,
  };
  const amount = given === 'makerAmount' ? makerAmount : takerAmount;
  const levels = prepareLevels(listed, base.decimals, against.decimals);
  const { overfillBps } = chain.config;
  // What was signed over the depth lay within what had been served shortly before: it is walked as far as it went.
  const signed = quote.orderHash === null ? null : side === 'asks' ? makerAmount : takerAmount;
  const reach = signed === null ? undefined : BigInt(signed);
  const walk = amount === null ? null : walkLadder({ levels, side, given, amount: BigInt(amount), overfillBps, reach });
  if (walk === null || walk.kind !== 'priced') {
    return { ...head, levels: listed.map(([price, there]) => ({ ...NOTHING, price, there })), matches: null };
  }
  const rows = walk.taken.map(({ price, amount: taken }, index) => {
    const level: Level | undefined = listed[index];
    const value: Rational = { n: price.n * taken.n, d: price.d * taken.d };
    return {
      price: level?.[0] ?? listed.at(-1)?.[0] ?? '0',
      there: level?.[1] ?? '0',
      taken: formatDecimal(inTokens(taken, base.decimals), base.decimals, 'floor'),
      value: formatDecimal(inTokens(value, against.decimals), against.decimals, 'floor'),
      over: level === undefined,
    };
  });
  const matches =
    quote.orderHash === null ? null : `${walk.makerAmount}` === makerAmount && `${walk.takerAmount}` === takerAmount;
  return { ...head, levels: rows.filter(({ over, taken }) => !over || taken !== '0'), matches };
}

const NOTHING = { taken: '0', value: '0', over: false };

/** Raw units, also parts of them, in token units. */
function inTokens({ n, d }: Rational, decimals: number): Rational {
  return { n, d: d * 10n ** BigInt(decimals) };
}
