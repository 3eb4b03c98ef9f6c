import { encodeFunctionData } from 'viem';
import type { Address, Hex } from '../../protocol/address.ts';
import type { SignedOrder } from '../../protocol/wire.ts';
import { EXECUTOR, TEST_TOKEN } from '../chain/artifacts.ts';
import { fieldsOf } from '../consumer/order-fields.ts';
import type { FillTerms } from './fill-terms.ts';

/**
 * What the node must be let have is more than what is paid for in the end, for some is given back: 162,000 for one pair,
 * 112,000 for each one more. Fixed, so that nothing has to be estimated, and not much above it: a block takes only as
 * many transactions as their limits, not their needs, leave room for.
 */
const GAS_A_HOP = 120_000n;
const GAS_BESIDES = 70_000n;

/** The gas that a fill over so many pairs may use. */
export function callGas(hops: number): bigint {
  return GAS_BESIDES + GAS_A_HOP * BigInt(hops);
}

/** The call that fills one order, or several in a row where one's output pays for the next, all or nothing. */
export function fillCall(orders: readonly [SignedOrder, ...SignedOrder[]], { paid, least }: FillTerms): Hex {
  const { abi } = EXECUTOR;
  const [first, ...others] = orders;
  if (others.length === 0) {
    const args = [fieldsOf(first), first.signature, paid, least];
    return encodeFunctionData({ abi, functionName: 'fill', args });
  }
  const args = [orders.map(fieldsOf), orders.map(({ signature }) => signature), paid, least];
  return encodeFunctionData({ abi, functionName: 'fillPath', args });
}

/** Takes back what the execution contract may take of a token. */
export function noAllowanceCall(token: Address, executor: Address): { to: Address; data: Hex; gas: bigint } {
  const data = encodeFunctionData({ abi: TEST_TOKEN.abi, functionName: 'approve', args: [executor, 0n] });
  return { to: token, data, gas: 80_000n };
}
