import { randomBytes } from 'node:crypto';
import type { Hex } from '../protocol/address.ts';
import { isDeskError } from '../protocol/desk-error.ts';
import { keystoreAddress, storeKey } from '../signer/keystore.ts';
import { openSigner } from '../signer/signer.ts';

/** Cheap to open: the practice key protects nothing. */
const PRACTICE_SCRYPT_COST = 4_096;

/** Gives the folder a key that the caller made, unless it has one. Returns whether it is this one that it has. */
export async function storeHeldKey(folder: string, passphrase: string, privateKey: Hex): Promise<boolean> {
  try {
    await storeKey(folder, passphrase, privateKey, randomBytes, { scryptCost: PRACTICE_SCRYPT_COST });
    return true;
  } catch (error) {
    if (!isDeskError(error, 'keystore_exists')) throw error;
    return (await keystoreAddress(folder)) === openSigner(privateKey).address;
  }
}
