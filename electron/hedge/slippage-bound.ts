import { WHOLE_BPS } from '../protocol/decimal.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { SwapSide } from '../protocol/market-wire.ts';

/** What else holds the amount that is not fixed, raw units; null where nothing does. */
export interface OtherBounds {
  /** As it stood on the screen: the slippage counts from there too. */
  shown: bigint | null;
  /** The furthest from the reference. */
  furthest: bigint | null;
}

/**
 * What is received at least (SELL) or spent at most (BUY) of the amount that is not fixed: within the slippage of what is
 * offered now, and of what stood on the screen, and no further from the reference than it may be. Raw units. Throws DeskError
 * `price_moved` when the offer is beyond what stood on the screen already.
 */
export function swapBound(
  side: SwapSide,
  offered: bigint,
  slippageBps: number,
  { shown, furthest }: OtherBounds = { shown: null, furthest: null },
): bigint {
  const bounds = [within(side, offered, slippageBps), ...(furthest === null ? [] : [furthest])];
  if (shown !== null) {
    const agreed = within(side, shown, slippageBps);
    const moved = side === 'SELL' ? offered < agreed : offered > agreed;
    if (moved) {
      throw new DeskError(
        'price_moved',
        `The price moved: it was ${shown} raw units on the screen, and is ${offered} now.`,
        { remedy: 'Nothing was signed: look at the new quote.' },
      );
    }
    bounds.push(agreed);
  }
  return bounds.reduce((one, other) => ((side === 'SELL') === one > other ? one : other));
}

function within(side: SwapSide, amount: bigint, slippageBps: number): bigint {
  if (side === 'SELL') return (amount * (WHOLE_BPS - BigInt(slippageBps))) / WHOLE_BPS;
  return (amount * (WHOLE_BPS + BigInt(slippageBps)) + WHOLE_BPS - 1n) / WHOLE_BPS;
}
