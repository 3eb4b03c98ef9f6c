import { pbkdf2, scrypt } from 'node:crypto';
import type { Keystore } from 'ox/Keystore';
import type { Hex } from '../protocol/address.ts';
import type { StoredKeystore } from './keystore-form.ts';

/** Twice what a keystore may ask for. */
const MEMORY_LIMIT = 2 * 1024 ** 3;

/** How a key comes from a passphrase, as version 3 keystores say it. */
export type Derivation = Pick<StoredKeystore['crypto'], 'kdf' | 'kdfparams'>;

/**
 * The key that a passphrase gives. Parameters that Node's OpenSSL does not take (N of 2^18 with r of 1, which wallets do write)
 * go to the derivation in JavaScript, which is loaded only then.
 */
export async function deriveKey(derivation: Derivation, passphrase: string): Promise<Hex> {
  try {
    return await derivedByNode(derivation.kdfparams, passphrase);
  } catch {
    const { toKey } = await import('ox/Keystore');
    const cipherparams = { iv: '00'.repeat(16) };
    const crypto = { cipher: 'aes-128-ctr', ciphertext: '', cipherparams, mac: '', ...derivation } as const;
    const key = toKey({ crypto, id: '', version: 3 } as Keystore, { password: passphrase });
    return typeof key === 'function' ? key() : key;
  }
}

function derivedByNode(params: Derivation['kdfparams'], passphrase: string): Promise<Hex> {
  const salt = Buffer.from(params.salt, 'hex');
  const password = Buffer.from(passphrase, 'utf8');
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, key: Buffer) =>
      error === null ? resolve(`0x${key.toString('hex')}`) : reject(error);
    if ('c' in params) return pbkdf2(password, salt, params.c, 32, 'sha256', done);
    return scrypt(password, salt, 32, { N: params.n, r: params.r, p: params.p, maxmem: MEMORY_LIMIT }, done);
  });
}
