import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findStanding } from '../../electron/chain/chain-head.ts';
import {
  forgetAbove,
  type KnownBlock,
  landmarksBelow,
  REMEMBERED_BLOCKS,
  remember,
  standingOf,
} from '../../electron/chain/forks.ts';
import type { BlockHeader } from '../../electron/chain/node-answers.ts';
import type { NodeClient } from '../../electron/chain/node-client.ts';
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

test('a chain that was just begun to be watched has the landmarks of one that was watched for long', () => {
  fc.assert(
    fc.property(fc.nat(30_000), (top) => {
      let long: KnownBlock[] = [];
      for (let number = 0; number <= top; number += 50) {
        long = remember(long, span(number, Math.min(number + 49, top)));
      }
      const older = long.map(({ number }) => number).filter((number) => top - number > REMEMBERED_BLOCKS);
      expect(landmarksBelow(top).sort((a, b) => a - b)).toEqual(older);
    }),
    { numRuns: 20 },
  );
});

test('a fork is found exactly among the newest blocks, and a little too deep below them', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 200, max: 50_000 }),
      fc.integer({ min: 1, max: 50_000 }),
      fc.nat(300),
      (top, deep, ahead) => {
        const depth = Math.min(deep, top);
        const landmarks = landmarksBelow(top).sort((a, b) => a - b);
        const newest = span(top - REMEMBERED_BLOCKS, top);
        const known = [...landmarks.map((number) => block(number)), ...newest];
        const fork = top - depth;
        const standing = standingOf(known, nodeAt(fork, top + ahead));
        if (standing.kind !== 'forked') throw new Error(`it is ${standing.kind}`);
        const { number } = standing.ancestor;
        if (depth <= REMEMBERED_BLOCKS) expect(number).toBe(fork);
        expect(number).toBeLessThanOrEqual(fork);
        expect(top - number).toBeLessThanOrEqual(Math.max(REMEMBERED_BLOCKS, 2 * depth));
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
  expect(standingOf(known, nodeAt(-1, 3))).toEqual({ kind: 'another', genesis: hashOn('b', 0) });
});

test('other blocks without another first block are never another chain', () => {
  const known = remember([block(0)], span(90_000, 92_000));
  expect(standingOf(known, nodeAt(0, 95_000))).toEqual({ kind: 'lost' });
  expect(standingOf(known.slice(1), nodeAt(-1, 95_000))).toEqual({ kind: 'lost' });
});

test('where blocks were not remembered the last one both surely have is the ancestor', () => {
  const known = [...span(0, 100), block(110)];
  expect(standingOf(known, nodeAt(105, 130))).toEqual({ kind: 'forked', ancestor: block(100) });
});

test('a landmark from long ago is an ancestor to go back to, if not too much lies between', () => {
  expect(standingOf([block(0), block(5_000)], nodeAt(4_999, 5_001))).toEqual({ kind: 'forked', ancestor: block(0) });
  expect(standingOf([block(0), block(50_000)], nodeAt(4_999, 50_001))).toEqual({ kind: 'lost' });
});

test('a head that is younger than the newest block we know, and below it, shows that this one was none of its chain', () => {
  const known = remember([block(0), block(1_024)], [block(7_000), block(7_001)]);
  const upTo = (top: number) => (number: number) => (number <= top ? hashOn('a', number) : undefined);
  expect(standingOf(known, upTo(1_500))).toEqual({ kind: 'behind' });
  expect(standingOf(known, upTo(1_500), block(1_500))).toEqual({ kind: 'overtaken', ancestor: block(1_024) });
  expect(standingOf(known, upTo(1_024), block(1_024)), 'that block is ours').toEqual({ kind: 'behind' });
  expect(standingOf([block(0), block(70_000)], upTo(60_000), block(60_000)), 'too far').toEqual({ kind: 'lost' });
});

test('what lies above a block is forgotten', () => {
  expect(forgetAbove(span(0, 9), 4)).toEqual(span(0, 4));
});

test('a head that is younger than the newest block known overtakes it only from below: above it that block may stand', async () => {
  const hash = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`;
  const header = (number: number): BlockHeader => {
    return { number, hash: hash(number), parentHash: hash(number - 1), timestamp: 1_000 + number };
  };
  const at = (head: number, newest: number, newestTime: number) => {
    const ask: NodeClient['ask'] = async (calls) =>
      calls.map(({ params: [asked] }) => {
        const number = Number(asked);
        const { timestamp, ...rest } = header(number);
        const quantities = { number: `0x${number.toString(16)}`, timestamp: `0x${timestamp.toString(16)}` };
        return { ok: true, result: number <= head ? { ...rest, ...quantities } : null };
      });
    const node: NodeClient = { rpcUrl: 'http://127.0.0.1:1', batchSize: () => 100, ask, pass: () => false, close() {} };
    const known = [10, newest].map((number) => ({ number, hash: hash(number) }));
    return findStanding(node, header(head), known, { newestTime, now: (1_000 + head) * 1_000 });
  };
  expect(await at(12, 11, 1_011)).toEqual({ kind: 'behind' });
  const overtaken = { kind: 'overtaken', ancestor: { number: 10, hash: hash(10) } };
  expect(await at(12, 5_000, 1_011)).toEqual(overtaken);
  expect(await at(12, 5_000, 9_999_999), 'of a time that has not come yet').toEqual(overtaken);
  expect(await at(12, 5_000, 1_050), 'of a time that our clock may be wrong about').toEqual({ kind: 'behind' });
});
