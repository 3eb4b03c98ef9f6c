import type { OrderState } from '../../protocol/order-record.ts';

interface Amounts {
  makerAmount: bigint;
  takerAmount: bigint;
}

/**
 * The least of the maker asset that a partial fill of this order can give: the contract pays out
 * floor(takerFill × makerAmount / takerAmount), whole units of the taker asset at a time, and refuses a zero. What is left
 * below it is dust that nobody can ever fill. Both amounts are above zero.
 */
export function leastFill({ makerAmount, takerAmount }: Amounts): bigint {
  const forOneUnit = makerAmount / takerAmount;
  return forOneUnit > 0n ? forOneUnit : 1n;
}

/** What the chain and the clock say of an order. Amounts are raw units of the maker asset, times Unix seconds. */
export interface OrderFacts extends Amounts {
  /** What of `makerAmount` no fill has taken. */
  fillable: bigint;
  isCancelled: boolean;
  /** 0 is never. */
  expiry: number;
}

/**
 * The state of an order (PROTOCOL 3):
 * - `CANCELLED` and `FULFILLED` are the contract's word and hold for ever (until a reorganisation takes the event back).
 *   What is left of a `FULFILLED` order is zero, or dust below the least possible fill.
 * - `EXPIRED` from the second after `expiry`: in the expiry second itself the contract still fills it.
 * - `SUSPENDED` while `cover`, the lesser of the maker's balance and of their allowance to the contract, is below what is
 *   left of the order. Other orders do not suspend it: the chain would fill it if it came first.
 * - `PENDING` otherwise.
 */
export function stateOf(facts: OrderFacts, cover: bigint, seconds: number): OrderState {
  if (facts.isCancelled) return 'CANCELLED';
  if (facts.fillable < leastFill(facts)) return 'FULFILLED';
  if (facts.expiry !== 0 && facts.expiry < seconds) return 'EXPIRED';
  return cover < facts.fillable ? 'SUSPENDED' : 'PENDING';
}

export interface BalanceShare {
  makerBalance: bigint;
  reservedBalance: bigint;
  swappableBalance: bigint;
}

/**
 * What of its maker's balance an order has (PROTOCOL 2.5). Orders of one maker and one maker asset are served in the order in
 * which they were stored; `older` is the sum of `fillable` of the `PENDING` ones stored before this one. Nobody fills one that
 * is `SUSPENDED`, since a taker looks for `PENDING` first (PROTOCOL 3): it takes nothing from those behind it, and has nothing to swap.
 * - `makerBalance`: the lesser of balance and allowance (`cover`), less what the older ones reserve.
 * - `reservedBalance`: of that, what this order still wants; zero while it is not `PENDING`.
 * - `swappableBalance`: the reserved amount, or zero when it is less than the least possible fill. The sum over all orders of a
 *   balance is never above `cover`, so everybody who fills no more than this is served.
 */
export function shareOf(
  order: Amounts & { fillable: bigint; state: OrderState },
  cover: bigint,
  older: bigint,
): BalanceShare {
  const makerBalance = cover > older ? cover - older : 0n;
  const reservedBalance = order.state === 'PENDING' ? least(makerBalance, order.fillable) : 0n;
  const swappableBalance = reservedBalance < leastFill(order) ? 0n : reservedBalance;
  return { makerBalance, reservedBalance, swappableBalance };
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
