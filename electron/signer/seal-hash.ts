import * as TypedData from 'ox/TypedData';
import type { Seal } from '../contract/seal.ts';
import type { Hex } from '../protocol/address.ts';
import type { Signable } from '../protocol/signable.ts';

/** What is signed of a seal. */
export type SealedHead = Pick<Seal, 'desk' | 'row' | 'hash' | 'time'>;

const DOMAIN = { name: 'Makerdesk journal seal', version: '1' } as const;
const TYPES = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
  ],
  JournalSeal: [
    { name: 'desk', type: 'bytes32' },
    { name: 'row', type: 'uint256' },
    { name: 'hash', type: 'bytes32' },
    { name: 'time', type: 'uint256' },
  ],
} as const;

/**
 * A seal as EIP-712 typed data, as wallets and other signers take it. Its domain names no chain and no contract, and its one type is
 * its own: no contract that checks orders, permits or intents for a domain of its own can take a seal for one of them, and the
 * desk signs nothing that a service gives it under a domain without a contract. It is no transaction and no plain message either:
 * what is hashed begins with 0x1901.
 */
export function sealTypedData({ desk, row, hash, time }: SealedHead) {
  const message = { desk, row: BigInt(row), hash, time: BigInt(time) };
  return { domain: DOMAIN, types: TYPES, primaryType: 'JournalSeal', message } as const;
}

/** The hash that the signature of a seal is over. */
export function sealHash(head: SealedHead): Hex {
  return TypedData.getSignPayload(sealTypedData(head));
}

/** A seal to be signed. */
export function sealToSign(head: SealedHead): Signable {
  const { domain, types, primaryType, message } = sealTypedData(head);
  const typedData = { domain, types: { JournalSeal: types.JournalSeal }, primaryType, message };
  return { hash: sealHash(head), whole: () => ({ typedData }) };
}
