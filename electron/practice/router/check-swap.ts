import { BaseError } from 'viem';
import type { Address, Hex } from '../../protocol/address.ts';
import { allowanceOf, balanceOf } from '../chain/read-amount.ts';
import { isChainAway } from '../consumer/chain-away.ts';
import { WireRefused } from '../wire-refused.ts';
import type { RouteToken } from './route-tokens.ts';
import type { RouterChain } from './router-chain.ts';

/** A transaction as it would be sent. */
export interface Draft {
  from: Address;
  to: Address;
  value: bigint;
  data: Hex;
}

/**
 * Looks whether the sender has what the swap takes, and has approved it; a permit stands for the approval.
 * @throws WireRefused naming what is short
 */
export async function checkFunds(
  { chain: { client } }: RouterChain,
  { named, traded, isNative }: RouteToken,
  { from, to }: Draft,
  swap: { srcAmount: bigint; hasPermit: boolean },
): Promise<void> {
  const refuse = (what: string) => new WireRefused('TransactionWouldFail', `Not enough ${traded.symbol} ${what}`);
  if (isNative) {
    if ((await client.getBalance({ address: from })) < swap.srcAmount) throw refuse('balance');
    return;
  }
  if ((await balanceOf(client, named, from)) < swap.srcAmount) throw refuse('balance');
  if (swap.hasPermit) return;
  if ((await allowanceOf(client, named, from, to)) < swap.srcAmount) throw refuse(`allowance given to ${to}`);
}

/** The gas the transaction would use now. @throws WireRefused with the contract's reason when it would fail */
export async function gasOf({ chain: { client } }: RouterChain, { from, ...draft }: Draft): Promise<bigint> {
  try {
    return await client.estimateGas({ account: from, ...draft });
  } catch (error) {
    if (isChainAway(error)) throw error;
    throw new WireRefused('TransactionWouldFail', `The transaction would fail: ${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  const text = error instanceof BaseError ? `${error.message}\n${error.details}` : String(error);
  return (
    /reverted(?: with reason(?: string)?)?:? ["']?(.+?)["']?\.?\n/.exec(`${text}\n`)?.[1] ?? text.split('\n')[0] ?? text
  );
}
