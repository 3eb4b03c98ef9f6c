import { keccak256, parseSignature, serializeTransaction, type TransactionSerializable, toHex } from 'viem';
import type { Address, Hex } from '../protocol/address.ts';
import type { TransactionToSign } from '../protocol/signable.ts';
import type { Signer } from '../signer/signer.ts';
import type { GasFees } from './estimate-calls.ts';

interface Unsigned {
  chainId: number;
  nonce: number;
  to: Address;
  data: Hex;
  value?: bigint;
  gas: bigint;
  fees: GasFees;
}

/** A transaction signed by the held key: its bytes, and the hash by which the chain will know it. Rejects as the signer does. */
export async function signTransaction(
  signer: Signer,
  { chainId, nonce, gas, fees, ...call }: Unsigned,
): Promise<{ hash: Hex; raw: Hex }> {
  const common = { chainId, nonce, gas, ...call };
  const transaction: TransactionSerializable =
    'gasPrice' in fees ? { type: 'legacy', ...common, ...fees } : { type: 'eip1559', ...common, ...fees };
  const whole = (): { transaction: TransactionToSign } => {
    const { to, data, value = 0n } = call;
    const quantities = { chainId, nonce, gas, value, ...fees };
    const asHex = Object.entries(quantities).map(([name, quantity]) => [name, toHex(quantity ?? 0n)]);
    return { transaction: { from: signer.address, to, data, ...Object.fromEntries(asHex) } };
  };
  const signature = await signer.sign({ hash: keccak256(serializeTransaction(transaction)), whole });
  const raw = serializeTransaction(transaction, parseSignature(signature));
  return { hash: keccak256(raw), raw };
}
