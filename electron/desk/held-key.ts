import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Hex } from '../protocol/address.ts';
import { storeKey } from '../signer/keystore.ts';

/** Cheap to open: the practice key protects nothing. */
const PRACTICE_SCRYPT_COST = 4_096;

/** Gives the folder a key that the caller made, unless it has one. */
export async function storeHeldKey(folder: string, passphrase: string, privateKey: Hex): Promise<void> {
  if (existsSync(join(folder, 'keystore.json'))) return;
  await storeKey(folder, passphrase, privateKey, randomBytes, { scryptCost: PRACTICE_SCRYPT_COST });
}
