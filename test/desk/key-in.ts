import { randomBytes } from 'node:crypto';
import type { Address } from '../../electron/protocol/address.ts';
import { createKeystore } from '../../electron/signer/keystore.ts';
import { PASSPHRASE } from './desk-process.ts';

/** Gives a folder a new key that costs next to nothing to open, where how it is made and opened is not what is tried. */
export function keyIn(folder: string): Promise<Address> {
  return createKeystore(folder, PASSPHRASE, randomBytes, { scryptCost: 2 });
}
