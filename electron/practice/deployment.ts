import { z } from 'zod';
import { type Address, addressSchema } from '../protocol/address.ts';
import { CONTRACT_MAKER, EXECUTOR, SETTLEMENT, TEST_TOKEN } from './artifacts.ts';
import type { Sender } from './sender.ts';

/** Where the practice market's contracts are. */
export const deploymentSchema = z.object({
  rfqContract: addressSchema,
  executor: addressSchema,
  /** 18 decimals. */
  weth: addressSchema,
  /** 6 decimals. */
  usdc: addressSchema,
  /** An EIP-1271 wallet whose owner is the maker's key. */
  contractMaker: addressSchema,
});
export type Deployment = z.infer<typeof deploymentSchema>;

/** Deploys everything the practice market consists of. */
export async function deployMarket(
  sender: Sender,
  { domainName, owner }: { domainName: string; owner: Address },
): Promise<Deployment> {
  const [rfqContract, weth, usdc, contractMaker] = await Promise.all([
    sender.deploy(SETTLEMENT, [domainName]),
    sender.deploy(TEST_TOKEN, ['Wrapped Ether', 'WETH', 18]),
    sender.deploy(TEST_TOKEN, ['USD Coin', 'USDC', 6]),
    sender.deploy(CONTRACT_MAKER, [owner]),
  ]);
  const executor = await sender.deploy(EXECUTOR, [rfqContract]);
  return { rfqContract, executor, weth, usdc, contractMaker };
}
