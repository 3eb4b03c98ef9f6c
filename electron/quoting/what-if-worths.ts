import type { Database } from 'better-sqlite3';
import type { Ask } from '../guard/ask.ts';
import { listedTokens } from '../journal/book/listed-tokens.ts';
import { dollarRates, midColumn, priceOf, tradeOf } from '../journal/fills/marks.ts';
import type { QuoteBody } from '../journal/quotes/events.ts';
import { sidesOf, type Worth, worthAt, worthIn } from '../journal/quotes/trade-value.ts';
import { formatDecimal } from '../protocol/decimal.ts';

export type Amounts = Pick<Ask, 'makerAmount' | 'takerAmount'>;

/** What an order would have been worth in dollars, or null where no price says it. */
export interface Worths {
  /** Of the whole order, against the reference when its quote was decided; null without one. */
  readonly whole: (ask: Amounts) => Worth | null;
  /** So much of the base token, and what one of it cost in quote tokens; both decimal. Null where the tokens are not listed any more. */
  readonly traded: (ask: Amounts) => { base: string; price: string } | null;
  /** Whether nothing of it was ever given to anybody. */
  readonly isWithheld: () => boolean;
  readonly fills: readonly FillWorth[];
}

export interface FillWorth extends Amounts {
  /** Unix milliseconds. */
  readonly time: number;
  /** Of a trade in the place of the fill: against the reference of its quote, and five minutes after the fill. */
  readonly edge: (amounts: Amounts) => Worth | null;
  readonly markout: (amounts: Amounts) => Worth | null;
}

type FillRow = { time: number; maker: string; taker: string; mid_edge: string | null; mid_after5m: string | null };
type QuoteRow = { time: number; ended: string | null; mid_edge: string | null };

/** What a row says was signed; undefined where nothing was worked out. */
export function amountsOf({ makerAmount, takerAmount }: QuoteBody): Amounts | undefined {
  if (makerAmount === null || takerAmount === null) return undefined;
  return { makerAmount: BigInt(makerAmount), takerAmount: BigInt(takerAmount) };
}

/** Looks up what became of quotes, and what it was worth. */
export function worthsOfQuotes(db: Database): (seq: number, body: QuoteBody) => Worths {
  // `+ 0`: with a bare value SQLite plans a join anew for each, which takes twenty times as long as running it.
  const fills = db.prepare<[number], FillRow>(`
    SELECT f.time, f.maker_amount AS maker, f.taker_amount AS taker, ${midColumn('edge')}, ${midColumn('after5m')}
    FROM fills f JOIN quotes q ON q.seq = f.quote_seq WHERE f.quote_seq = ? + 0 AND f.reverted = 0 ORDER BY f.seq`);
  const quote = db.prepare<[number], QuoteRow>(`
    SELECT f.time, f.ended, ${midColumn('edge')} FROM quotes f JOIN quotes q ON q.seq = f.seq WHERE f.seq = ? + 0`);
  const token = listedTokens(db)(); // it is read at one moment
  const rate = dollarRates(db);
  return (seq, { chainId, side, makerAsset, takerAsset, orderHash }) => {
    const [base, counter] = side === 'bids' ? [takerAsset, makerAsset] : [makerAsset, takerAsset];
    const [baseToken, quoteToken] = [token(chainId, base), token(chainId, counter)];
    const trade = (amounts: Amounts) => tradeOf(side, amounts, baseToken?.decimals, quoteToken?.decimals);
    const worth = (mid: string | null, time: number) => (amounts: Amounts) => {
      const traded = trade(amounts);
      const dollars = traded === null || mid === null ? null : rate(chainId, quoteToken, time);
      return traded === null || mid === null || dollars === null ? null : worthIn(worthAt(traded, mid), dollars);
    };
    return {
      whole: (ask) => {
        const row = quote.get(seq);
        return worth(row?.mid_edge ?? null, row?.time ?? 0)(ask);
      },
      traded: (ask) => {
        const traded = trade(ask);
        const price = traded === null ? null : priceOf(traded);
        if (traded === null || price === null) return null;
        return { base: formatDecimal(sidesOf(traded).base, baseToken?.decimals ?? 0, 'floor'), price };
      },
      isWithheld: () => quote.get(seq)?.ended === 'withheld',
      fills: (orderHash === null ? [] : fills.all(seq)).map((fill) => ({
        time: fill.time,
        makerAmount: BigInt(fill.maker),
        takerAmount: BigInt(fill.taker),
        edge: worth(fill.mid_edge, fill.time),
        markout: worth(fill.mid_after5m, fill.time),
      })),
    };
  };
}
