import { decodeFunctionData, encodeFunctionData } from 'viem';
import type { Address, Hex } from '../protocol/address.ts';
import { RFQ_ABI } from './rfq-abi.ts';

/** A call the maker makes on chain, as calldata. */
export interface MakerCall {
  /** In a person's words. */
  purpose: string;
  to: Address;
  data: Hex;
}

/** More than about 400 in one call may run out of gas. */
const MAX_CANCELS_PER_CALL = 200;

/** Cancels these orders, in as few calls as fit. The RFQ contract has no cancel-all: every order goes by its hash. */
export function cancelCalls(rfqContract: Address, orderHashes: readonly Hex[]): MakerCall[] {
  const calls: MakerCall[] = [];
  for (let start = 0; start < orderHashes.length; start += MAX_CANCELS_PER_CALL) {
    const hashes = orderHashes.slice(start, start + MAX_CANCELS_PER_CALL);
    calls.push({
      purpose: `cancel ${hashes.length} ${hashes.length === 1 ? 'order' : 'orders'}`,
      to: rfqContract,
      data: encodeFunctionData({ abi: RFQ_ABI, functionName: 'cancelOrders', args: [hashes] }),
    });
  }
  return calls;
}

/** How many orders the call of this data cancels. Throws for any other. */
export function cancelledBy(data: Hex): number {
  const { functionName, args } = decodeFunctionData({ abi: RFQ_ABI, data });
  if (functionName !== 'cancelOrders') throw new TypeError(`${functionName} cancels no orders.`);
  return args[0].length;
}
