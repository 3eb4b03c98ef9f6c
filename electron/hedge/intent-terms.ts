import type { HedgeOpened } from '../journal/hedges/events.ts';
import { toRaw } from '../protocol/decimal.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { IntentBuildBody, OnChainOrderType } from '../protocol/intent-build.ts';
import type { IntentRoute } from '../protocol/intent-wire.ts';
import { swapBound } from './swap-bounds.ts';

/** What a way of the intent product means on its wire (PROTOCOL 14.4). Amounts are raw units. */
export interface IntentTerms {
  orderType: OnChainOrderType;
  /** As it is submitted and listed. */
  type: 'MARKET' | 'LIMIT';
  /** Limit orders and sliced ones settle later: no permit lasts that long (PROTOCOL 15.7). */
  settlement: 'now' | 'later';
  /** What the price is asked for: a slice of a sliced one. */
  priced: bigint;
}

const WHOLE_BPS = 10_000n;
/** Time left after the last slice, in seconds. */
const AFTER_LAST_SLICE = 60;

/** The terms of a hedge by intent. Throws DeskError `bad_terms` for slices of nothing, or a deadline too near for them. */
export function intentTerms({ way, side, amount, deadline }: HedgeOpened, nowSeconds: number): IntentTerms {
  const whole = BigInt(amount);
  switch (way.mode) {
    case 'limit':
      return { orderType: 'Order', type: 'LIMIT', settlement: 'later', priced: whole };
    case 'external':
      return { orderType: 'ExternalOrder', type: 'MARKET', settlement: 'now', priced: whole };
    case 'productive':
      return { orderType: 'ProductiveOrder', type: 'MARKET', settlement: 'now', priced: whole };
    case 'twap':
    case 'twap-buy': {
      const orderType = way.mode === 'twap' ? 'TWAPOrder' : 'TWAPBuyOrder';
      if ((side === 'SELL') !== (way.mode === 'twap')) {
        throw new DeskError('bad_terms', 'A TWAP sells a fixed amount, a TWAP buy buys one.');
      }
      const priced = whole / BigInt(way.slices);
      if (priced === 0n) throw new DeskError('bad_terms', 'The amount is too small for so many slices.');
      const needed = way.slices * way.interval + AFTER_LAST_SLICE;
      if (deadline < nowSeconds + needed) {
        throw new DeskError('bad_terms', `${way.slices} slices take ${needed} seconds, and the deadline is nearer.`);
      }
      return { orderType, type: 'MARKET', settlement: 'later', priced };
    }
    default:
      return { orderType: 'Order', type: 'MARKET', settlement: 'now', priced: whole };
  }
}

/** What a limit order fixes the other amount to, raw units; null of any other way. */
export function limitOf({ way, side, src, dest }: Pick<HedgeOpened, 'way' | 'side' | 'src' | 'dest'>): bigint | null {
  return way.mode === 'limit' ? toRaw(way.limitAmount, (side === 'SELL' ? dest : src).decimals) : null;
}

/** The most that the order may take of the source: what is approved. */
export function mostSpent(opened: HedgeOpened, route: IntentRoute, furthest: bigint | null): bigint {
  const { way, side, amount, slippageBps, shown, src } = opened;
  if (way.mode === 'twap-buy') return toRaw(way.maxSrcAmount, src.decimals);
  if (side === 'SELL') return BigInt(amount);
  if (way.mode === 'limit') return toRaw(way.limitAmount, src.decimals);
  return swapBound(side, BigInt(route.origin.input.amount), slippageBps, { shown: screen(shown), furthest });
}

/** The fields of a build that the way decides. Throws DeskError `price_moved`. */
export function buildFields(
  opened: HedgeOpened,
  route: IntentRoute,
  furthest: bigint | null,
): Partial<IntentBuildBody> {
  const { way, side, amount, slippageBps, shown, src, dest } = opened;
  switch (way.mode) {
    case 'limit':
      return { limitAmount: `${toRaw(way.limitAmount, (side === 'SELL' ? dest : src).decimals)}` };
    case 'twap':
      return { ...slices(way), totalSrcAmount: amount, slippage: slippageBps };
    case 'twap-buy':
      return {
        ...slices(way),
        totalDestAmount: amount,
        maxSrcAmount: `${toRaw(way.maxSrcAmount, src.decimals)}`,
        slippage: slippageBps,
      };
    default: {
      const slippage = slippageWithin(opened, route);
      if (way.mode === 'external') return { slippage, handler: way.handler, data: way.data };
      if (way.mode === 'productive') return { slippage, strategy: way.strategy };
      return { slippage };
    }
  }

  function slippageWithin({ slippageBps: most }: HedgeOpened, { origin, destination }: IntentRoute): number {
    const offered = BigInt(side === 'SELL' ? destination.output.amount : origin.input.amount);
    const bound = swapBound(side, offered, most, { shown: screen(shown), furthest });
    if (offered === 0n) return most;
    const room = side === 'SELL' ? offered - bound : bound - offered;
    const bps = Number((room * WHOLE_BPS) / offered);
    return Math.min(bps, most);
  }
}

/** What was built, as the least that is received and the most that is spent. */
export function builtBounds(opened: HedgeOpened, value: Record<string, unknown>): { least: string; most: string } {
  const { way, amount } = opened;
  const of = (field: string) => String(value[field] ?? '0');
  if (way.mode === 'twap') return { least: `${BigInt(of('destAmount')) * BigInt(way.slices)}`, most: amount };
  if (way.mode === 'twap-buy') return { least: amount, most: of('maxSrcAmount') };
  return { least: of('destAmount'), most: of('srcAmount') };
}

function slices({ slices: numSlices, interval }: { slices: number; interval: number }) {
  return { numSlices, interval };
}

function screen(shown: string | null): bigint | null {
  return shown === null ? null : BigInt(shown);
}
