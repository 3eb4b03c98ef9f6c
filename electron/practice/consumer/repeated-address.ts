import type { Address } from '../../protocol/address.ts';

/** What is wrong with a list of addresses that names one twice (PROTOCOL 2.6, blacklist), or null. */
export function repeatedAddress(addresses: readonly Address[]): string | null {
  const seen = new Set<Address>();
  for (const address of addresses) {
    if (seen.has(address)) return `blacklist: ${address} is in it twice`;
    seen.add(address);
  }
  return null;
}
