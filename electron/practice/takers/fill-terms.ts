import type { SignedOrder } from '../../protocol/wire.ts';
import type { Hop, Wish } from './wish.ts';

const WHOLE_BPS = 10_000n;

/** What goes into a fill and what must come out of it at least, in raw units. */
export interface FillTerms {
  paid: bigint;
  received: bigint;
  least: bigint;
}

/** What comes out of an order for so much of its taker asset: the contract rounds down. */
export function outputOf(order: SignedOrder, paid: bigint): bigint {
  return (paid * BigInt(order.makerAmount)) / BigInt(order.takerAmount);
}

/**
 * The service fills as much as the user needs; what it asked for on top stays open until the order expires. Who names
 * what they get pays as much as that takes, rounded up.
 */
export function fillTerms(wish: Wish, orders: readonly [SignedOrder, ...SignedOrder[]]): FillTerms {
  const [first] = wish.hops;
  const [order] = orders;
  const last: Hop = wish.hops.at(-1) ?? first;
  const [makerAmount, takerAmount] = [BigInt(order.makerAmount), BigInt(order.takerAmount)];
  const paid = wish.exact === 'in' ? first.given : (first.got * takerAmount + makerAmount - 1n) / makerAmount;
  const received = orders.reduce((amount, one) => outputOf(one, amount), paid);
  const agreed = wish.exact === 'in' ? (last.got * (WHOLE_BPS - BigInt(wish.slippageBps))) / WHOLE_BPS : last.got;
  return { paid, received, least: wish.ending === 'wants_more' ? received + 1n : agreed };
}
