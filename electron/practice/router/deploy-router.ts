import { encodeFunctionData } from 'viem';
import type { Address } from '../../protocol/address.ts';
import { FEE_VAULT, MARKET_ROUTER, PERMIT2, SWAP_POOL, TEST_TOKEN, WRAPPED_NATIVE } from '../chain/artifacts.ts';
import type { Sender } from '../chain/sender.ts';
import type { RouterAddresses } from './router-chain.ts';

/** A pool to make, with what is in it at first in raw units. `native` stands for the wrapped native asset. */
export interface PoolPlan {
  exchange: string;
  tokens: readonly [Address | 'native', Address | 'native'];
  amounts: readonly [bigint, bigint];
  feeBps: number;
}

/**
 * Deploys the market's contracts beside those of the RFQ market, and fills the pools, whose tokens anybody may mint. The same
 * account with the same number of transactions before comes to the same addresses.
 */
export async function deployRouter(
  sender: Sender,
  options: {
    rfqContract: Address;
    native: { name: string; symbol: string };
    pools: readonly PoolPlan[];
    /** Gives an address so much more ether: wrapped ether that pools begin with is minted, and must be there to be unwrapped. */
    giveEther(address: Address, wei: bigint): Promise<unknown>;
  },
): Promise<RouterAddresses> {
  const { rfqContract, native, pools, giveEther } = options;
  const [wrappedNative, feeVault, permit2] = await Promise.all([
    sender.deploy(WRAPPED_NATIVE, [native.name, native.symbol]),
    sender.deploy(FEE_VAULT, []),
    sender.deploy(PERMIT2, []),
  ]);
  const parts = [rfqContract, wrappedNative, feeVault, permit2];
  const [router, legacyRouter] = await Promise.all([
    sender.deploy(MARKET_ROUTER, parts),
    sender.deploy(MARKET_ROUTER, parts),
  ]);
  const wrapped = pools.reduce((sum, { tokens, amounts }) => {
    return sum + tokens.reduce((own, token, index) => own + (token === 'native' ? (amounts[index] ?? 0n) : 0n), 0n);
  }, 0n);
  await giveEther(wrappedNative, wrapped);
  const planned = pools.map(({ exchange, tokens, amounts, feeBps }) => {
    const [token0, token1] = tokens.map((token) => (token === 'native' ? wrappedNative : token)) as [Address, Address];
    return { exchange, tokens: [token0, token1] as [Address, Address], amounts, feeBps };
  });
  const made = await Promise.all(
    planned.map(async ({ feeBps, ...pool }) => {
      return { ...pool, address: await sender.deploy(SWAP_POOL, [...pool.tokens, feeBps]) };
    }),
  );
  const filled = await Promise.all(made.flatMap((pool) => fillCalls(pool)).map((call) => sender.send(call)));
  await Promise.all(filled.map((hash) => sender.mined(hash)));
  const places = made.map(({ exchange, address, tokens }) => ({ exchange, address, tokens }));
  return { router, legacyRouter, feeVault, permit2, wrappedNative, pools: places };
}

/** Mints what a pool begins with, and lets it take that in: in this order. */
function fillCalls(pool: { address: Address; tokens: readonly Address[]; amounts: readonly bigint[] }) {
  const { address, tokens, amounts } = pool;
  const mints = tokens.map((to, index) => {
    const args = [address, amounts[index]];
    return { to, data: encodeFunctionData({ abi: TEST_TOKEN.abi, functionName: 'mint', args }) };
  });
  return [...mints, { to: address, data: encodeFunctionData({ abi: SWAP_POOL.abi, functionName: 'sync' }) }];
}
