import type { TransactionReceipt } from 'viem';
import { z } from 'zod';
import { MAX_REORG_BLOCKS } from '../../../chain/forks.ts';
import { blockHeaderSchema, countSchema, toQuantity } from '../../../chain/node-answers.ts';
import { resultOf } from '../../../chain/node-client.ts';
import { isOverload } from '../../../chain/node-fault.ts';
import { feeOf } from '../../../chain/transaction-fee.ts';
import type { Hex } from '../../../protocol/address.ts';
import { DeskError } from '../../../protocol/desk-error.ts';
import { isNative, NATIVE_TOKEN } from '../../../protocol/route-token.ts';
import { type HedgeNode, readBalance, receiptOf } from '../../hedge-node.ts';
import { chainOf } from '../../hedge-parts.ts';
import type { HedgeRun } from '../../hedge-run.ts';
import { movedBeside } from '../../moved-tokens.ts';

/** What the swap moved, by the receipt's Transfer logs; of the native asset by the balances around its block. */
export async function swapAmounts(
  run: Pick<HedgeRun, 'parts' | 'log' | 'seq' | 'node'>,
  receipt: TransactionReceipt,
): Promise<{ spent: bigint; received: bigint }> {
  const { logs, blockNumber } = receipt;
  const { chainId, maker, src, dest, beneficiary } = run.log.running(run.seq).opened;
  const chain = run.node(chainId);
  const { rfqContract } = chainOf(run.parts, chainId).config;
  const receiver = beneficiary ?? maker;
  const nativeMoved = async (account: Hex) => {
    const [before, after] = await Promise.all([
      readBalance(chain, NATIVE_TOKEN, account, blockNumber - 1n),
      readBalance(chain, NATIVE_TOKEN, account, blockNumber),
    ]);
    return after - before + (account === maker ? await ownCosts(chain, receipt, maker) : 0n);
  };
  const moved = (token: Hex, account: Hex) =>
    isNative(token) ? nativeMoved(account) : Promise.resolve(movedBeside(rfqContract, logs, token, account));
  const [spent, received] = await Promise.all([moved(src.address, maker), moved(dest.address, receiver)]);
  return { spent: -spent, received };
}

/**
 * The same of the swap that a hedge sent itself. Where the node answers and has dropped the balances around a block that is final, they
 * never come back: then a native end counts as it was tried or built, and `isGuess` says so. Throws what the node throws.
 */
export async function sentAmounts(
  run: Pick<HedgeRun, 'parts' | 'log' | 'seq' | 'node'>,
  receipt: TransactionReceipt,
): Promise<{ spent: bigint; received: bigint; isGuess: boolean }> {
  try {
    return { ...(await swapAmounts(run, receipt)), isGuess: false };
  } catch (error) {
    const { chainId, maker, src, dest, beneficiary } = run.log.running(run.seq).opened;
    const receiver = beneficiary ?? maker;
    const account = isNative(src.address) ? maker : isNative(dest.address) ? receiver : null;
    const built = await run.log.last(run.seq, 'swap_built');
    if (built === null || account === null) throw error;
    if (!(await hasDropped(run.node(chainId), receipt, account).catch(() => false))) throw error;
    const tried = await run.log.last(run.seq, 'swap_simulated');
    const { rfqContract } = chainOf(run.parts, chainId).config;
    const moved = (token: Hex, owner: Hex) => movedBeside(rfqContract, receipt.logs, token, owner);
    const spent = isNative(src.address) ? BigInt(built.most) : -moved(src.address, maker);
    const said = BigInt(tried?.received ?? built.least);
    return { spent, received: isNative(dest.address) ? said : moved(dest.address, receiver), isGuess: true };
  }
}

/**
 * Whether the node has the block of a receipt, final, and the account's balance of now, and answers that it has none of around that
 * block: one that is away, asked too often or behind says something else. Throws DeskError of the node.
 */
async function hasDropped(
  { node }: HedgeNode,
  { blockNumber, blockHash }: TransactionReceipt,
  account: Hex,
): Promise<boolean> {
  const at = Number(blockNumber);
  const balance = (block: string) => ({ method: 'eth_getBalance', params: [account, block] });
  const [header, newest, now, ...around] = await node.ask([
    { method: 'eth_getBlockByNumber', params: [toQuantity(at), false] },
    { method: 'eth_blockNumber', params: [] },
    balance('latest'),
    balance(toQuantity(at - 1)),
    balance(toQuantity(at)),
  ]);
  resultOf(node, 'eth_getBalance', now, z.string());
  const { hash } = resultOf(node, 'eth_getBlockByNumber', header, blockHeaderSchema);
  const isFinal = resultOf(node, 'eth_blockNumber', newest, countSchema) - at > MAX_REORG_BLOCKS;
  return isFinal && hash === blockHash && around.some((answer) => !answer.ok && !isOverload(answer.error));
}

/** What the maker paid in the block of a receipt beside that swap: gas, and what other transactions of theirs sent along. */
async function ownCosts({ client, ...chain }: HedgeNode, receipt: TransactionReceipt, maker: Hex): Promise<bigint> {
  const { transactions } = await client.getBlock({ blockHash: receipt.blockHash, includeTransactions: true });
  // Whose wallet is a contract does not pay the gas itself.
  let costs = receipt.from.toLowerCase() === maker ? feeOf(receipt) : 0n;
  for (const { from, hash, to, value } of transactions) {
    if (hash === receipt.transactionHash) continue;
    if (to?.toLowerCase() === maker) costs -= value;
    if (from.toLowerCase() !== maker) continue;
    const other = await receiptOf({ client, ...chain }, hash);
    if (other === null)
      throw new DeskError('node_behind', `The node has no receipt of ${hash}, which it has in a block.`);
    costs += feeOf(other) + (other.status === 'success' ? value : 0n);
  }
  return costs;
}
