import type { Followed } from '../contract/book.ts';
import type { CounterpartyConfig } from '../contract/desk-file.ts';
import type { Address } from '../protocol/address.ts';
import type { ChainSettings } from './settings-check.ts';

/** The newest published revision of a ladder, whether or not it is sound. */
export interface StoredLadder {
  readonly revision: number;
  readonly time: number;
  readonly actor: string;
  readonly ladder: unknown;
  /** Only of a revision that followed the reference. */
  readonly followed?: Followed;
}

/** A pair as it is stored. A change makes a new object, so that what was worked out from the old one can be kept. */
export interface StoredPair {
  readonly definition: unknown;
  readonly ladder: StoredLadder;
  /** Unix milliseconds; until then the pair is listed and has no prices (PROTOCOL 4.3.7). */
  readonly retiredUntil: number | null;
}

/** A barred user. `until` is Unix milliseconds, null for ever. `onlyHere`: by this desk alone, the service is not told. */
export interface BarredUser {
  readonly address: Address;
  readonly reason: string | null;
  readonly until: number | null;
  readonly onlyHere: boolean;
  readonly since: number;
  readonly actor: string;
}

/** Something that cannot be used and removes only itself from what is served. */
export interface SetApart {
  readonly kind: 'chain' | 'token' | 'pair' | 'taker' | 'address' | 'counterparty';
  readonly id: string;
  readonly fault: string;
}

/** What is decided about a chain, never changed in place. Tokens and pairs are as stored, sound or not. */
export interface ChainState {
  readonly chainId: number;
  readonly settings: ChainSettings;
  readonly tokens: ReadonlyMap<string, unknown>;
  readonly pairs: ReadonlyMap<string, StoredPair>;
  readonly barred: ReadonlyMap<Address, BarredUser>;
  /** Found when the chain was read; tokens and pairs are judged anew with every snapshot. */
  readonly setApart: readonly SetApart[];
}

/** What is decided about the whole desk. */
export interface BookState {
  /** False until a desk file was imported. */
  readonly configured: boolean;
  readonly deadlineMs: number;
  readonly counterparties: readonly CounterpartyConfig[];
  /** See the desk file; none where it says nothing. */
  readonly surfaceNames: readonly string[];
  readonly fingerprints: Readonly<Record<string, string>>;
  readonly chains: ReadonlyMap<number, ChainState>;
  readonly setApart: readonly SetApart[];
}

/** A copy of `map` in which `key` has another value, or none. */
export function withEntry<K, V>(map: ReadonlyMap<K, V>, key: K, value: V | undefined): ReadonlyMap<K, V> {
  const copy = new Map(map);
  if (value === undefined) copy.delete(key);
  else copy.set(key, value);
  return copy;
}

/** The ladder of a pair for which nothing was published yet. */
export const NO_LADDER: StoredLadder = { revision: 0, time: 0, actor: 'desk', ladder: { bids: [], asks: [] } };
