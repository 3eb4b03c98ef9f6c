import { BigNumber } from 'bignumber.js';
import type { Address } from '../../protocol/address.ts';
import type { Token } from '../../protocol/wire.ts';
import { depthOf } from '../consumer/expected-amount.ts';
import type { PlannedChain } from '../practice-desk.ts';
import type { PoolPlan } from './deploy-router.ts';

const EXCHANGE = 'PracticeSwap';
const PAIR_FEE_BPS = 30;
const NATIVE_FEE_BPS = 5;
/** So many times what the deeper side of the grid holds lies in the pool of its pair: a usual hedge hardly moves its price. */
const TIMES_THE_GRID = 100;

/**
 * The pools of a practice chain: one for every pair of the practice grid, at its middle, and one that trades the wrapped
 * native asset one for one against `wrapped`, a token ID, when the chain has it.
 */
export function practicePools(
  { tokens, pairs, prices }: Pick<PlannedChain, 'tokens' | 'pairs' | 'prices'>,
  addresses: Readonly<Record<string, Address>>,
  wrapped: string,
): PoolPlan[] {
  const pools = Object.entries(pairs).flatMap(([id, { base, quote }]): PoolPlan[] => {
    const { bids = [], asks = [] } = prices[id] ?? {};
    const [[bid] = [], [ask] = []] = [bids[0], asks[0]];
    const [baseToken, quoteToken] = [tokens[base], tokens[quote]];
    const at = [addresses[base], addresses[quote]] as const;
    if (!baseToken || !quoteToken || !at[0] || !at[1] || bid === undefined || ask === undefined) return [];
    const mid = new BigNumber(bid).plus(ask).dividedBy(2);
    const depth = BigNumber.maximum(depthOf(bids).base, depthOf(asks).base).times(TIMES_THE_GRID);
    const amounts = [rawUnits(depth, baseToken), rawUnits(depth.times(mid), quoteToken)] as const;
    return [{ exchange: EXCHANGE, tokens: [at[0], at[1]], amounts, feeBps: PAIR_FEE_BPS }];
  });
  const partner = addresses[wrapped];
  const own = pools.find(({ tokens: [first] }) => first === partner);
  if (partner === undefined || own === undefined) return pools;
  const amounts = [own.amounts[0], own.amounts[0]] as const;
  return [...pools, { exchange: EXCHANGE, tokens: ['native', partner], amounts, feeBps: NATIVE_FEE_BPS }];
}

function rawUnits(amount: BigNumber, { decimals }: Pick<Token, 'decimals'>): bigint {
  return BigInt(amount.shiftedBy(decimals).toFixed(0, BigNumber.ROUND_DOWN));
}
