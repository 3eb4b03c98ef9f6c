import { BigNumber } from 'bignumber.js';
import { encodeFunctionData } from 'viem';
import type { Address } from '../../protocol/address.ts';
import { SWAP_POOL, TEST_TOKEN } from '../chain/artifacts.ts';
import { readAmount } from '../chain/read-amount.ts';
import type { Sender } from '../chain/sender.ts';

const WHOLE_BPS = 10_000;

/**
 * Does what arbitrageurs do to a pool: when its price is further from `price` (raw units of its second token per raw unit
 * of its first) than its fee, trades it there. The bank mints what it sells. Says whether it traded.
 */
export async function followPrice(bank: Sender, pool: Address, price: BigNumber): Promise<boolean> {
  const read = (name: string) =>
    readAmount(bank.client, SWAP_POOL, pool, name, []).then((value) => new BigNumber(`${value}`));
  const [reserve0, reserve1, feeBps] = await Promise.all([read('reserve0'), read('reserve1'), read('feeBps')]);
  const off = reserve1.dividedBy(reserve0).dividedBy(price).minus(1).times(WHOLE_BPS);
  if (off.abs().isLessThanOrEqualTo(feeBps)) return false;
  const product = reserve0.times(reserve1);
  const isDear = off.isPositive();
  const amount = isDear
    ? product.dividedBy(price).squareRoot().minus(reserve0)
    : product.times(price).squareRoot().minus(reserve1);
  const token = (await bank.client.readContract({
    address: pool,
    abi: SWAP_POOL.abi,
    functionName: isDear ? 'token0' : 'token1',
  })) as Address;
  const minted = BigInt(amount.toFixed(0, BigNumber.ROUND_DOWN));
  const mint = encodeFunctionData({ abi: TEST_TOKEN.abi, functionName: 'mint', args: [pool, minted] });
  await bank.mined(await bank.send({ to: token, data: mint }));
  const swap = encodeFunctionData({ abi: SWAP_POOL.abi, functionName: 'swap', args: [token, bank.address] });
  await bank.mined(await bank.send({ to: pool, data: swap }));
  return true;
}
