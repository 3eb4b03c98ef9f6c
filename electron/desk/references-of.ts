import type { PairRow } from '../contract/book.ts';
import type { Rooms } from './rooms.ts';

/** What the independent reference last said of a pair, or null. */
export type ReferenceOf = (chainId: number, pair: string) => NonNullable<PairRow['reference']> | null;

/** Reads the references as the console shows them. */
export function referencesOf({ book, now }: Pick<Rooms, 'book' | 'now'>): ReferenceOf {
  return (chainId, pair) => {
    const chain = book.chain(chainId);
    const reference = book.references.of(chainId, pair);
    if (chain === undefined || reference === undefined) return null;
    const freshUntil = book.references.freshUntil(chain, pair) ?? 0;
    return { mid: reference.mid, time: reference.time, stale: now() > freshUntil };
  };
}
