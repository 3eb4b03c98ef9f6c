import type { Hex } from '../protocol/address.ts';

export interface KnownBlock {
  number: number;
  hash: Hex;
}

/** Reorganisations up to this many blocks are followed; what goes deeper counts as another chain. */
export const MAX_REORG_BLOCKS = 64;

/** This many of the newest blocks are remembered one by one: some more than a reorganisation may take back. */
export const REMEMBERED_BLOCKS = 80;

/**
 * Whether a block `depth` below the newest is kept. All of the newest are; of older ones about four in each doubling
 * of depth, as landmarks that tell a node which is far behind from a chain that began anew. Block 0 is always kept.
 */
function isKept(number: number, depth: number): boolean {
  return depth <= REMEMBERED_BLOCKS || number % 2 ** Math.floor(Math.log2(depth / 4)) === 0;
}

/** The blocks remembered (ascending), with `added` (ascending, above them) on top, thinned out to those worth keeping. */
export function remember(known: readonly KnownBlock[], added: readonly KnownBlock[]): KnownBlock[] {
  const all = [...known, ...added.map(({ number, hash }) => ({ number, hash }))];
  const newest = all.at(-1)?.number ?? 0;
  return all.filter(({ number }) => isKept(number, newest - number));
}

/** The blocks remembered up to and including block `number`. */
export function forgetAbove(known: readonly KnownBlock[], number: number): KnownBlock[] {
  return known.filter((block) => block.number <= number);
}

/** Where a node stands that does not have the newest block we know. */
export type Standing =
  /** It has nothing that contradicts what we know: it lags behind. */
  | { kind: 'behind' }
  /** It left our branch after `ancestor`, at most 64 blocks ago. */
  | { kind: 'forked'; ancestor: KnownBlock }
  /** It left our branch longer ago (`ancestor`), or never was on it (null). */
  | { kind: 'gone'; ancestor: KnownBlock | null };

/**
 * Compares what we remember (ascending) with the hashes the node has at those numbers (undefined: it has no such block).
 * Where blocks in between were not remembered, the branch may have been left at any of them, and the ancestor is the
 * last block that both surely have.
 */
export function standingOf(known: readonly KnownBlock[], hashAtNode: (number: number) => Hex | undefined): Standing {
  const newest = known.at(-1)?.number ?? 0;
  let ancestor: KnownBlock | null = null;
  let firstOther: number | null = null;
  for (const block of known) {
    const theirs = hashAtNode(block.number);
    if (theirs === block.hash) {
      ancestor = block;
      firstOther = null;
    } else if (theirs !== undefined) firstOther ??= block.number;
  }
  if (firstOther === null) return { kind: 'behind' };
  const tooDeep = newest - (firstOther - 1) > MAX_REORG_BLOCKS;
  if (ancestor === null || tooDeep || newest - ancestor.number > REMEMBERED_BLOCKS) return { kind: 'gone', ancestor };
  return { kind: 'forked', ancestor };
}
