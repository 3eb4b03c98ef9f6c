import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  forgetAbove,
  type KnownBlock,
  MAX_REORG_BLOCKS,
  REMEMBERED_BLOCKS,
  remember,
  standingOf,
} from '../../electron/chain/block-memory.ts';
import type { Hex } from '../../electron/protocol/address.ts';

const hashOn = (branch: string, number: number): Hex => `0x${branch}${number.toString(16)}`;
const block = (number: number, branch = 'a'): KnownBlock => ({ number, hash: hashOn(branch, number) });
const span = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => block(from + index));

/** The hashes of a node that left branch `a` after block `fork` and is at `height`. */
const nodeAt = (fork: number, height: number) => (number: number) =>
  number > height ? undefined : hashOn(number > fork ? 'b' : 'a', number);

test('the newest blocks are all remembered, older ones ever more sparsely, block 0 for ever', () => {
  let known: KnownBlock[] = [];
  for (let number = 0; number <= 100_000; number += 5)
    known = remember(known, span(number, Math.min(number + 4, 100_000)));
  const newest = known.filter(({ number }) => number >= 100_000 - REMEMBERED_BLOCKS);
  expect(newest).toEqual(span(100_000 - REMEMBERED_BLOCKS, 100_000));
  expect(known[0]).toEqual(block(0));
  expect(known.length).toBeLessThan(REMEMBERED_BLOCKS + 80);
});

test('a fork is found exactly, however deep it is allowed to be', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 200, max: 5_000 }),
      fc.integer({ min: 1, max: 120 }),
      fc.nat(300),
      (top, depth, ahead) => {
        const known = remember(remember([], [block(0)]), span(Math.max(1, top - 300), top));
        const fork = top - depth;
        if (depth <= MAX_REORG_BLOCKS) {
          const standing = standingOf(known, nodeAt(fork, fork + 1 + ahead));
          expect(standing).toEqual({ kind: 'forked', ancestor: block(fork) });
        } else expect(standingOf(known, nodeAt(fork, top + ahead)).kind).toBe('gone');
      },
    ),
  );
});

test('a node that has nothing but what we know is behind, however far', () => {
  const known = remember([block(0)], span(1_000, 2_000));
  for (const height of [0, 5, 1_500, 1_950, 1_999]) {
    expect(standingOf(known, nodeAt(Infinity, height))).toEqual({ kind: 'behind' });
  }
  expect(standingOf(known, () => undefined)).toEqual({ kind: 'behind' });
});

test('a chain with another first block is another chain, even while it is short', () => {
  const known = remember([block(0)], span(1_000, 2_000));
  expect(standingOf(known, nodeAt(-1, 3))).toEqual({ kind: 'gone', ancestor: null });
});

test('where blocks were not remembered the last one both surely have is the ancestor', () => {
  const known = [...span(0, 100), block(110)];
  expect(standingOf(known, nodeAt(105, 130))).toEqual({ kind: 'forked', ancestor: block(100) });
});

test('a landmark from long ago is no ancestor to go back to', () => {
  expect(standingOf([block(0), block(5_000)], nodeAt(4_999, 5_001))).toEqual({ kind: 'gone', ancestor: block(0) });
});

test('what lies above a block is forgotten', () => {
  expect(forgetAbove(span(0, 9), 4)).toEqual(span(0, 4));
});
