import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Level, PriceEntry } from '../../electron/protocol/wire.ts';
import type { ServedGrid } from '../../electron/quoting/served-grid.ts';
import { FeedMessages, feedUpdate } from '../../electron/surface/feed-update.ts';
import { completeMessage } from '../../electron/surface/serialised-grid.ts';
import { aGrid, BAD_USER, WETH } from './fake-chain.ts';
import { fold } from './feed-client.ts';

const update = (from: ServedGrid, to: ServedGrid) => {
  const text = feedUpdate(from, to);
  return text === null ? null : JSON.parse(text);
};
const bids: Level[] = [['1', '2']];
const asks: Level[] = [['3', '4']];
const withPrices = (prices: Record<string, PriceEntry>) => aGrid({ prices });

describe('an update of the feed', () => {
  it('is not sent when nothing changed, also when every object is a new one', () => {
    expect(feedUpdate(aGrid(), structuredClone(aGrid()))).toBeNull();
  });

  it('holds only the pairs whose prices changed, each with its whole entry', () => {
    const from = withPrices({ A: { bids, asks }, B: { bids, asks } });
    const to = withPrices({ A: { bids, asks }, B: { bids, asks: [['5', '6']] } });
    expect(update(from, to)).toEqual({ prices: { B: { bids, asks: [['5', '6']] } } });
  });

  it('tells a removed side by an entry without it, and a pair off by its dead form', () => {
    const from = withPrices({ A: { bids, asks }, B: { bids, asks }, C: { bids, asks } });
    const to = withPrices({ A: { asks }, B: {}, C: { bids: [], asks: [] } });
    expect(update(from, to)).toEqual({ prices: { A: { asks }, B: {}, C: { bids: [], asks: [] } } });
  });

  it('removes the prices of a pair that is no longer served, if it had any', () => {
    expect(update(withPrices({ A: { bids }, B: {} }), withPrices({}))).toEqual({ prices: { A: {} } });
  });

  it('holds created and corrected tokens and pairs, but no deletions', () => {
    const from = aGrid();
    const { WETH: weth, USDC: usdc } = from.tokens;
    if (weth === undefined || usdc === undefined) throw new Error('the fake grid has both');
    const corrected = { ...weth, name: 'Ether' };
    const created = { base: 'WETH', quote: 'DAI', liquidityUSD: 5 };
    const to = aGrid({
      tokens: { WETH: corrected, DAI: { ...usdc, symbol: 'DAI' } },
      pairs: { 'WETH/DAI': created },
      prices: {},
    });
    expect(update(from, to)).toEqual({
      tokens: { WETH: corrected, DAI: { ...usdc, symbol: 'DAI' } },
      pairs: { 'WETH/DAI': created },
      prices: { 'WETH/USDC': {} },
    });
  });

  it('keeps changes of liquidityUSD to itself', () => {
    const to = aGrid({ pairs: { 'WETH/USDC': { base: 'WETH', quote: 'USDC', liquidityUSD: 7 } } });
    expect(feedUpdate(aGrid(), to)).toBeNull();
  });

  it('holds newly added addresses only', () => {
    const to = aGrid({ blacklist: [WETH, BAD_USER] });
    expect(update(aGrid(), to)).toEqual({ blacklist: [WETH] });
    expect(feedUpdate(to, aGrid())).toBeNull();
  });

  it('works for IDs that every object has', () => {
    const named = (name: string) => JSON.parse(`{"${name}":{"bids":[["1","2"]]}}`);
    for (const name of ['__proto__', 'constructor', 'toString']) {
      const text = feedUpdate(withPrices({}), withPrices(named(name)));
      expect(text).toBe(`{"prices":{"${name}":{"bids":[["1","2"]]}}}`);
    }
  });

  it('leads, with those before it, to what the GETs serve: after any changes, for every section', () => {
    const aLevel = fc.tuple(fc.constantFrom('1', '2.5', '3'), fc.constantFrom('1', '0.5'));
    const aSide = fc.array(aLevel, { maxLength: 2 });
    const anEntry = fc.record({ bids: aSide, asks: aSide }, { requiredKeys: [] });
    const id = fc.constantFrom('A', 'B', 'C', 'constructor');
    const section = <T>(entry: fc.Arbitrary<T>) =>
      fc.array(fc.tuple(id, entry), { maxLength: 4 }).map((entries): Record<string, T> => Object.fromEntries(entries));
    const weth = aGrid().tokens.WETH;
    if (weth === undefined) throw new Error('the fake grid has it');
    const grids = fc.record({
      tokens: section(fc.constantFrom(weth, { ...weth, name: 'Other' })),
      pairs: section(fc.record({ base: fc.constantFrom('X', 'Y'), quote: fc.constant('Z'), liquidityUSD: fc.nat(2) })),
      prices: section(anEntry),
      blacklist: fc.uniqueArray(fc.constantFrom(WETH, BAD_USER)),
      closed: fc.constant(null),
    });
    const property = fc.property(fc.array(grids, { minLength: 2, maxLength: 8 }), (steps) => {
      const [first] = steps;
      if (first === undefined) return;
      let held = fold({ tokens: {}, pairs: {}, prices: {}, blacklist: [] }, JSON.parse(completeMessage(first)));
      expect(held).toEqual({
        tokens: first.tokens,
        pairs: first.pairs,
        prices: first.prices,
        blacklist: first.blacklist,
      });
      let before = first;
      for (const grid of steps.slice(1)) {
        const message = update(before, grid);
        const pricesBefore = new Map(Object.entries(before.prices));
        before = grid;
        if (message === null) continue;
        for (const address of message.blacklist ?? []) expect(grid.blacklist).toContain(address);
        for (const [pair, entry] of Object.entries(message.prices ?? {})) {
          expect(pricesBefore.get(pair)).not.toEqual(entry);
        }
        held = fold(held, message);
      }
      expect(held.tokens).toMatchObject(before.tokens);
      const definition = ({ base, quote }: { base: string; quote: string }) => [base, quote];
      for (const [pair, entry] of Object.entries(before.pairs)) {
        const own = Object.getOwnPropertyDescriptor(held.pairs, pair)?.value;
        expect(definition(own)).toEqual(definition(entry));
      }
      expect(lit(held.prices)).toEqual(lit(before.prices));
      expect(held.blacklist).toEqual(expect.arrayContaining([...before.blacklist]));
    });
    fc.assert(property, { numRuns: 2_000 });
  });
});

