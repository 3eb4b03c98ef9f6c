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
    const { mid, time, heldBack } = reference;
    const stale = now() > time + chain.config.referenceMaxAgeSeconds * 1_000;
    return { mid, time, stale, heldBack };
  };
}
