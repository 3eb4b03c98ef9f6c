import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { judgeMessage } from '../../../electron/practice/consumer/feed.ts';
import { openMakerCache } from '../../../electron/practice/consumer/maker-cache.ts';
import type { ConsumerMode } from '../../../electron/practice/consumer/maker-consumer.ts';
import { SPEC_RULES } from '../../../electron/practice/consumer/spec-rules.ts';
import { STRICT_RULES } from '../../../electron/practice/consumer/strict-rules.ts';
import type { Level, Pair, Token } from '../../../electron/protocol/wire.ts';
import type { ServedGrid } from '../../../electron/quoting/served-grid.ts';
import { feedUpdate } from '../../../electron/surface/feed-update.ts';
import { completeMessage } from '../../../electron/surface/serialised-grid.ts';

const token = (symbol: string): Token => ({
  symbol,
  name: symbol,
  address: `0x${'ab'.repeat(20)}`,
  decimals: 18,
  type: 'ERC20',
});
const TOKENS = { A: token('A'), B: token('B'), C: token('C') };
const PAIRS: Record<string, Pair> = {
  'A/B': { base: 'A', quote: 'B', liquidityUSD: 1 },
  'B/C': { base: 'B', quote: 'C', liquidityUSD: 2 },
};
const bids: Level[] = [['1', '1']];
const asks: Level[] = [['2', '1']];
const STALE = 5_000;

let time = 0;
beforeEach(() => {
  time = 1_000_000;
});

function openCache(mode: ConsumerMode) {
  const cache = openMakerCache(mode, STALE, () => time);
  cache.takeTokens(TOKENS);
  cache.takePairs(PAIRS);
  return cache;
}

test.each(['strict', 'spec'] as const)('%s: prices are not taken before tokens and pairs were read', (mode) => {
  const cache = openMakerCache(mode, STALE, () => time);
  expect(cache.takePrices({ 'A/B': { bids, asks } })).toBe(false);
  cache.takeTokens(TOKENS);
  expect(cache.takePrices({ 'A/B': { bids, asks } })).toBe(false);
  cache.takePairs(PAIRS);
  expect(cache.read()).toBeNull();
  expect(cache.takePrices({ 'A/B': { bids, asks } })).toBe(true);
  expect(cache.read()?.prices).toEqual({ 'A/B': { bids, asks } });
});

test.each(['strict', 'spec'] as const)('%s: a grid is there for its time to live, and not longer', (mode) => {
  const cache = openCache(mode);
  cache.takePrices({ 'A/B': { bids, asks } });
  const first = cache.read();
  time += STALE;
  expect(cache.read()).toBe(first);
  time += 1;
  expect(cache.read()).toBeNull();
});

describe('strict', () => {
  test('a pair without both sides is passed over and ages out on its own', () => {
    const cache = openCache('strict');
    cache.takePrices({ 'A/B': { bids, asks }, 'B/C': { bids, asks } });
    time += 3_000;
    cache.takePrices({ 'A/B': {}, 'B/C': { bids, asks: [] } });
    expect(cache.read()?.prices).toEqual({ 'A/B': { bids, asks }, 'B/C': { bids, asks: [] } });
    time += 2_001;
    expect(cache.read()?.prices).toEqual({ 'B/C': { bids, asks: [] } });
    cache.takePrices({ 'B/C': { bids } });
    time += 3_000;
    expect(cache.read()).toBeNull();
  });

  test('[] on both sides takes a pair off at once', () => {
    const cache = openCache('strict');
    cache.takePrices({ 'A/B': { bids, asks }, 'B/C': { bids, asks } });
    cache.takePrices({ 'A/B': { bids: [], asks: [] }, 'B/C': { bids, asks } });
    expect(Object.keys(cache.read()?.prices ?? {})).toEqual(['B/C']);
  });

  test('a pair whose ID does not hold both symbols is never found', () => {
    const cache = openCache('strict');
    cache.takePairs({ ...PAIRS, 'first one': { base: 'A', quote: 'C', liquidityUSD: 1 } });
    cache.takePrices({ 'A/B': { bids, asks }, 'first one': { bids, asks } });
    expect(Object.keys(cache.read()?.prices ?? {})).toEqual(['A/B']);
  });
});

describe('spec', () => {
  test('an omitted side is cleared, {} and a missing pair are off, at once', () => {
    const cache = openCache('spec');
    cache.takePrices({ 'A/B': { bids, asks }, 'B/C': { bids, asks } });
    cache.takePrices({ 'A/B': { asks }, 'B/C': {} });
    expect(cache.read()?.prices).toEqual({ 'A/B': { asks } });
    cache.takePrices({ 'B/C': { bids } });
    expect(cache.read()?.prices).toEqual({ 'B/C': { bids } });
  });
});

test.each(['strict', 'spec'] as const)('%s: what is no longer in /tokens or /pairs is gone', (mode) => {
  const cache = openCache(mode);
  cache.takePrices({ 'A/B': { bids, asks }, 'B/C': { bids, asks } });
  cache.takePairs({ 'A/B': { base: 'A', quote: 'B', liquidityUSD: 1 } });
  expect(Object.keys(cache.read()?.pairs ?? {})).toEqual(['A/B']);
  cache.takeTokens({ A: token('A') });
  expect(cache.read()).toBeNull();
});

