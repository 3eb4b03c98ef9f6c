import { SWAP_POOL } from '../chain/artifacts.ts';
import { readAmount } from '../chain/read-amount.ts';
import type { RouterAddresses, RouterChain } from './router-chain.ts';

/** The pools with what is in them now. @throws when the chain does not answer */
export async function readPools({ chain }: RouterChain, pools: RouterAddresses['pools']) {
  const read = (pool: RouterAddresses['pools'][number], name: string) =>
    readAmount(chain.client, SWAP_POOL, pool.address, name, []);
  return Promise.all(
    pools.map(async (pool) => {
      const [reserve0, reserve1, fee] = await Promise.all([
        read(pool, 'reserve0'),
        read(pool, 'reserve1'),
        read(pool, 'feeBps'),
      ]);
      return { ...pool, reserves: [reserve0, reserve1] as const, feeBps: Number(fee) };
    }),
  );
}
