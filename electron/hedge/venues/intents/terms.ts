import { z } from 'zod';
import type { HedgeOpened } from '../../../journal/hedges/events.ts';
import { addressSchema } from '../../../protocol/address.ts';
import { decimalSchema, toRaw, WHOLE_BPS } from '../../../protocol/decimal.ts';
import { DeskError } from '../../../protocol/desk-error.ts';
import type { IntentBuildBody, OnChainOrderType } from '../../../protocol/intent-build.ts';
import type { IntentRoute } from '../../../protocol/intent-wire.ts';
import { bytesSchema } from '../../../protocol/market-transaction.ts';
import { swapBound } from '../../slippage-bound.ts';

/** Seconds between two slices, and how many there are. */
const slicing = { slices: z.int().min(2).max(1_000), interval: z.int().min(60).max(86_400) };

/** What each kind needs to know. `limitAmount` and `maxSrcAmount` are token units of the amount that is not fixed. */
const intentWaySchema = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('intent') }),
  z.object({ mode: z.literal('limit'), limitAmount: decimalSchema }),
  z.object({ mode: z.literal('twap'), ...slicing }),
  z.object({ mode: z.literal('twap-buy'), ...slicing, maxSrcAmount: decimalSchema }),
  z.object({ mode: z.literal('external'), handler: addressSchema, data: bytesSchema }),
  z.object({ mode: z.literal('productive'), strategy: addressSchema }),
]);
type IntentWay = z.infer<typeof intentWaySchema>;

/** The way of a hedge by intent. Throws DeskError `bad_terms`. */
export function intentWay({ way }: Pick<HedgeOpened, 'way'>): IntentWay {
  const read = intentWaySchema.safeParse(way);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const where = issue?.path.join('.') ?? '';
  throw new DeskError(
    'bad_terms',
    `An order by ${way.mode} needs another ${where}: ${issue?.message ?? 'unreadable'}.`,
  );
}

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

/** Time left after the last slice, in seconds. */
export const AFTER_LAST_SLICE = 60;

/** The terms of a hedge by intent. Throws DeskError `bad_terms` for slices of nothing, or a deadline too near for them. */
export function intentTerms(opened: HedgeOpened, nowSeconds: number): IntentTerms {
  const { side, amount, deadline } = opened;
  const way = intentWay(opened);
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

/** Throws DeskError `bad_terms` for a way that cannot be read. */
export function checkTerms(opened: HedgeOpened): void {
  intentWay(opened);
}

/**
 * Which ends of an order leave logs of the maker's own: a source that lies in a strategy is moved without the maker, and a handler
 * pays as it likes, whatever is said.
 */
export function ownLogs({ way }: Pick<HedgeOpened, 'way'>): { source: boolean; saidAmount: boolean } {
  return { source: way.mode !== 'productive', saidAmount: way.mode !== 'external' };
}

/** Whether it is filled slice by slice, each at the price of its time. */
export function isSliced({ way }: Pick<HedgeOpened, 'way'>): boolean {
  return way.slices !== undefined;
}

/** What a limit order fixes the other amount to, raw units; null of any other way. */
export function limitOf(opened: HedgeOpened): bigint | null {
  const { side, src, dest } = opened;
  const way = intentWay(opened);
  return way.mode === 'limit' ? toRaw(way.limitAmount, (side === 'SELL' ? dest : src).decimals) : null;
}

/** The most that a purchase takes of its source by its own terms, raw units; null where a price decides. */
export function mostOf(opened: HedgeOpened): bigint | null {
  const way = intentWay(opened);
  return way.mode === 'twap-buy' ? toRaw(way.maxSrcAmount, opened.src.decimals) : limitOf(opened);
}

/** The most that a purchase in slices takes: by its own terms, and each slice no more than the furthest from the reference. */
function mostOfSlices(
  { src }: HedgeOpened,
  way: Extract<IntentWay, { mode: 'twap-buy' }>,
  furthest: bigint | null,
): bigint {
  const typed = toRaw(way.maxSrcAmount, src.decimals);
  const bound = furthest === null ? typed : furthest * BigInt(way.slices);
  return bound < typed ? bound : typed;
}

/** The most that the order may take of the source: what is approved. `furthest` is of what is priced. */
export function mostSpent(opened: HedgeOpened, route: IntentRoute, furthest: bigint | null): bigint {
  const { side, amount, slippageBps, shown } = opened;
  if (side === 'SELL') return BigInt(amount);
  const way = intentWay(opened);
  if (way.mode === 'twap-buy') return mostOfSlices(opened, way, furthest);
  const fixed = mostOf(opened);
  if (fixed !== null) return fixed;
  return swapBound(side, BigInt(route.origin.input.amount), slippageBps, { shown: screen(shown), furthest });
}

/** The fields of a build that the way decides; `furthest` is of what is priced. Throws DeskError `price_moved`. */
export function buildFields(
  opened: HedgeOpened,
  route: IntentRoute,
  furthest: bigint | null,
): Partial<IntentBuildBody> {
  const { side, amount, shown, src, dest } = opened;
  const way = intentWay(opened);
  switch (way.mode) {
    case 'limit':
      return { limitAmount: `${toRaw(way.limitAmount, (side === 'SELL' ? dest : src).decimals)}` };
    case 'twap':
      return { ...slices(way), totalSrcAmount: amount, slippage: slippageWithin(opened, route) };
    case 'twap-buy':
      return {
        ...slices(way),
        totalDestAmount: amount,
        maxSrcAmount: `${mostOfSlices(opened, way, furthest)}`,
        slippage: slippageWithin(opened, route),
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
    // What stood on the screen was of the whole amount.
    const whole = 'slices' in way ? null : screen(shown);
    const bound = swapBound(side, offered, most, { shown: whole, furthest });
    if (offered === 0n) return most;
    const room = side === 'SELL' ? offered - bound : bound - offered;
    const bps = Number((room * WHOLE_BPS) / offered);
    return Math.min(bps, most);
  }
}

/** The least that has to arrive at the other end of a crossing, as it was agreed: raw units of what is wanted, of all slices. */
export function leastArriving(opened: HedgeOpened, { priced }: IntentTerms, route: IntentRoute): bigint {
  const { side, amount, slippageBps } = opened;
  if (side === 'BUY') return BigInt(amount);
  const limit = limitOf(opened);
  if (limit !== null) return limit;
  const offered = (BigInt(route.destination.output.amount) * BigInt(amount)) / priced;
  return (offered * (WHOLE_BPS - BigInt(slippageBps))) / WHOLE_BPS;
}

/** What was built, as the least that is received and the most that is spent. */
export function builtBounds(opened: HedgeOpened, value: Record<string, unknown>): { least: string; most: string } {
  const { amount } = opened;
  const way = intentWay(opened);
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
