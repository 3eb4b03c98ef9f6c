import type { Address, Hex } from './address.ts';

/** EIP-712 typed data, its domain's own type left out: that follows from the fields the domain has. */
export interface TypedData {
  readonly domain: Readonly<Record<string, unknown>>;
  readonly types: Readonly<Record<string, readonly { name: string; type: string }[]>>;
  readonly primaryType: string;
  readonly message: Readonly<Record<string, unknown>>;
}

/** A transaction as JSON-RPC writes it: quantities as hex without leading zeros. */
export type TransactionToSign = Readonly<{ from: Address } & Record<string, unknown>>;

/**
 * What a key is to sign: the hash that the signature is over, and the whole of it for a key elsewhere, which hashes by itself and
 * whose keeper may want to see what it is. The whole is made when it is asked for.
 */
export interface Signable {
  readonly hash: Hex;
  readonly whole: () => { readonly typedData: TypedData } | { readonly transaction: TransactionToSign };
}
