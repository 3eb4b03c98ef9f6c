import type { Hex } from '../protocol/address.ts';

export interface KnownBlock {
  number: number;
  hash: Hex;
}

/** This many of the newest blocks are remembered one by one: more than any usual reorganisation takes back. */
export const REMEMBERED_BLOCKS = 80;

/** No usual reorganisation goes deeper; one that does is followed too, with a warning. */
export const MAX_REORG_BLOCKS = 64;

/** Where more blocks than this lie between the last block two branches share and the first they do not, the fork is not known. */
const MOST_BETWEEN = 10_000;

/**
 * Whether a block `depth` below the newest is kept. All of the newest are; of older ones about four in each doubling
 * of depth, as landmarks to which a deep reorganisation is followed. Block 0 is always kept: it says which chain it is.
 */
function isKept(number: number, depth: number): boolean {
  return depth <= REMEMBERED_BLOCKS || number % 2 ** Math.floor(Math.log2(depth / 4)) === 0;
}

/** The numbers of the older blocks that are kept below `newest`, block 0 among them. */
export function landmarksBelow(newest: number): number[] {
  const numbers = new Set([0]);
  for (let step = 16; 4 * step <= newest; step *= 2) {
    for (let number = newest - 4 * step - ((newest - 4 * step) % step); number > newest - 8 * step; number -= step) {
      if (number > 0 && isKept(number, newest - number)) numbers.add(number);
    }
  }
  return [...numbers].filter((number) => newest - number > REMEMBERED_BLOCKS);
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
  /** It left our branch after `ancestor`, or after a later block that was not remembered. */
  | { kind: 'forked'; ancestor: KnownBlock }
  /** The newest blocks we know were none of its chain, whose head is younger than they are and below them: it has `ancestor` still. */
  | { kind: 'overtaken'; ancestor: KnownBlock }
  /** It left our branch so long ago that nobody can say where. */
  | { kind: 'lost' }
  /** It is of another chain, which began with the block of this hash. */
  | { kind: 'another'; genesis: Hex };

/**
 * Compares what we remember (ascending) with the hashes the node has at those numbers (undefined: it has no such block).
 * Where blocks in between were not remembered, the branch may have been left at any of them, and the ancestor is the
 * last block that both surely have. Only another first block is another chain. `youngerHead`: the newest block of the
 * node, where that is younger than the newest we know, and below it.
 */
export function standingOf(
  known: readonly KnownBlock[],
  hashAtNode: (number: number) => Hex | undefined,
  youngerHead: KnownBlock | null = null,
): Standing {
  const [first] = known;
  const genesis = hashAtNode(0);
  if (first?.number === 0 && genesis !== undefined && genesis !== first.hash) return { kind: 'another', genesis };
  let ancestor: KnownBlock | null = null;
  let firstOther: number | null = null;
  for (const block of known) {
    const theirs = hashAtNode(block.number);
    if (theirs === block.hash) {
      ancestor = block;
      firstOther = null;
    } else if (theirs !== undefined) firstOther ??= block.number;
  }
  const isOvertaken = firstOther === null && youngerHead !== null && ancestor?.number !== youngerHead.number;
  if (isOvertaken) firstOther = youngerHead.number;
  if (firstOther === null) return { kind: 'behind' };
  if (ancestor === null || firstOther - ancestor.number > MOST_BETWEEN) return { kind: 'lost' };
  return { kind: isOvertaken ? 'overtaken' : 'forked', ancestor };
}