test.each(['strict', 'spec'] as const)('%s: the channel adds, changes and removes, but no liquidityUSD', (mode) => {
  const cache = openCache(mode);
  cache.takePrices({ 'A/B': { bids, asks } });
  cache.merge({
    tokens: { D: token('D') },
    pairs: { 'A/B': { base: 'A', quote: 'B', liquidityUSD: 9 }, 'A/D': { base: 'A', quote: 'D', liquidityUSD: 9 } },
    prices: { 'A/D': { bids, asks } },
  });
  expect(cache.read()?.pairs).toEqual({ ...PAIRS, 'A/D': { base: 'A', quote: 'D', liquidityUSD: 9 } });
  expect(Object.keys(cache.read()?.prices ?? {})).toEqual(['A/B', 'A/D']);
  cache.merge({ prices: { 'A/B': {}, 'A/D': { bids, asks: [['3', '1']] } } });
  expect(cache.read()?.prices).toEqual({ 'A/D': { bids, asks: [['3', '1']] } });
});

test.each(['strict', 'spec'] as const)(
  '%s: the first message and the updates of a real surface lead to what its GETs say, after any changes',
  (mode) => {
    const rules = mode === 'strict' ? STRICT_RULES : SPEC_RULES;
    const bid = fc.array(fc.tuple(fc.constantFrom('1', '1.5'), fc.constantFrom('1', '0.5')), { maxLength: 2 });
    const ask = fc.array(fc.tuple(fc.constantFrom('2', '2.5'), fc.constantFrom('1', '0.5')), { maxLength: 2 });
    const requiredKeys: ('bids' | 'asks')[] = mode === 'strict' ? ['bids', 'asks'] : [];
    const entry = fc.record({ bids: bid, asks: ask }, { requiredKeys });
    const id = fc.constantFrom('A/B', 'B/C', 'A/C', 'constructor');
    const section = <T>(one: fc.Arbitrary<T>) =>
      fc.array(fc.tuple(id, one), { maxLength: 4 }).map((entries): Record<string, T> => Object.fromEntries(entries));
    const ends = fc.constantFrom('A', 'B', 'C');
    const grids = fc
      .record({
        tokens: fc.constantFrom(TOKENS, { ...TOKENS, A: { ...TOKENS.A, name: 'Another' } }),
        pairs: section(fc.record({ base: ends, quote: ends, liquidityUSD: fc.nat(3) })),
        prices: section(entry),
        blacklist: fc.constant([]),
        closed: fc.constant(null),
      })
      // A desk serves prices of pairs that it serves.
      .map((grid) => ({
        ...grid,
        prices: Object.fromEntries(Object.entries(grid.prices).filter(([pairId]) => Object.hasOwn(grid.pairs, pairId))),
      }));
    let compared = 0;
    fc.assert(
      fc.property(fc.array(grids, { minLength: 2, maxLength: 8 }), (steps) => {
        const channel = openMakerCache(mode, STALE, () => time);
        let before: ServedGrid | null = null;
        for (const grid of steps) {
          const text = before === null ? completeMessage(grid) : feedUpdate(before, grid);
          if (text !== null) {
            const { value, faults } = judgeMessage(text, rules, before === null);
            expect(faults).toEqual([]);
            if (before === null) channel.takeFirst(value ?? {});
            else channel.merge(value ?? {});
          }
          before = grid;
          const polled = openMakerCache(mode, STALE, () => time);
          polled.takeTokens(rules.tokens({ tokens: grid.tokens }).value ?? {});
          polled.takePairs(rules.pairs({ pairs: grid.pairs }).value ?? {});
          polled.takePrices(rules.prices({ prices: grid.prices }).value ?? {});
          const [held, asked] = [channel.read(), polled.read()];
          // Deletions of pairs are not told, but their prices are off then.
          expect(held?.prices).toEqual(asked?.prices);
          for (const pairId of Object.keys(asked?.prices ?? {})) {
            const [one, other] = [held?.pairs[pairId], asked?.pairs[pairId]];
            expect([one?.base, one?.quote]).toEqual([other?.base, other?.quote]);
            compared += 1;
          }
          if (asked !== null) expect(held?.tokens).toEqual(asked.tokens);
        }
      }),
      { numRuns: 1_000 },
    );
    expect(compared).toBeGreaterThan(500);
  },
);

describe('a message of the channel', () => {
  const first = JSON.parse(
    completeMessage({ tokens: TOKENS, pairs: PAIRS, prices: { 'A/B': { bids, asks } }, blacklist: [], closed: null }),
  );

  test('must be complete when it is the first', () => {
    expect(judgeMessage(JSON.stringify(first), STRICT_RULES, true).faults).toEqual([]);
    const { blacklist: _, ...rest } = first;
    expect(judgeMessage(JSON.stringify(rest), STRICT_RULES, true)).toMatchObject({
      value: null,
      faults: ['is the first one and has no blacklist'],
    });
    expect(judgeMessage(JSON.stringify(rest), STRICT_RULES, false).faults).toEqual([]);
  });

  test('may hold a message to be logged, also in strict mode, but no order', () => {
    expect(judgeMessage('{"message":"hello"}', STRICT_RULES, false)).toMatchObject({ faults: [], message: 'hello' });
    expect(judgeMessage('{"order":{}}', SPEC_RULES, false).faults[0]).toMatch(/holds order/);
    expect(judgeMessage('{"message":7}', SPEC_RULES, false).faults[0]).toMatch(/no text/);
  });

  test.each(['', '[]', 'null', '7', '{"prices":', '<html>'])('that is %j is refused', (text) => {
    expect(judgeMessage(text, SPEC_RULES, false)).toMatchObject({ value: null, faults: ['is no JSON object'] });
  });

  test('that is wrong in one part gives its other parts', () => {
    const { value, faults } = judgeMessage(
      JSON.stringify({ ...first, prices: { 'A/B': { bids: 7 } } }),
      STRICT_RULES,
      false,
    );
    expect(value).toMatchObject({ tokens: TOKENS, pairs: PAIRS, prices: undefined });
    expect(faults).toHaveLength(1);
  });
});
