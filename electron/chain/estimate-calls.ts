import type { PublicClient } from 'viem';
import type { Address } from '../protocol/address.ts';
import type { MakerCall } from './maker-calls.ts';
import { type NodeOptions, openNode } from './node-client.ts';
import { revertedIn } from './revert.ts';
import { viemClient } from './viem-client.ts';

/**
 * A call with what it would cost at most; both null when the node could not say. `unestimated`: why there is no gas, that the
 * contract would end it or what the node said instead of an estimate.
 */
export type EstimatedCall = MakerCall & {
  gas: bigint | null;
  feeWei: bigint | null;
  unestimated?: { reverts: boolean; error: unknown };
};

/** Fees one transaction offers per unit of gas, wei. */
export type GasFees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint } | { gasPrice: bigint };

/** Estimates vary a little with the block the transaction ends up in. */
const GAS_MARGIN_PERCENT = 20n;

/** Today's fees, in the form the chain takes them. */
export async function gasFees(client: PublicClient): Promise<GasFees> {
  const { baseFeePerGas } = await client.getBlock();
  if (baseFeePerGas === null) return { gasPrice: await client.getGasPrice() };
  const { maxFeePerGas, maxPriorityFeePerGas } = await client.estimateFeesPerGas();
  return { maxFeePerGas, maxPriorityFeePerGas };
}

/** The most that a unit of gas may cost, wei. */
export function perGasOf(fees: GasFees): bigint {
  return 'gasPrice' in fees ? fees.gasPrice : fees.maxFeePerGas;
}

/** What each call would cost from `from` with these fees, null where they are not known; nothing is sent. */
export async function estimateCalls(
  client: PublicClient,
  from: Address,
  calls: readonly MakerCall[],
  fees: GasFees | null,
): Promise<EstimatedCall[]> {
  const perGas = fees === null ? null : perGasOf(fees);
  return Promise.all(
    calls.map(async (call) => {
      // Not behind what waits: that may be the very call, which costs next to nothing once it is done, and is replaced by this one.
      try {
        const { to, data } = call;
        const estimated = await client.estimateGas({ account: from, to, data, blockTag: 'latest' });
        const gas = estimated + (estimated * GAS_MARGIN_PERCENT) / 100n;
        return { ...call, gas, feeWei: perGas === null ? null : gas * perGas };
      } catch (error) {
        return { ...call, gas: null, feeWei: null, unestimated: { reverts: revertedIn(error) !== null, error } };
      }
    }),
  );
}

/**
 * Gas that is enough for any call of an emergency, by the words of its data: each is one place in a contract at most that is
 * written for the first time, with its event. Only what is used is paid.
 */
export function gasAtMost({ data }: Pick<MakerCall, 'data'>): bigint {
  return 100_000n + 40_000n * BigInt(Math.ceil(data.length / 64));
}

/** The dry run: calldata, gas and highest fee of each call, from the maker. A node that is away leaves them null. */
export async function dryRun(
  chain: Pick<NodeOptions, 'rpcUrl' | 'spareRpcUrls' | 'timeoutMs'> & { chainId: number },
  maker: Address,
  calls: readonly MakerCall[],
): Promise<EstimatedCall[]> {
  const node = openNode(chain);
  try {
    const client = viemClient(node, chain.chainId);
    return await estimateCalls(client, maker, calls, await gasFees(client).catch(() => null));
  } finally {
    node.close();
  }
}
