import { BlockList, isIP } from 'node:net';

/** Addresses and networks, of either version. */
export class Networks {
  readonly #list = new BlockList();

  /** `entries`: as the desk file has them, addresses or CIDR. */
  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      const [address = '', bits] = entry.split('/');
      const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
      if (bits === undefined) this.#list.addAddress(address, family);
      else this.#list.addSubnet(address, Number(bits), family);
    }
  }

  has(address: string): boolean {
    return this.#list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
}

/**
 * The address that a request comes from: that of the other end of its connection or, where that is one of the desk's own
 * proxies, the last in X-Forwarded-For that is none of them. What stands before it anybody could have written. Null where it
 * cannot be told.
 */
export function askedFrom(
  peer: string | undefined,
  forwardedFor: string | undefined,
  proxies: Networks | null,
): string | null {
  const steps = [...(forwardedFor?.split(',') ?? []), peer ?? ''];
  let address = bare(steps.pop());
  while (address !== null && proxies?.has(address) === true && steps.length > 0) address = bare(steps.pop());
  return address;
}

/** An IPv4 address that came over a socket of IPv6 as such; null where it is no address. */
function bare(text = ''): string | null {
  const address = text.trim().replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(address) === 0 ? null : address;
}
