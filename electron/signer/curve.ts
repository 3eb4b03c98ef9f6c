/**
 * The three operations of secp256k1 that signing needs. Public keys are 65 bytes (uncompressed), signatures 64 bytes
 * (r, s; s in the lower half), hashes and private keys 32.
 */
export interface Curve {
  readonly name: 'native' | 'portable';
  publicKey(privateKey: Uint8Array): Uint8Array;
  sign(hash: Uint8Array, privateKey: Uint8Array): { signature: Uint8Array; recovery: number };
  recover(hash: Uint8Array, signature: Uint8Array, recovery: number): Uint8Array;
}
