import type { CounterpartyConfig } from '../contract/desk-file.ts';
import type { Protection } from '../contract/protections.ts';
import type { RemoteSignerConfig } from '../contract/remote-signer.ts';
import type { BlacklistedUser, StoredPair } from '../journal/book/fold.ts';
import type { Address } from '../protocol/address.ts';
import type { ChainSettings } from './settings-check.ts';

/** Something that cannot be used and removes only itself from what is served. */
export interface SetApart {
  readonly kind: 'chain' | 'token' | 'pair' | 'taker' | 'address' | 'counterparty' | 'protections' | 'signer';
  readonly id: string;
  readonly fault: string;
  /** Of a chain, as far as that can be read. */
  readonly chainId?: number;
}

/** What is decided about a chain, never changed in place. Tokens and pairs are as stored, sound or not. */
export interface ChainState {
  readonly chainId: number;
  readonly settings: ChainSettings;
  readonly tokens: ReadonlyMap<string, unknown>;
  readonly pairs: ReadonlyMap<string, StoredPair>;
  readonly blacklisted: ReadonlyMap<Address, BlacklistedUser>;
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
  /** See the desk file; null where it says nothing. */
  readonly archiveAfterDays: number | null;
  /** See the desk file; null where it says nothing. */
  readonly lockAfterMinutes: number | null;
  /** See the desk file; null where it says nothing: the key is in the folder. */
  readonly remoteSigner: RemoteSignerConfig | null;
  /** See the desk file; none where it says nothing, null where they cannot be read. */
  readonly protections: readonly Protection[] | null;
  /** See the desk file; null where it says nothing. */
  readonly deadManMinutes: number | null;
  readonly fingerprints: Readonly<Record<string, string>>;
  readonly chains: ReadonlyMap<number, ChainState>;
  readonly setApart: readonly SetApart[];
}

/** A copy of `map` in which `key` has another value, or none; `map` itself where that changes nothing. */
export function withEntry<K, V>(map: ReadonlyMap<K, V>, key: K, value: V | undefined): ReadonlyMap<K, V> {
  if (map.get(key) === value) return map;
  const copy = new Map(map);
  if (value === undefined) copy.delete(key);
  else copy.set(key, value);
  return copy;
}
