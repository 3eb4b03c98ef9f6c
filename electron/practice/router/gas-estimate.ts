import { BigNumber } from 'bignumber.js';
import type { BestPrice } from './best-price.ts';
import type { RouterChain } from './router-chain.ts';

/** About what the router and each leg use; the transaction's own estimate is made when it is built. */
const GAS = { router: 90_000n, generic: 20_000n, rfq: 110_000n, pool: 70_000n } as const;

/** What settling costs, in gas and in dollars at the node's price (PROTOCOL 12.2). */
export async function estimateGas(
  chain: RouterChain,
  { hops, method }: BestPrice,
): Promise<{ gasCost: string; gasCostUSD: string }> {
  const generic = method === 'swapExactAmountIn' || method === 'swapExactAmountOut' ? GAS.generic : 0n;
  const gas = hops.flat().reduce((sum, { source }) => sum + GAS[source.data.kind], GAS.router + generic);
  const { client } = chain.chain;
  const price = chain.usdPrice(chain.addresses.wrappedNative) ?? '0';
  const wei = gas * (await client.getGasPrice());
  return { gasCost: `${gas}`, gasCostUSD: new BigNumber(`${wei}`).shiftedBy(-18).times(price).toFixed(6) };
}
