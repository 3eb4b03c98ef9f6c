import { DeskError } from '../protocol/desk-error.ts';
import type { SwapSide } from '../protocol/market-wire.ts';

const WHOLE_BPS = 10_000n;

/**
 * What is received at least (SELL) or spent at most (BUY) of the amount that is not fixed: within the slippage of what is
 * offered now, and of what stood on the screen. Raw units. Throws DeskError `price_moved` when the offer is beyond that already.
 */
export function swapBound(side: SwapSide, offered: bigint, slippageBps: number, shown: bigint | null): bigint {
  const bound = within(side, offered, slippageBps);
  if (shown === null) return bound;
  const agreed = within(side, shown, slippageBps);
  const moved = side === 'SELL' ? offered < agreed : offered > agreed;
  if (moved) {
    throw new DeskError(
      'price_moved',
      `The price moved: it was ${shown} raw units on the screen, and is ${offered} now.`,
      {
        remedy: 'Nothing was signed: look at the new quote.',
      },
    );
  }
  if (side === 'SELL') return bound > agreed ? bound : agreed;
  return bound < agreed ? bound : agreed;
}

function within(side: SwapSide, amount: bigint, slippageBps: number): bigint {
  if (side === 'SELL') return (amount * (WHOLE_BPS - BigInt(slippageBps))) / WHOLE_BPS;
  return (amount * (WHOLE_BPS + BigInt(slippageBps)) + WHOLE_BPS - 1n) / WHOLE_BPS;
}
