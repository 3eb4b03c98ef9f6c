import type { Address } from '../protocol/address.ts';
import type { TransactionEnvelope } from '../protocol/market-transaction.ts';
import type { PriceRoute, SwapSide } from '../protocol/market-wire.ts';
import { isNative } from '../protocol/route-token.ts';
import { nonsense } from './service-connection.ts';

/** What a route must be of. A token by its symbol is the service's to know. */
interface AskedRoute {
  srcToken: string;
  destToken: string;
  amount: string;
  side: SwapSide;
  network: number;
}

/** The route is of the chain, the tokens and the amount that were asked. Throws ServiceFault `service_nonsense`. */
export function checkRoute(route: PriceRoute, { srcToken, destToken, amount, side, network }: AskedRoute): void {
  if (route.network !== network) throw nonsense(`a route on chain ${route.network}, not ${network} as asked`);
  for (const [token, given] of [
    [srcToken, route.srcToken],
    [destToken, route.destToken],
  ] as const) {
    if (token.startsWith('0x') && !isSame(token, given)) throw nonsense(`a route of ${given}, not ${token} as asked`);
  }
  if (route.side !== undefined && route.side !== side)
    throw nonsense(`a route for ${route.side}, not ${side} as asked`);
  const fixed = side === 'SELL' ? route.srcAmount : route.destAmount;
  if (fixed !== amount) throw nonsense(`a route for ${fixed} units, not ${amount} as asked`);
}

/** What a transaction must carry out. `slippage` is in bps. */
interface AskedTransaction {
  priceRoute: PriceRoute;
  userAddress: string;
  srcAmount?: string;
  slippage?: number;
}

/**
 * The transaction goes from the caller to the router of the route, on its chain, and takes no more of the native asset than
 * the swap's source. Throws ServiceFault `service_nonsense`: such a transaction is not to be signed.
 */
export function checkEnvelope(envelope: TransactionEnvelope, asked: AskedTransaction): void {
  const { priceRoute } = asked;
  if (!isSame(envelope.from, asked.userAddress)) throw nonsense(`a transaction of ${envelope.from}`);
  if (envelope.chainId !== priceRoute.network) throw nonsense(`a transaction on chain ${envelope.chainId}`);
  if (!isSame(envelope.to, priceRoute.contractAddress)) {
    throw nonsense(`a transaction to ${envelope.to}, while the route’s router is ${priceRoute.contractAddress}`);
  }
  const most = isNative(priceRoute.srcToken) ? mostSpent(asked) : 0n;
  if (BigInt(envelope.value) > most) throw nonsense(`a transaction that takes ${envelope.value} wei along`);
}

function mostSpent({ priceRoute, srcAmount, slippage = 0 }: AskedTransaction): bigint {
  if (srcAmount !== undefined) return BigInt(srcAmount);
  if (priceRoute.side === 'SELL') return BigInt(priceRoute.srcAmount);
  const most = BigInt(priceRoute.srcAmount) * BigInt(10_000 + slippage);
  return (most + 9_999n) / 10_000n;
}

/** Whether two addresses are one, however spelled. */
export function isSame(one: Address | string, other: Address | string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
