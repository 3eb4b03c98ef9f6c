import type { Hex } from '../protocol/address.ts';
import { type Derivation, deriveKey } from './derive-key.ts';
import { deriveInThread } from './key-derivation.ts';

/** What costs no more than this, as N × r × p, takes some milliseconds: less than to start a thread. */
const CHEAP = 32_768;

/**
 * The key that a passphrase gives. What takes long is done in a thread of its own: the desk halts, quotes and is heard
 * meanwhile. (Where Node runs inside Electron, even its asynchronous `scrypt` does the whole work once before it returns.)
 */
export function passphraseKey(derivation: Derivation, passphrase: string): Promise<Hex> {
  const { kdfparams } = derivation;
  if ('n' in kdfparams && kdfparams.n * kdfparams.r * kdfparams.p <= CHEAP) return deriveKey(derivation, passphrase);
  return deriveInThread({ derivation, passphrase });
}
