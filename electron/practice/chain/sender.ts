import {
  createPublicClient,
  encodeDeployData,
  http,
  type PublicClient,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Address, Hex } from '../../protocol/address.ts';
import { DeskError } from '../../protocol/desk-error.ts';
import { SerialQueue } from '../../protocol/serial-queue.ts';
import { pause } from '../../time/pause.ts';
import { PRACTICE_CHAIN_ID } from './anvil.ts';
import type { Artifact } from './artifacts.ts';

/** Wei for a unit of gas, more than which nobody of the market pays. */
export const MOST_FEE = 100_000_000_000n;
/** Fixed, so that a write is one request: the practice chain asks for about 1 gwei and has blocks of 30 M gas. */
export const FEES = { maxFeePerGas: MOST_FEE, maxPriorityFeePerGas: 1_000_000_000n };

/** As little as serves: a block takes only as many transactions as their limits, not their needs, leave room for. */
const CALL_GAS = 500_000n;
const DEPLOYMENT_GAS = 6_000_000n;

const MINED_WITHIN_MS = 20_000;
/** A node that mines at once has the receipt at the first look; one that mines every second is asked ever more seldom. */
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 160;

interface Call {
  /** Null deploys. */
  to: Address | null;
  data: Hex;
  gas?: bigint;
}

export interface Sender {
  address: Address;
  client: PublicClient;
  /** Signs with the next nonce and hands the transaction to the node; does not wait for its block. */
  send(call: Call): Promise<Hex>;
  /** Waits for its block, until the signal. @throws DeskError `transaction_reverted`, `transaction_lost`, or what the node says when it is away */
  mined(hash: Hex, signal?: AbortSignal): Promise<TransactionReceipt>;
  /** Deploys and gives the address, once it is in a block. */
  deploy(artifact: Artifact, args: readonly unknown[]): Promise<Address>;
}

export function openClient(rpcUrl: string): PublicClient {
  return createPublicClient({
    // What is asked at one moment goes out as one request.
    transport: http(rpcUrl, { batch: true, retryCount: 0, timeout: 30_000 }),
    pollingInterval: 100,
    cacheTime: 0,
  });
}

/** An account that writes to the practice chain and counts its own nonces, so that many writes can be on their way. */
export function openSender(rpcUrl: string, privateKey: Hex, chainId = PRACTICE_CHAIN_ID): Sender {
  const account = privateKeyToAccount(privateKey);
  const client = openClient(rpcUrl);
  const address = account.address.toLowerCase() as Address;
  const queue = new SerialQueue();
  let next: number | null = null;
  let waiting = 0;

  /** Counts on from the last one while others wait, else asks the node, which may have been begun anew. */
  async function sendNow({ to, data, gas = CALL_GAS }: Call): Promise<Hex> {
    const nonce = next ?? (await client.getTransactionCount({ address, blockTag: 'pending' }));
    next = null;
    const transaction = { type: 'eip1559' as const, chainId, nonce, to, data, gas, ...FEES };
    const serializedTransaction = await account.signTransaction(transaction);
    const hash = await client.sendRawTransaction({ serializedTransaction });
    if (waiting > 1) next = nonce + 1;
    return hash;
  }

  /** One after the other: a node that mines at once does not look again at what came before its turn. */
  function send(call: Call): Promise<Hex> {
    waiting += 1;
    return queue.run(() =>
      sendNow(call).finally(() => {
        waiting -= 1;
      }),
    );
  }

  async function mined(hash: Hex, signal?: AbortSignal): Promise<TransactionReceipt> {
    let pauseMs = FIRST_PAUSE_MS;
    for (let waited = 0; waited < MINED_WITHIN_MS && !signal?.aborted; waited += pauseMs) {
      const receipt = await client.getTransactionReceipt({ hash }).catch(unlessUnknown);
      if (receipt?.status === 'success') return receipt;
      if (receipt !== null)
        throw new DeskError('transaction_reverted', `Transaction ${hash} was reverted on the practice chain.`);
      await pause(pauseMs);
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }
    throw new DeskError('transaction_lost', `Transaction ${hash} came into no block of the practice chain.`);
  }

  async function deploy({ contract, abi, bytecode }: Artifact, args: readonly unknown[]): Promise<Address> {
    const data = encodeDeployData({ abi, bytecode, args });
    const { contractAddress } = await mined(await send({ to: null, data, gas: DEPLOYMENT_GAS }));
    if (contractAddress) return contractAddress.toLowerCase() as Address;
    throw new DeskError('deployment_failed', `The contract ${contract} could not be deployed on the practice chain.`);
  }

  return { address, client, send, mined, deploy };
}

/** Null for a transaction that the node does not know; what else it says is thrown. */
export function unlessUnknown(error: unknown): null {
  if (error instanceof TransactionReceiptNotFoundError) return null;
  throw error;
}
