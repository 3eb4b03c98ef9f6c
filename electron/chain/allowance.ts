import { encodeFunctionData, type PublicClient } from 'viem';
import type { Address, Hex } from '../protocol/address.ts';
import { ERC20_ABI } from './erc20-abi.ts';
import type { MakerCall } from './maker-calls.ts';

/** Lets a contract take `amount` raw units of a token from the maker; 0 stops everything signed that it would take. */
export function approveCall(
  token: Address,
  spender: Address,
  amount: bigint,
  purpose = `set the allowance of ${token} to ${amount}`,
): MakerCall {
  const data = encodeFunctionData({ abi: ERC20_ABI, functionName: 'approve', args: [spender, amount] });
  return { purpose, to: token, data };
}

/** Whom an `approve` lets take how many raw units; null where the call is none. */
export function approvedIn(data: string): { spender: Address; amount: bigint } | null {
  const [, spender, amount] = /^0x095ea7b3[0-9a-f]{24}([0-9a-f]{40})([0-9a-f]{64})$/i.exec(data) ?? [];
  if (spender === undefined || amount === undefined) return null;
  return { spender: `0x${spender.toLowerCase()}` as Hex, amount: BigInt(`0x${amount}`) };
}

/** How many raw units of a token a spender may take from its owner. */
export function readAllowance(
  { client }: { readonly client: PublicClient },
  token: Address,
  owner: Address,
  spender: Address,
): Promise<bigint> {
  return client.readContract({ abi: ERC20_ABI, address: token, functionName: 'allowance', args: [owner, spender] });
}

/** Whether the token refuses to change an allowance that is not zero into another that is not: tried, not sent. */
export async function needsZeroFirst(
  { client }: { readonly client: PublicClient },
  token: Address,
  owner: Address,
  spender: Address,
  amount: bigint,
): Promise<boolean> {
  const { to, data } = approveCall(token, spender, amount);
  try {
    await client.call({ account: owner, to, data });
    return false;
  } catch {
    return true;
  }
}
