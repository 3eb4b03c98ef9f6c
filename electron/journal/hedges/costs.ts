import type { Database } from 'better-sqlite3';
import { COIN_DECIMALS, wrappedCoinOf } from '../../contract/native-coin.ts';
import type { Address } from '../../protocol/address.ts';
import { mul, type Rational } from '../../protocol/decimal.ts';
import { listedTokens } from '../book/listed-tokens.ts';
import { dollarRates } from '../fills/marks.ts';
import { type HedgeRecord, hedgeCosts } from './fold.ts';

const COIN = 10n ** BigInt(COIN_DECIMALS);

/** Dollars of gas by the reference that the wrapped coin of its chain had then; null without one. `time` is Unix milliseconds. */
export function gasInDollars(db: Database): (place: { chainId: number; time: number }, wei: bigint) => Rational | null {
  const wrapped = db
    .prepare<[number, string | null], Address | null>(
      "SELECT lower(token ->> '$.address') FROM tokens WHERE chain_id = ? AND lower(token_id) = ? AND json_valid(token)",
    )
    .pluck();
  const tokens = listedTokens(db);
  const rate = dollarRates(db);
  return ({ chainId, time }, wei) => {
    const address = wrapped.get(chainId, wrappedCoinOf(chainId)) ?? null;
    const coin = address === null ? undefined : tokens()(chainId, address);
    const dollars = coin?.decimals === COIN_DECIMALS ? rate(chainId, coin, time) : null;
    return dollars === null ? null : mul({ n: wei, d: COIN }, dollars);
  };
}

/**
 * What a hedge cost beside its amounts, in dollars: gas at what its record says of the native token, else at the reference when it was
 * placed, as in rows of before; null where nothing says it.
 */
export function costsOfHedge(db: Database): (hedge: HedgeRecord) => { gas: Rational | null; fees: Rational } {
  const worthOf = gasInDollars(db);
  return (hedge) => {
    const { gas, fees } = hedgeCosts(hedge);
    const { time, opened, feeWei } = hedge;
    return { gas: gas ?? worthOf({ chainId: opened.chainId, time }, BigInt(feeWei)), fees };
  };
}
