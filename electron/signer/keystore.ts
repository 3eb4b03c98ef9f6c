import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as Keystore from 'ox/Keystore';
import type { Address, Hex } from '../protocol/address.ts';
import { DeskError, isDeskError } from '../protocol/desk-error.ts';
import { badKeystore, parseKeystore, type StoredKeystore } from './keystore-form.ts';
import { passphraseKey } from './passphrase-key.ts';
import { createPrivateFile } from './private-file.ts';
import { openSealedText } from './sealed-text.ts';
import { readSealedSecrets } from './secrets-file.ts';
import { type LocalSigner, openSigner } from './signer.ts';

export const KEYSTORE_FILE = 'keystore.json';
/** What geth writes: about a second and 256 MiB. */
const SCRYPT_COST = 262_144;
/** The scrypt cost N of a keystore that is written; a power of two. */
interface WriteCost {
  scryptCost?: number;
}

/**
 * Makes a new random key and writes it to `keystore.json` (0600) under the passphrase. The answer is its address.
 * Throws DeskError `keystore_exists` when there is one already, or another came first: a key is never overwritten; `wrong_passphrase`
 * where the secrets of the folder are sealed under another one.
 */
export function createKeystore(
  folder: string,
  passphrase: string,
  randomBytes: (size: number) => Buffer,
  cost: WriteCost = {},
): Promise<Address> {
  return storeKey(folder, passphrase, `0x${randomBytes(32).toString('hex')}`, randomBytes, cost);
}

/** Writes a key that the caller holds to `keystore.json`, as `createKeystore` does. */
export async function storeKey(
  folder: string,
  passphrase: string,
  privateKey: Hex,
  randomBytes: (size: number) => Buffer,
  cost: WriteCost = {},
): Promise<Address> {
  const { address } = openSigner(privateKey);
  if (passphrase === '') throw new DeskError('no_passphrase', 'A key is not stored under an empty passphrase.');
  await refuseToOverwrite(folder);
  await expectOpensSecrets(folder, passphrase);
  const salt = randomBytes(32).toString('hex');
  const derivation = {
    kdf: 'scrypt',
    kdfparams: { dklen: 32, n: cost.scryptCost ?? SCRYPT_COST, r: 8, p: 1, salt },
  } as const;
  const key = await passphraseKey(derivation, passphrase);
  const keystore = Keystore.encrypt(privateKey, key, { ...derivation, iv: Uint8Array.from(randomBytes(16)) });
  await writeKeystore(folder, address, keystore);
  return address;
}

/**
 * Takes a version 3 keystore over into the folder, once the passphrase has opened it, and the secrets there; it keeps that passphrase.
 * Throws DeskError `keystore_exists`, `no_keystore`, `bad_keystore` or `wrong_passphrase`.
 */
export async function importKeystore(folder: string, file: string, passphrase: string): Promise<Address> {
  const keystore = parseKeystore(await readKeystoreText(file));
  await refuseToOverwrite(folder);
  const { address } = openSigner(await decrypt(keystore, passphrase));
  await expectOpensSecrets(folder, passphrase);
  await writeKeystore(folder, address, keystore);
  return address;
}

/**
 * Takes the key of another keystore file over, given as its text, and seals it anew under the folder's own passphrase: into a folder
 * without a key, as all that writes one. Throws as `importKeystore` does; the file's passphrase is told by `wrong_passphrase`.
 */
export async function resealKeystore(
  folder: string,
  passphrase: string,
  file: { text: string; passphrase: string },
  randomBytes: (size: number) => Buffer,
  cost: WriteCost = {},
): Promise<Address> {
  await refuseToOverwrite(folder);
  const privateKey = await decrypt(parseKeystore(file.text), file.passphrase);
  return storeKey(folder, passphrase, privateKey, randomBytes, cost);
}

/**
 * That the passphrase is the one of the key in the folder, where there is one; it takes as long as to open the key. Throws DeskError
 * `wrong_passphrase`, `bad_keystore`, or `no_keystore` where it cannot be read.
 */
export async function expectOpensKey(folder: string, passphrase: string): Promise<void> {
  if (existsSync(join(folder, KEYSTORE_FILE))) await openKeystore(folder, passphrase);
}

