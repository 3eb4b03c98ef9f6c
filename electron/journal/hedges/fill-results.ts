import type { Database } from 'better-sqlite3';
import { mul, type Rational, sub } from '../../protocol/decimal.ts';
import type { TokenLookup } from '../book/listed-tokens.ts';
import type { EventBody } from '../events.ts';
import { fillBase } from '../fills/fill-base.ts';
import { dollarRates } from '../fills/marked.ts';
import type { HedgeRecord } from './fold.ts';
import { hedgeGasUsd } from './gas.ts';

type Share = { hedgeSeq: number; base: string; quote: string | null };

/** A fill with all its hedges. Amounts are raw units with sign, + is what the desk got. */
export interface FillResult {
  moved: ReturnType<typeof fillBase>;
  hedgedBase: bigint;
  hedgedQuote: bigint;
  /** Raw units of quote that fill and hedges left together; null until all of it is hedged against quote. */
  result: bigint | null;
  /** The same in dollars, after the gas of its hedges, exactly; null where it is not known. */
  usd: Rational | null;
  hedges: number[];
}

/** What fills and their hedges came to. */
export function fillResults(db: Database) {
  const shares = db.prepare<[number], Share>(
    'SELECT hedge_seq AS hedgeSeq, base, quote FROM hedge_fills WHERE fill_seq = ? ORDER BY hedge_seq',
  );
  const bases = db.prepare<[number], string>('SELECT base FROM hedge_fills WHERE hedge_seq = ?').pluck();
  const record = db.prepare<[number], string>('SELECT record FROM hedges WHERE seq = ?').pluck();
  const rate = dollarRates(db);

  /** What the gas of a hedge costs this share of it, in dollars. */
  const gasOf = ({ hedgeSeq, base }: Share): Rational | null => {
    const text = record.get(hedgeSeq);
    const usd = text === undefined ? null : hedgeGasUsd(JSON.parse(text) as HedgeRecord);
    const whole = bases.all(hedgeSeq).reduce((sum, one) => sum + size(one), 0n);
    if (usd === null || whole === 0n) return usd;
    return { n: usd.n * size(base), d: usd.d * whole };
  };

  /** Dollars are counted as they were when it was filled. */
  return (fill: { seq: number; side: string | null; body: string }, lookup: TokenLookup): FillResult => {
    const event = JSON.parse(fill.body) as EventBody<'fill'>;
    const moved = fillBase(fill.side, event);
    const own = shares.all(fill.seq);
    const hedgedBase = own.reduce((sum, { base }) => sum + BigInt(base), 0n);
    const hedgedQuote = own.reduce((sum, { quote }) => sum + BigInt(quote ?? 0), 0n);
    const quote = lookup(event.chainId, moved.quoteAsset);
    const known = own.every((share) => share.quote !== null);
    const done = known && hedgedBase !== 0n && hedgedBase === -moved.base && quote !== undefined;
    const result = moved.quote + hedgedQuote;
    const dollars = done ? rate(event.chainId, quote, event.blockTime) : null;
    return {
      moved,
      hedgedBase,
      hedgedQuote,
      hedges: own.map(({ hedgeSeq }) => hedgeSeq),
      result: done ? result : null,
      usd:
        done && dollars !== null
          ? afterGas(mul({ n: result, d: 10n ** BigInt(quote.decimals) }, dollars), own.map(gasOf))
          : null,
    };
  };
}

function afterGas(result: Rational, gas: readonly (Rational | null)[]): Rational | null {
  let left = result;
  for (const cost of gas) {
    if (cost === null) return null;
    left = sub(left, cost);
  }
  return left;
}

function size(amount: string): bigint {
  const value = BigInt(amount);
  return value < 0n ? -value : value;
}
