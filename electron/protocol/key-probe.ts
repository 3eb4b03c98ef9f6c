import * as TypedData from 'ox/TypedData';
import type { Hex } from './address.ts';
import type { Signable } from './signable.ts';

const DOMAIN = { name: 'Makerdesk signer check', version: '1' } as const;
const TYPES = { SignerCheck: [{ name: 'random', type: 'bytes32' }] } as const;

/**
 * What a key is asked to sign to show that it signs. It is typed data, which any signer takes, under a domain without a chain or a
 * contract: nobody can use a signature of it for anything. `random` is 32 bytes, others each time.
 */
export function keyProbe(random: Hex): Signable {
  const typedData = { domain: DOMAIN, types: TYPES, primaryType: 'SignerCheck', message: { random } } as const;
  return { hash: TypedData.getSignPayload(typedData), whole: () => ({ typedData }) };
}
