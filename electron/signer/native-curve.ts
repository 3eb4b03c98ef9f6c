import { createRequire } from 'node:module';
import type * as Secp256k1 from 'secp256k1';
import type { Curve } from './curve.ts';

/**
 * libsecp256k1 as a native module: about ten times as fast as JavaScript. Its binding is loaded by name, because the
 * package's own entry falls back to a JavaScript library that is not constant-time. Null where it cannot be loaded.
 */
export function loadNativeCurve(): Curve | null {
  let native: typeof Secp256k1;
  try {
    native = createRequire(import.meta.url)('secp256k1/bindings.js');
  } catch {
    return null;
  }
  return {
    name: 'native',
    publicKey: (privateKey) => native.publicKeyCreate(privateKey, false),
    sign(hash, privateKey) {
      const { signature, recid } = native.ecdsaSign(hash, privateKey);
      return { signature, recovery: recid };
    },
    recover: (hash, signature, recovery) => native.ecdsaRecover(signature, recovery, hash, false),
  };
}
