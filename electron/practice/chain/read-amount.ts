import type { PublicClient } from 'viem';
import type { Address } from '../../protocol/address.ts';
import { DeskError } from '../../protocol/desk-error.ts';
import { type Artifact, TEST_TOKEN } from './artifacts.ts';

/** Reads one amount, in raw units, from a contract. */
export async function readAmount(
  client: PublicClient,
  { abi, contract }: Artifact,
  address: Address,
  functionName: string,
  args: readonly unknown[],
): Promise<bigint> {
  const value = await client.readContract({ address, abi, functionName, args });
  if (typeof value === 'bigint') return value;
  throw new DeskError('not_an_amount', `${contract}.${functionName} did not answer with an amount.`);
}

export function balanceOf(client: PublicClient, token: Address, owner: Address): Promise<bigint> {
  return readAmount(client, TEST_TOKEN, token, 'balanceOf', [owner]);
}

export function allowanceOf(client: PublicClient, token: Address, owner: Address, spender: Address): Promise<bigint> {
  return readAmount(client, TEST_TOKEN, token, 'allowance', [owner, spender]);
}
