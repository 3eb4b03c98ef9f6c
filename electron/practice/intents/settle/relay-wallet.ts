import { keccak256, type PublicClient } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Address, Hex } from '../../../protocol/address.ts';
import { SerialQueue } from '../../../protocol/serial-queue.ts';

/** Fixed, so that a transaction is one request. The practice chain asks for about 1 gwei. */
const FEES = { maxFeePerGas: 100_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
const GAS = 1_500_000n;

export interface RelayWallet {
  address: Address;
  /** Signs with the next nonce, has it kept, and only then hands it to the node; one after another. */
  send(call: { to: Address; data: Hex }, keep: (signed: { hash: Hex; raw: Hex }) => void): Promise<void>;
}

/** An account of the relayer or a solver on one chain. */
export function openRelayWallet(options: { client: PublicClient; chainId: number; key: Hex }): RelayWallet {
  const { client, chainId, key } = options;
  const account = privateKeyToAccount(key);
  const address = account.address.toLowerCase() as Address;
  const queue = new SerialQueue();
  return {
    address,
    send({ to, data }, keep) {
      return queue.run(async () => {
        const nonce = await client.getTransactionCount({ address, blockTag: 'pending' });
        const raw = await account.signTransaction({
          type: 'eip1559',
          chainId,
          nonce,
          to,
          data,
          gas: GAS,
          ...FEES,
        });
        keep({ hash: keccak256(raw), raw });
        await client.sendRawTransaction({ serializedTransaction: raw });
      });
    },
  };
}
