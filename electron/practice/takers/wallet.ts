import type { PublicClient } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Address, Hex } from '../../protocol/address.ts';
import { SerialQueue } from '../../protocol/serial-queue.ts';

/** Fixed, so that a transaction is one request. The practice chain asks for about 1 gwei. */
const FEES = { maxFeePerGas: 100_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };

export interface Wallet {
  address: Address;
  /** Signs with the next nonce and hands the transaction to the node; does not wait for its block. @throws what the node says */
  send(call: { to: Address; data: Hex; gas: bigint }): Promise<Hex>;
  /** The node is asked for the next nonce: the chain is another, or a transaction was lost. */
  forgetNonce(): void;
}

/** A user's account: many transactions may go into one block, one after the other in the order of the calls. */
export function openWallet(options: { client: PublicClient; chainId: number; privateKey: Hex }): Wallet {
  const { client, chainId, privateKey } = options;
  const account = privateKeyToAccount(privateKey);
  const address = account.address.toLowerCase() as Address;
  let next: number | null = null;
  const queue = new SerialQueue();

  async function sendNow(call: { to: Address; data: Hex; gas: bigint }): Promise<Hex> {
    const nonce = next ?? (await client.getTransactionCount({ address, blockTag: 'pending' }));
    // Until the node has taken it nothing follows on it: whatever goes wrong, the node is asked again.
    next = null;
    const transaction = { type: 'eip1559' as const, chainId, nonce, ...call, ...FEES };
    const serializedTransaction = await account.signTransaction(transaction);
    const hash = await client.sendRawTransaction({ serializedTransaction });
    next = nonce + 1;
    return hash;
  }

  return {
    address,
    send(call) {
      return queue.run(() => sendNow(call));
    },
    forgetNonce() {
      void queue.run(() => {
        next = null;
      });
    },
  };
}
