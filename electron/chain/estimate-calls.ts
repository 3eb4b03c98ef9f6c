import type { PublicClient } from 'viem';
import type { Address } from '../protocol/address.ts';
import type { MakerCall } from './maker-calls.ts';
import { countSchema } from './node-answers.ts';
import { type NodeClient, type NodeOptions, openNode, resultOf } from './node-client.ts';
import { revertReason } from './revert.ts';
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

/** Who looks what it would cost waits no longer for that, milliseconds: it may be an emergency. */
const DRY_RUN_MS = 2_000;

/**
 * An emergency offers so many times the base fee, which is enough for five full blocks: each raises it by an eighth, and an emergency is
 * sent when everybody sends. What is not needed is not paid.
 */
const BASE_FEES = 2n;

/** Today's fees, in the form the chain takes them; those of an emergency with more margin for a base fee that rises. */
export async function gasFees(client: PublicClient, urgent = false): Promise<GasFees> {
  const { baseFeePerGas } = await client.getBlock();
  if (baseFeePerGas === null) return { gasPrice: await client.getGasPrice() };
  const { maxFeePerGas, maxPriorityFeePerGas } = await client.estimateFeesPerGas();
  const most = BASE_FEES * baseFeePerGas + maxPriorityFeePerGas;
  return { maxFeePerGas: urgent && most > maxFeePerGas ? most : maxFeePerGas, maxPriorityFeePerGas };
}

/** The most that a unit of gas may cost, wei. */
export function perGasOf(fees: GasFees): bigint {
  return 'gasPrice' in fees ? fees.gasPrice : fees.maxFeePerGas;
}

/** What each call would cost from `from` with these fees, null where they are not known, in one question; nothing is sent. */
export async function estimateCalls(
  node: NodeClient,
  from: Address,
  calls: readonly MakerCall[],
  fees: GasFees | null,
): Promise<EstimatedCall[]> {
  const perGas = fees === null ? null : perGasOf(fees);
  const method = 'eth_estimateGas';
  // Not behind what waits: that may be the very call, which costs next to nothing once it is done, and is replaced by this one.
  const asked = calls.map(({ to, data }) => ({ method, params: [{ from, to, data }, 'latest'] }));
  const said = await node.ask(asked).catch((error: unknown) => ({ error }));
  return calls.map((call, index) => {
    const answer = Array.isArray(said) ? said[index] : undefined;
    try {
      if (!Array.isArray(said)) throw said.error;
      const estimated = BigInt(resultOf(node, method, answer, countSchema));
      const gas = estimated + (estimated * GAS_MARGIN_PERCENT) / 100n;
      return { ...call, gas, feeWei: perGas === null ? null : gas * perGas };
    } catch (error) {
      return { ...call, gas: null, feeWei: null, unestimated: { reverts: revertReason(answer) !== null, error } };
    }
  });
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
  urgent = false,
): Promise<EstimatedCall[]> {
  const node = openNode({ timeoutMs: DRY_RUN_MS, ...chain });
  try {
    const fees = gasFees(viemClient(node, chain.chainId), urgent).catch(() => null);
    const estimated = estimateCalls(node, maker, calls, null);
    const perGas = await fees.then((known) => (known === null ? null : perGasOf(known)));
    return (await estimated).map((call) => {
      return { ...call, feeWei: call.gas === null || perGas === null ? null : call.gas * perGas };
    });
  } finally {
    node.close();
  }
}
