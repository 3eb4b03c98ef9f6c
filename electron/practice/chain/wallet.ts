import { keccak256, type PublicClient } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Address, Hex } from '../../protocol/address.ts';
import { SerialQueue } from '../../protocol/serial-queue.ts';
import { FEES } from './sender.ts';

export interface Wallet {
  address: Address;
  /**
   * Signs with the next nonce, has it kept, and hands the transaction to the node; does not wait for its block.
   * @throws what `keep` throws, and what the node says
   */
  send(call: Call, keep?: (signed: { hash: Hex; raw: Hex }) => void): Promise<Hex>;
  /** The node is asked for the next nonce: the chain is another, or a transaction was lost. */
  forgetNonce(): void;
}

interface Call {
  to: Address;
  data: Hex;
  gas: bigint;
}

/** The account of a user, a solver or the relayer: many transactions may go into one block, one after the other in the order of the calls. */
export function openWallet(options: { client: PublicClient; chainId: number; privateKey: Hex }): Wallet {
  const { client, chainId, privateKey } = options;
  const account = privateKeyToAccount(privateKey);
  const address = account.address.toLowerCase() as Address;
  let next: number | null = null;
  const queue = new SerialQueue();

  async function sendNow(call: Call, keep: (signed: { hash: Hex; raw: Hex }) => void): Promise<Hex> {
    const nonce = next ?? (await client.getTransactionCount({ address, blockTag: 'pending' }));
    // Until the node has taken it nothing follows on it: whatever goes wrong, the node is asked again.
    next = null;
    const transaction = { type: 'eip1559' as const, chainId, nonce, ...call, ...FEES };
    const raw = await account.signTransaction(transaction);
    keep({ hash: keccak256(raw), raw });
    const hash = await client.sendRawTransaction({ serializedTransaction: raw });
    next = nonce + 1;
    return hash;
  }

  return {
    address,
    send: (call, keep = () => {}) => queue.run(() => sendNow(call, keep)),
    forgetNonce() {
      void queue.run(() => {
        next = null;
      });
    },
  };
}
