import { passphraseKey } from './passphrase-key.ts';

/** Costly, so that nobody guesses from this one what the passphrase of the keystore is. */
const COST = 131_072;
const SALT = Buffer.from('makerdesk surfaces').toString('hex');

/**
 * The passphrase of a desk's surfaces, which follows from that of its keystore: 64 hex digits. It opens what the desk seals for its
 * surfaces, and nothing else; the passphrase of the keystore cannot be had from it.
 */
export async function surfacesPassphrase(passphrase: string): Promise<string> {
  const kdfparams = { dklen: 32, n: COST, r: 8, p: 1, salt: SALT } as const;
  return (await passphraseKey({ kdf: 'scrypt', kdfparams }, passphrase)).slice(2);
}
