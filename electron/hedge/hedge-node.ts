import { BaseError, type PublicClient, type TransactionReceipt } from 'viem';
import { approveCall } from '../chain/allowance.ts';
import { ERC20_ABI } from '../chain/erc20-abi.ts';
import { type GasFees, gasFees } from '../chain/estimate-calls.ts';
import { type NodeClient, openNode } from '../chain/node-client.ts';
import { wrongChain } from '../chain/node-fault.ts';
import { revertedIn } from '../chain/revert.ts';
import { viemClient } from '../chain/viem-client.ts';
import type { Address, Hex } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { isNative } from '../protocol/route-token.ts';

/** A call that is to be signed. `value` is wei. */
export interface HedgeCall {
  to: Address;
  data: Hex;
  value: bigint;
}

/** A chain as hedging reads it and sends to it, on a connection of its own. */
export interface HedgeNode {
  readonly chainId: number;
  readonly node: NodeClient;
  readonly client: PublicClient;
}

export function openHedgeNode(rpcUrl: string, chainId: number): HedgeNode {
  const node = openNode({ rpcUrl });
  return { chainId, node, client: viemClient(node, chainId) };
}

/** Throws DeskError `node_wrong_chain`: nothing is signed for a node of another chain. */
export async function expectChain({ client, node, chainId }: HedgeNode): Promise<void> {
  const actual = await client.getChainId();
  if (actual !== chainId) throw wrongChain(node.rpcUrl, chainId, actual);
}

export function readBalance(
  { client }: HedgeNode,
  token: Address,
  owner: Address,
  blockNumber?: bigint,
): Promise<bigint> {
  if (isNative(token)) return client.getBalance({ address: owner, ...(blockNumber !== undefined && { blockNumber }) });
  return client.readContract({ abi: ERC20_ABI, address: token, functionName: 'balanceOf', args: [owner] });
}

/** The call that lets a spender take so much, raw units. */
export function approval(token: Address, spender: Address, amount: bigint): HedgeCall {
  const { to, data } = approveCall(token, spender, amount);
  return { to, data, value: 0n };
}

/** What it costs more to write into a place that is empty: a swap on its way may empty the allowance that an approval was estimated on. */
const EMPTY_PLACE_GAS = 20_000n;

/** Gas with a margin, and what a unit of it may cost. Throws DeskError `would_fail` with the chain's reason. */
export async function priceCall(
  { client }: HedgeNode,
  from: Address,
  call: HedgeCall,
): Promise<{ gas: bigint; fees: GasFees; perGas: bigint }> {
  const [gas, fees] = await Promise.all([
    client.estimateGas({ account: from, ...call }).catch((error: unknown) => {
      throw wouldFail(error);
    }),
    gasFees(client),
  ]);
  const perGas = 'gasPrice' in fees ? fees.gasPrice : fees.maxFeePerGas;
  return { gas: gas + gas / 5n + EMPTY_PLACE_GAS, fees, perGas };
}

/** What the chain says of a call that would fail, in one sentence; the node's own faults stay as they are. */
export function wouldFail(error: unknown): DeskError {
  const reverted = revertedIn(error);
  if (reverted !== null) return failing(reverted.reason === '' ? 'it reverts without a reason' : reverted.reason);
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth += 1) {
    if (cause instanceof DeskError) return cause;
  }
  const said =
    error instanceof BaseError ? [error.shortMessage, error.details].filter(Boolean).join(' ') : String(error);
  return failing(said);
}

function failing(said: string): DeskError {
  const words = said.replaceAll(/\s+/g, ' ').slice(0, 300).replace(/\.$/, '');
  return new DeskError('would_fail', `On the chain as it is now it would fail: ${words}.`, {
    remedy: 'Nothing was signed.',
  });
}

/** The receipt, or null while the chain has none. */
export async function receiptOf({ client }: HedgeNode, hash: Hex): Promise<TransactionReceipt | null> {
  try {
    return await client.getTransactionReceipt({ hash });
  } catch (error) {
    if (error instanceof BaseError && error.name === 'TransactionReceiptNotFoundError') return null;
    throw error;
  }
}

/** The receipt of whichever of these transactions the chain has, or null while it has none. */
export async function anyReceipt(chain: HedgeNode, hashes: readonly string[]): Promise<TransactionReceipt | null> {
  for (const hash of hashes) {
    const receipt = await receiptOf(chain, hash as Hex);
    if (receipt !== null) return receipt;
  }
  return null;
}