/** That a keystore, given as its text, is one that the passphrase opens. Throws DeskError `bad_keystore` or `wrong_passphrase`. */
export async function expectKeystore(text: string, passphrase: string): Promise<void> {
  await decrypt(parseKeystore(text), passphrase);
}

/** The private key in `keystore.json`. Throws DeskError `no_keystore`, `bad_keystore` or `wrong_passphrase`. */
export async function openKeystore(folder: string, passphrase: string): Promise<Hex> {
  return decrypt(parseKeystore(await readKeystoreText(join(folder, KEYSTORE_FILE))), passphrase);
}

/**
 * The signer of the key in `keystore.json`; its bytes are nowhere but there, to be forgotten with it. Throws as `openKeystore` does,
 * and as `openSigner` does.
 */
export async function openKeystoreSigner(folder: string, passphrase: string): Promise<LocalSigner> {
  const keystore = parseKeystore(await readKeystoreText(join(folder, KEYSTORE_FILE)));
  const key = await passphraseKey(keystore.crypto, passphrase);
  const bytes = opened(() => Keystore.decrypt(keystore, key, { as: 'Bytes' }));
  try {
    return openSigner(bytes);
  } finally {
    bytes.fill(0);
  }
}

/** The address of the key in `keystore.json`, read without its passphrase. Throws DeskError `no_keystore` or `bad_keystore`. */
export async function keystoreAddress(folder: string): Promise<Address> {
  const { address } = parseKeystore(await readKeystoreText(join(folder, KEYSTORE_FILE)));
  if (address === undefined) throw badKeystore('it does not say whose it is');
  return `0x${address.toLowerCase()}`;
}

/** Wallets may leave the address out; ours always says it, so that nobody needs the passphrase to see whose key it is. */
async function writeKeystore(folder: string, address: Address, keystore: Keystore.Keystore): Promise<void> {
  const file = { ...keystore, address: address.slice(2) };
  try {
    await createPrivateFile(join(folder, KEYSTORE_FILE), `${JSON.stringify(file, null, 2)}\n`);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? keystoreExists(folder) : error;
  }
}

/** Asked before the second of work that a key takes. One that comes meanwhile is kept too: `writeKeystore` puts none in its place. */
async function refuseToOverwrite(folder: string): Promise<void> {
  try {
    await readFile(join(folder, KEYSTORE_FILE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
  }
  throw keystoreExists(folder);
}

function keystoreExists(folder: string): DeskError {
  return new DeskError('keystore_exists', `There is a key in ${join(folder, KEYSTORE_FILE)} already.`, {
    remedy: 'Move that file to a safe place first; it is never overwritten.',
  });
}

/** The key and the secrets of a desk have one passphrase, which is all that it is asked for when it starts. */
async function expectOpensSecrets(folder: string, passphrase: string): Promise<void> {
  const sealed = await readSealedSecrets(folder);
  if (sealed === null) return;
  try {
    await openSealedText(sealed, passphrase);
  } catch (cause) {
    if (!isDeskError(cause, 'wrong_passphrase')) throw cause;
    throw new DeskError('wrong_passphrase', 'The secrets in this folder are sealed under another passphrase.', {
      remedy:
        'A key and the secrets beside it have one passphrase: give that of the secrets, or bring a keystore that has it. Where nobody knows it any more, move secrets.json out of the folder, and bring the secrets again with "makerdesk import".',
      cause,
    });
  }
}

async function readKeystoreText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new DeskError('no_keystore', `There is no key at ${file} that can be read.`, {
      remedy: 'Make one with "makerdesk key new", or bring one with "makerdesk key import --keystore FILE".',
      cause,
    });
  }
}

async function decrypt(keystore: StoredKeystore, passphrase: string): Promise<Hex> {
  const key = await passphraseKey(keystore.crypto, passphrase);
  return opened(() => Keystore.decrypt(keystore, key));
}

function opened<T>(decrypted: () => T): T {
  try {
    return decrypted();
  } catch {
    throw new DeskError('wrong_passphrase', 'The passphrase does not open this keystore.', {
      remedy: 'Give the passphrase the key was stored under.',
    });
  }
}
