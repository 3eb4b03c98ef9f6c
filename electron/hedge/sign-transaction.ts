import { keccak256, parseSignature, serializeTransaction, type TransactionSerializable } from 'viem';
import type { GasFees } from '../chain/estimate-calls.ts';
import type { Hex } from '../protocol/address.ts';
import { type ToSign, typedDataHash } from '../protocol/typed-data.ts';
import type { Signer } from '../signer/signer.ts';
import type { HedgeCall } from './hedge-node.ts';

/** A transaction signed by the held key: its bytes, and the hash by which the chain will know it. */
export function signTransaction(
  signer: Signer,
  { chainId, nonce, gas, fees, ...call }: HedgeCall & { chainId: number; nonce: number; gas: bigint; fees: GasFees },
): { hash: Hex; raw: Hex } {
  const common = { chainId, nonce, gas, ...call };
  const transaction: TransactionSerializable =
    'gasPrice' in fees ? { type: 'legacy', ...common, ...fees } : { type: 'eip1559', ...common, ...fees };
  const signature = signer.sign(keccak256(serializeTransaction(transaction)));
  const raw = serializeTransaction(transaction, parseSignature(signature));
  return { hash: keccak256(raw), raw };
}

/** A signature of 65 bytes over typed data. */
export function signTypedData(signer: Signer, toSign: ToSign): Hex {
  return signer.sign(typedDataHash(toSign));
}
