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

/** Deploys the market's contracts beside those of the RFQ market, and fills the pools, whose tokens anybody may mint. */
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
  const made = pools.map(async ({ exchange, tokens: planned, amounts, feeBps }) => {
    const [token0, token1] = planned.map((token) => (token === 'native' ? wrappedNative : token)) as [Address, Address];
    const address = await sender.deploy(SWAP_POOL, [token0, token1, feeBps]);
    const minted = await Promise.all(
      [token0, token1].map((to, index) => {
        const args = [address, amounts[index]];
        return sender.send({ to, data: encodeFunctionData({ abi: TEST_TOKEN.abi, functionName: 'mint', args }) });
      }),
    );
    await Promise.all(minted.map((hash) => sender.mined(hash)));
    const data = encodeFunctionData({ abi: SWAP_POOL.abi, functionName: 'sync' });
    await sender.mined(await sender.send({ to: address, data }));
    return { exchange, address, tokens: [token0, token1] as [Address, Address] };
  });
  return { router, legacyRouter, feeVault, permit2, wrappedNative, pools: await Promise.all(made) };
}