/** The pairs that can be traded: a missing pair, an empty entry and empty sides are all the same to a consumer. */
function lit(prices: object) {
  return Object.fromEntries(
    Object.entries(prices as Record<string, PriceEntry>)
      .map(([id, { bids = [], asks = [] }]) => [id, { bids, asks }] as const)
      .filter(([, { bids, asks }]) => bids.length + asks.length > 0),
  );
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

it('of the grids that were served since a consumer came none is kept, however long it stays', async () => {
  const messages = new FeedMessages();
  const passed: WeakRef<ServedGrid>[] = [];
  const serve = (count: number) => {
    let held = withPrices({ A: { bids, asks } });
    messages.complete(held);
    for (let n = 1; n <= count; n += 1) {
      const next = withPrices({ A: { bids, asks: [[`${n + 3}`, '4']] } });
      // A second consumer at the same grid shares the work.
      const texts = [messages.update(held, next), messages.update(held, next)];
      expect(texts).toEqual([`{"prices":{"A":{"bids":[["1","2"]],"asks":[["${n + 3}","4"]]}}}`, texts[0]]);
      passed.push(new WeakRef(held));
      held = next;
    }
  };
  serve(50);
  await vi.waitFor(() => {
    collectGarbage();
    // The one with which the consumer began, and the newest.
    expect(passed.filter((grid) => grid.deref() !== undefined).length).toBeLessThan(4);
  });
});
