import type { Attention } from '../contract/desk-view.ts';
import { utcText } from '../contract/names.ts';
import type { FromElsewhere } from '../surface/surface-context.ts';

/** So long after the last one it still needs a look, milliseconds. */
const STANDS_MS = 3_600_000;

/** What came with the keys of one counterparty from where it may not ask: how often since the desk started, and the last of it. */
export interface Refused {
  domain: string;
  count: number;
  /** Null where it could not be told. */
  address: string | null;
  /** Unix milliseconds. */
  at: number;
}

/** Requests that were signed as they should be and came from another address than their counterparty may ask from. */
export class RefusedAddresses {
  readonly #now: () => number;
  readonly #refused = new Map<string, Refused>();

  constructor(now: () => number) {
    this.#now = now;
  }

  record({ domain, address, at }: FromElsewhere): void {
    const count = (this.#refused.get(domain)?.count ?? 0) + 1;
    this.#refused.set(domain, { domain, count, address, at });
  }

  list(): Refused[] {
    return [...this.#refused.values()];
  }

  attention(): Attention[] {
    const now = this.#now();
    return this.list()
      .filter(({ at }) => now - at < STANDS_MS)
      .map(({ domain, count, address, at }) => ({
        code: `elsewhere ${domain}`,
        level: 'look',
        title: `Requests with the keys of ${domain} come from an address that it may not ask from`,
        detail: `${count} refused since the desk started, the last at ${utcText(at)} from ${address ?? 'an unknown address'}. Add the address if it is theirs; if not, somebody else has the keys: change them. Both under Settings, Counterparties.`,
        action: { kind: 'page', page: 'settings' },
      }));
  }
}
