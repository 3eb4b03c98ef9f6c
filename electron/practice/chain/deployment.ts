import { z } from 'zod';
import { type Address, addressSchema } from '../../protocol/address.ts';
import type { Token } from '../../protocol/wire.ts';
import {
  type Artifact,
  CONTRACT_MAKER,
  DAI_TOKEN,
  EXECUTOR,
  PLAIN_TOKEN,
  SETTLEMENT,
  TEST_TOKEN,
  ZERO_FIRST_TOKEN,
} from './artifacts.ts';
import type { Sender } from './sender.ts';

/** Where the practice market's contracts are. */
export const deploymentSchema = z.object({
  rfqContract: addressSchema,
  executor: addressSchema,
  /** By token ID, such as `WETH`. */
  tokens: z.record(z.string(), addressSchema),
  /** An EIP-1271 wallet whose owner is the maker's key. */
  contractMaker: addressSchema,
});
export type Deployment = z.infer<typeof deploymentSchema>;

/** A token to deploy. */
export type TokenPlan = Pick<Token, 'name' | 'symbol' | 'decimals'>;

/** As their namesakes on the public networks behave; the others know EIP-2612 permits. */
const ODD_TOKENS: Readonly<Record<string, Artifact>> = { USDT: ZERO_FIRST_TOKEN, DAI: DAI_TOKEN, LINK: PLAIN_TOKEN };

export function tokenOf(symbol: string): Artifact {
  return ODD_TOKENS[symbol] ?? TEST_TOKEN;
}

/** Deploys everything the practice market consists of on one chain. */
export async function deployMarket(
  sender: Sender,
  { domainName, owner, tokens = {} }: { domainName: string; owner: Address; tokens?: Record<string, TokenPlan> },
): Promise<Deployment> {
  const [rfqContract, contractMaker, ...deployed] = await Promise.all([
    sender.deploy(SETTLEMENT, [domainName]),
    sender.deploy(CONTRACT_MAKER, [owner]),
    ...Object.entries(tokens).map(async ([id, { name, symbol, decimals }]) => {
      return [id, await sender.deploy(tokenOf(symbol), [name, symbol, decimals])] as const;
    }),
  ]);
  const executor = await sender.deploy(EXECUTOR, [rfqContract]);
  return { rfqContract, executor, tokens: Object.fromEntries(deployed), contractMaker };
}
