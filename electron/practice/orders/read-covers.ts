import type { PublicClient } from 'viem';
import { type Address, ZERO_ADDRESS } from '../../protocol/address.ts';
import { DeskError } from '../../protocol/desk-error.ts';
import { SETTLEMENT, TEST_TOKEN } from '../chain/artifacts.ts';

/** A maker and one token that they give: what all their orders of that token share. */
export interface Backing {
  maker: Address;
  token: Address;
}

/** This many are read in one request. */
const BACKINGS_AT_ONCE = 100;

/**
 * The lesser of balance and allowance to the settlement contract of each backing, in raw units, at a block. A token that does
 * not answer covers nothing. Rejects when the node does not answer for the settlement contract itself.
 */
export async function readCovers(
  { client, rfqContract }: { client: PublicClient; rfqContract: Address },
  backings: readonly Backing[],
  blockNumber?: bigint,
): Promise<bigint[]> {
  const covers: bigint[] = [];
  for (let from = 0; from < backings.length; from += BACKINGS_AT_ONCE) {
    const some = backings.slice(from, from + BACKINGS_AT_ONCE);
    const answers = await client.multicall({
      // Without a contract of its own: the practice chain has none that bundles calls.
      deployless: true,
      batchSize: 0,
      blockNumber,
      contracts: [
        {
          address: rfqContract,
          abi: SETTLEMENT.abi,
          functionName: 'remaining',
          args: [ZERO_ADDRESS, `0x${'0'.repeat(64)}`],
        },
        ...some.flatMap(({ maker, token }) => [
          { address: token, abi: TEST_TOKEN.abi, functionName: 'balanceOf', args: [maker] },
          { address: token, abi: TEST_TOKEN.abi, functionName: 'allowance', args: [maker, rfqContract] },
        ]),
      ],
    });
    const [settlement, ...amounts] = answers;
    if (settlement?.status !== 'success') {
      throw new DeskError('settlement_unseen', 'The node does not answer for the settlement contract.', {
        cause: settlement?.error,
      });
    }
    for (const index of some.keys()) {
      const [balance, allowance] = [amountOf(amounts[index * 2]), amountOf(amounts[index * 2 + 1])];
      covers.push(balance < allowance ? balance : allowance);
    }
  }
  return covers;
}

function amountOf(answer: { result?: unknown } | undefined): bigint {
  return typeof answer?.result === 'bigint' ? answer.result : 0n;
}
