import { BaseError, type PublicClient } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { Address, Hex } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { AccountTurns } from './account-turns.ts';
import { wrongChain } from './chain-head.ts';
import { type EstimatedCall, estimateCalls, type GasFees, gasFees } from './estimate-calls.ts';
import type { MakerCall } from './maker-calls.ts';
import { openNode } from './node-client.ts';
import { faultReason } from './node-fault.ts';
import { viemClient } from './viem-client.ts';

interface SendOptions {
  rpcUrl: string;
  chainId: number;
  maker: Address;
  /** Of the maker. It is used here and kept nowhere. */
  privateKey: Hex;
  calls: readonly MakerCall[];
  /** Shared with whoever else sends from this account. Receipts are waited for outside the turn. */
  turns: AccountTurns;
  /** Told as soon as the node has taken a transaction; its receipt comes later. */
  onSent?: (call: MakerCall, transactionHash: Hex) => void;
  /** How long to wait for each receipt, milliseconds. */
  receiptTimeoutMs?: number;
}

type SentCall = EstimatedCall & {
  transactionHash: Hex | null;
  /** `sent`: the node took it and no receipt came in time, so it may still be mined. */
  outcome: 'confirmed' | 'failed' | 'sent';
  /** Why it failed or is still open. */
  reason: string | null;
};

/**
 * Sends every call from the maker's own account, all before waiting for the first receipt, since in an emergency each
 * second counts. A call that fails does not keep the others. Throws `wrong_key`, `node_wrong_chain`, `node_unreachable`.
 */
export async function sendCalls(options: SendOptions): Promise<SentCall[]> {
  const { rpcUrl, chainId, maker, privateKey, calls, turns, onSent, receiptTimeoutMs = 120_000 } = options;
  const account = privateKeyToAccount(privateKey);
  if (account.address.toLowerCase() !== maker) {
    throw new DeskError('wrong_key', `The key is of ${account.address.toLowerCase()}, not of the maker ${maker}.`, {
      remedy: 'Where the maker is a contract, hand the calldata to its owner.',
    });
  }
  const node = openNode({ rpcUrl });
  try {
    const client = viemClient(node, chainId);
    const unanswered = (error: unknown): never => {
      throw deskErrorIn(error) ?? new DeskError('node_refused', sentenceOf(error));
    };
    const actual = await client.getChainId().catch(unanswered);
    if (actual !== chainId) throw wrongChain(rpcUrl, chainId, actual);
    const sent = await turns.run(chainId, maker, async () => {
      const [fees, estimated, first] = await Promise.all([
        gasFees(client),
        estimateCalls(client, maker, calls),
        client.getTransactionCount({ address: maker, blockTag: 'pending' }),
      ]).catch(unanswered);
      const taken: SentCall[] = [];
      let nonce = first;
      for (const call of estimated) {
        const one = await sendOne(client, account, { call, nonce, fees, chainId });
        if (one.transactionHash !== null) {
          nonce += 1;
          onSent?.(call, one.transactionHash);
        }
        taken.push(one);
      }
      return taken;
    });
    return await Promise.all(sent.map((one) => withReceipt(client, one, receiptTimeoutMs)));
  } finally {
    node.close();
  }
}

/** Our own error that viem wrapped into its own, if there is one. */
function deskErrorIn(error: unknown): DeskError | null {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth++) {
    if (cause instanceof DeskError) return cause;
  }
  return null;
}

/** What viem says went wrong, without the address of the node. */
function sentenceOf(error: unknown): string {
  const ours = deskErrorIn(error);
  if (ours !== null) return faultReason(ours);
  if (error instanceof BaseError) return [error.shortMessage, error.details].filter(Boolean).join(' ').slice(0, 300);
  return error instanceof Error ? error.message.slice(0, 300) : String(error).slice(0, 300);
}

async function sendOne(
  client: PublicClient,
  account: PrivateKeyAccount,
  { call, nonce, fees, chainId }: { call: EstimatedCall; nonce: number; fees: GasFees; chainId: number },
): Promise<SentCall> {
  const failed = (reason: string): SentCall => ({ ...call, transactionHash: null, outcome: 'failed', reason });
  if (call.gas === null) return failed('The node refused to estimate it, so it would fail on chain.');
  const { to, data, gas } = call;
  const common = { chainId, nonce, to, data, gas };
  const signed =
    'gasPrice' in fees
      ? account.signTransaction({ type: 'legacy', ...common, ...fees })
      : account.signTransaction({ type: 'eip1559', ...common, ...fees });
  try {
    const transactionHash = await client.sendRawTransaction({ serializedTransaction: await signed });
    return { ...call, transactionHash, outcome: 'sent', reason: null };
  } catch (error) {
    return failed(sentenceOf(error));
  }
}

async function withReceipt(client: PublicClient, sent: SentCall, timeout: number): Promise<SentCall> {
  if (sent.transactionHash === null) return sent;
  try {
    const { status } = await client.waitForTransactionReceipt({ hash: sent.transactionHash, timeout });
    if (status === 'success') return { ...sent, outcome: 'confirmed' };
    return { ...sent, outcome: 'failed', reason: 'It was reverted on chain.' };
  } catch (error) {
    return { ...sent, reason: sentenceOf(error) };
  }
}
