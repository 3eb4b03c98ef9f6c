import type { Address } from '../../protocol/address.ts';
import type { PracticeLog } from '../practice-log.ts';
import type { ConsumerStatus } from './maker-consumer.ts';

type Entry = ConsumerStatus['blacklist'][number];

export interface UserBlacklist {
  /** Addresses from /blacklist or from the channel. */
  listed(addresses: readonly Address[]): void;
  /** A firm answer without an order (PROTOCOL 4.3.13): as if it came from /blacklist. */
  unserved(address: Address): void;
  /** A firm answer 403: for good, as the public adapter does it. */
  banned(address: Address): void;
  current(): ReadonlySet<Address>;
  entries(): Entry[];
  /** Forgets all but those that are on it for good. */
  clear(): void;
}

/** Users who are not routed to the maker: each for a while after it was last named (PROTOCOL 6.3), some for good. */
export function openUserBlacklist(forMs: number, now: () => number, log: PracticeLog): UserBlacklist {
  const kept = new Map<Address, Entry>();
  let set: ReadonlySet<Address> = new Set();
  let isCurrent = true;
  let earliest = Number.POSITIVE_INFINITY;

  function put(address: Address, from: Entry['from'], until: number | null): void {
    const before = kept.get(address);
    if (before?.until === null) return;
    kept.set(address, { address, from, until });
    if (until !== null) earliest = Math.min(earliest, until);
    if (before === undefined) isCurrent = false;
  }

  function expire(): void {
    if (now() < earliest) return;
    earliest = Number.POSITIVE_INFINITY;
    for (const { address, until } of kept.values()) {
      if (until !== null && until <= now()) {
        kept.delete(address);
        isCurrent = false;
        log.info(`user ${address} is no longer held to be blacklisted`);
      } else if (until !== null) earliest = Math.min(earliest, until);
    }
  }

  return {
    listed(addresses) {
      const until = now() + forMs;
      for (const address of addresses) put(address, 'list', until);
    },
    unserved(address) {
      put(address, 'no order', now() + forMs);
      log.warn(`user ${address} counts as blacklisted for ${forMs / 1000} s: the maker answered without an order`);
    },
    banned(address) {
      put(address, '403', null);
      log.warn(`user ${address} is blacklisted for good: the maker answered 403`);
    },
    current() {
      expire();
      if (!isCurrent) set = new Set(kept.keys());
      isCurrent = true;
      return set;
    },
    entries() {
      expire();
      return [...kept.values()];
    },
    clear() {
      for (const { address, until } of kept.values()) if (until !== null) kept.delete(address);
      isCurrent = false;
    },
  };
}
