import type { Database } from 'better-sqlite3';
import type { Rational } from '../../protocol/decimal.ts';
import { orNull } from '../../protocol/or-null.ts';
import { costsOfHedge, gasInDollars } from '../hedges/costs.ts';
import type { HedgeRecord } from '../hedges/fold.ts';
import { shareCost } from '../hedges/share-hedge.ts';
import { minus, plus } from '../quotes/trade-value.ts';
import { ZERO } from './fill-result.ts';

/** What was paid once and is in the result of no fill, in dollars below zero; `gas` is null where nothing says what it was. */
export interface CostOfNoFill {
  /** Unix milliseconds. */
  time: number;
  gas: Rational | null;
  fees: Rational;
}

type Which = { since: number; until: number; chainId: number | null };
type Place = { chainId: number; time: number };

const IN_TIME = 'time >= :since AND time < :until AND (:chainId IS NULL OR chain_id = :chainId)';

/**
 * What was paid for no fill: the gas of the desk's own transactions (cancels, approvals), and gas and fees of hedges that are for
 * no fill, or for fills that stand no more, as far as they are theirs. Gas counts at what the coin was worth then.
 */
export function readCostsOfNoFill(db: Database) {
  const transactions = db.prepare<[Which], Place & { feeWei: string | null }>(
    `SELECT chain_id AS chainId, time, fee_wei AS feeWei FROM transactions WHERE ${IN_TIME} ORDER BY time, hash`,
  );
  const hedges = db.prepare<[Which], Place & { seq: number; record: string }>(
    `SELECT seq, time, chain_id AS chainId, record FROM hedges WHERE ${IN_TIME} ORDER BY seq`,
  );
  const fillsOf = db.prepare<[number], { base: string; stands: number }>(`
    SELECT h.base, f.seq IS NOT NULL AND f.reverted = 0 AND f.pair IS NOT NULL AS stands
    FROM hedge_fills h LEFT JOIN fills f ON f.seq = h.fill_seq WHERE h.hedge_seq = ? ORDER BY h.fill_seq`);
  const inDollars = gasInDollars(db);
  const costsOf = costsOfHedge(db);

  const ofHedge = (row: Place & { seq: number; record: string }): CostOfNoFill | null => {
    const hedge: HedgeRecord = JSON.parse(row.record);
    const fills = fillsOf.all(row.seq);
    if (fills.length > 0 && fills.every(({ stands }) => stands === 1)) return null;
    const { gas, fees } = costsOf(hedge);
    const bases = fills.map(({ base }) => BigInt(base));
    /** What of a cost is that of fills that do not stand; all of it where there are none. */
    const part = (cost: Rational): Rational => {
      if (fills.length === 0) return minus(cost);
      const lost = shareCost(cost, bases).filter((_, index) => fills[index]?.stands !== 1);
      return minus(lost.reduce(plus, ZERO));
    };
    if (gas?.n === 0n && fees.n === 0n) return null;
    return { time: row.time, gas: gas === null ? null : part(gas), fees: part(fees) };
  };

  return {
    /** One by one, of transactions and hedges from `since` until before `until`, Unix milliseconds. */
    costsOfNoFill(which: Which): CostOfNoFill[] {
      const sent = transactions.all(which).map((row): CostOfNoFill => {
        const gas = orNull(() => (row.feeWei === null ? null : inDollars(row, BigInt(row.feeWei))));
        return { time: row.time, gas: gas === null ? null : minus(gas), fees: ZERO };
      });
      const hedged = hedges.all(which).map((row) => {
        // A record that cannot be read takes no other along, and is not passed over either.
        return orNull(() => ({ cost: ofHedge(row) })) ?? { cost: { time: row.time, gas: null, fees: ZERO } };
      });
      return [...sent, ...hedged.flatMap(({ cost }) => (cost === null ? [] : [cost]))];
    },
  };
}
