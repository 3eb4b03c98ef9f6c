import fc from 'fast-check';
import { expect, test } from 'vitest';
import { referenceAt } from '../../electron/journal/book/reference-samples.ts';
import { openDirectly } from './fixture.ts';
import { saveSamples } from './reference-samples.ts';
import { addressOf, CHAIN, configured, fill, quote, REFUSED, reverted, START } from './sample-events.ts';

const WETH = 10n ** 18n;
const whole = { since: 0, until: START * 2 };
const later = START + 3_600_000;

/** One WETH sold at 3,412.00 and one bought at 3,408.00, with a reference that falls from 3,410 to 3,400. */
function traded() {
  const journal = openDirectly();
  journal.write(configured());
  const assets = { makerAsset: addressOf('USDC'), takerAsset: addressOf('WETH') };
  const sold = { makerAmount: `${WETH}`, takerAmount: '3412000000' };
  const bought = { ...assets, makerAmount: '3408000000', takerAmount: `${WETH}` };
  journal.write(quote(1, sold), quote(2, { ...bought, side: 'bids' }), quote(3, { ...REFUSED, code: 'halted' }));
  journal.write(fill(1, 10, sold), fill(2, 11, bought));
  return journal;
}

test('the edge is told against the reference when the quote was decided, markouts against that after the fill, + good for us, cut down', () => {
  const { db, queries } = traded();
  saveSamples(db, [
    [START - 500, '3410'],
    [START + 9_500, '3500'],
    [START + 19_000, '3409.5'],
    [START + 69_900, '3400'],
  ]);
  const [bought, sold] = queries.markedFills({ ...whole, limit: 10, now: later });
  // 2 / 3,410 is 5.865 bps; against 3,409.5 it is 2.5 / 3,409.5, against 3,400 it is 12 / 3,400.
  expect(sold).toMatchObject({ price: '3412', reference: '3410', edge: 58, after10s: 73, after1m: 352, after5m: null });
  expect(sold).toMatchObject({ edgeQuote: '2', edgeUsd: '2' });
  // Bought at 3,408: +2 / 3,410, then 1.5 / 3,409.5, and a loss of 8 / 3,400 = 23.53 bps, cut down to −23.6.
  expect(bought).toMatchObject({ price: '3408', edge: 58, after10s: 43, after1m: -236, after5m: null });
});

test('a quote has one edge: what the firm log says of it, its fill says too, whatever the price did between them', () => {
  const { db, queries } = traded();
  saveSamples(
    db,
    Array.from({ length: 20 }, (_, second): [number, string] => [START + second * 1_000, `${3410 + second}`]),
  );
  const log = queries.logPage({ filter: {}, limit: 10 }).rows;
  const fills = queries.markedFills({ ...whole, limit: 10, now: later });
  expect(fills.map(({ edge }) => edge)).toEqual([58, 58]);
  for (const { quoteSeq, edge } of fills) {
    expect(log.find(({ seq }) => seq === quoteSeq)?.edgeTenthBps).toBe(edge);
  }
});

test('a mark whose time has not come is not there yet, and one without a reference near it is none', () => {
  const { db, queries } = traded();
  saveSamples(db, [[START - 6_000, '3410']]);
  const [, sold] = queries.markedFills({ ...whole, limit: 10, now: START + 70_000 });
  // The sample is six seconds older than the quote: too old to say anything of it.
  expect(sold).toMatchObject({ edge: null, after10s: null, after1m: null, after5m: 'not_yet', reference: null });
});

test('a mark is held against what was heard last by then, for as long as that was believed, and against nothing that was heard later', () => {
  const { db, queries } = traded();
  saveSamples(db, [
    [START - 60_000, '3410', { until: START + 20_000 }],
    [START + 65_000, '3400', { heard: START + 75_000, until: START + 400_000 }],
  ]);
  const [bought, sold] = queries.markedFills({ ...whole, limit: 10, now: later });
  expect(sold, 'filled at 10 s').toMatchObject({ edge: 58, after10s: 58, after1m: null, after5m: 352 });
  expect(bought, 'filled at 11 s').toMatchObject({ edge: 58, after10s: null, after1m: null, after5m: -236 });
});

test('sums by pair weigh each fill by its volume; what was taken back is in none', () => {
  const { db, queries, write } = traded();
  saveSamples(db, [[START - 500, '3410']]);
  const third = { makerAmount: `${3n * WETH}`, takerAmount: '10260000000' }; // 3 WETH sold at 3,420: +30
  write(quote(4, third), fill(4, 12, third), fill(4, 13, third));
  const gone = queries.markedFills({ ...whole, limit: 1, now: later })[0];
  write(reverted(gone?.seq ?? 0, 4));
  const { parts } = queries.tradedPart({ ...whole, by: 'pair', before: null, limit: 10, now: later });
  expect(parts).toHaveLength(1);
  expect(parts[0]?.sums).toMatchObject({ fills: 3, unpriced: 0, dollars: { counts: { edge: 3 } } });
  const worth = parts[0]?.sums.dollars.worths.edge;
  // (2 + 2 + 30) / (3,410 × 5) is 19.94 bps.
  expect(Number(worth?.gain.n) / Number(worth?.gain.d)).toBeCloseTo(34);
  expect(Number(worth?.notional.n) / Number(worth?.notional.d)).toBeCloseTo(17_050);
});

test('sums taken in parts of any size are those taken at once', () => {
  const { db, queries, write } = traded();
  saveSamples(
    db,
    Array.from({ length: 60 }, (_, index): [number, string] => [START + index * 1_000, `34${index + 10}.5`]),
  );
  for (let log = 20; log < 45; log += 1) write(quote(log, {}, START), fill(log, log));
  const asked = { ...whole, now: later };
  const once = queries.tradedPart({ ...asked, by: 'user', before: null, limit: 1_000 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), (limit) => {
      const fills = new Map<string, number>();
      let before: { time: number; seq: number } | null = null;
      do {
        const step = queries.tradedPart({ ...asked, by: 'user', before, limit });
        for (const { key, sums } of step.parts) {
          fills.set(`${key.user}`, (fills.get(`${key.user}`) ?? 0) + sums.fills);
        }
        before = step.next;
      } while (before !== null);
      expect(fills).toEqual(new Map(once.parts.map(({ key, sums }) => [`${key.user}`, sums.fills])));
    }),
    { numRuns: 30 },
  );
});

test('asked, signed and filled are counted by pair and by user, in any slice of the journal', () => {
  const { queries } = traded();
  const sums = (by: 'pair' | 'user', slices: [number, number][]) => {
    const total = new Map<string, number[]>();
    for (const [first, last] of slices) {
      for (const { key, asked } of queries.askedPart({ ...whole, by, first, last })) {
        const before = total.get(`${key.pair ?? key.user}`) ?? [0, 0, 0];
        total.set(`${key.pair ?? key.user}`, [
          (before[0] ?? 0) + asked.asked,
          (before[1] ?? 0) + asked.signed,
          (before[2] ?? 0) + asked.filled,
        ]);
      }
    }
    return total;
  };
  expect(sums('pair', [[1, 10]])).toEqual(new Map([['WETH/USDC', [3, 2, 2]]]));
  expect(
    sums('user', [
      [1, 2],
      [3, 10],
    ]),
  ).toEqual(sums('user', [[1, 10]]));
  expect(sums('user', [[1, 10]]).get(addressOf('user 3'))).toEqual([1, 0, 0]);
});

test('a fill in another token is worth dollars by the reference of that token, and nothing without one', () => {
  const { db, queries, write } = openDirectly();
  write(
    configured({
      pairs: {
        'WETH/USDC': { base: 'WETH', quote: 'USDC', liquidityUSD: 1000 },
        'LINK/WETH': { base: 'LINK', quote: 'WETH', liquidityUSD: 500 },
      },
      tokens: {
        WETH: { symbol: 'WETH', name: 'w', address: addressOf('WETH'), decimals: 18, type: 'ERC20' },
        USDC: { symbol: 'USDC', name: 'u', address: addressOf('USDC'), decimals: 6, type: 'ERC20' },
        LINK: { symbol: 'LINK', name: 'l', address: addressOf('LINK'), decimals: 18, type: 'ERC20' },
      },
    }),
  );
  const sold = { makerAmount: `${100n * WETH}`, takerAmount: `${WETH / 2n}` };
  const assets = { makerAsset: addressOf('LINK'), takerAsset: addressOf('WETH') };
  write(quote(1, { ...sold, ...assets, pair: 'LINK/WETH' }), fill(1, 10, { ...sold, ...assets }));
  saveSamples(db, [[START, '0.00499']], 'LINK/WETH');
  const worth = () => queries.markedFills({ ...whole, limit: 1, now: later })[0];
  expect(worth()).toMatchObject({ price: '0.005', edge: 200, edgeQuote: '0.001', edgeUsd: null });
  saveSamples(db, [[START + 10_000, '3400']]);
  expect(worth()).toMatchObject({ edgeUsd: '3.4' });
});

test('a fill is worth dollars by the first pair of its token in a dollar token that has a reference then, in the order of the desk file', () => {
  const { db, queries, write } = openDirectly();
  const pair = (base: string, quote: string) => ({ base, quote, liquidityUSD: 500 });
  const token = (symbol: string, decimals: number) => {
    return { symbol, name: symbol, address: addressOf(symbol), decimals, type: 'ERC20' };
  };
  write(
    configured({
      pairs: {
        'WETH/USDT': pair('WETH', 'USDT'),
        'WETH/DAI': pair('WETH', 'DAI'),
        'WETH/USDC': pair('WETH', 'USDC'),
        'LINK/WETH': pair('LINK', 'WETH'),
      },
      tokens: {
        WETH: token('WETH', 18),
        USDC: token('USDC', 6),
        USDT: token('USDT', 6),
        DAI: token('DAI', 18),
        LINK: token('LINK', 18),
      },
    }),
  );
  const sold = { makerAmount: `${100n * WETH}`, takerAmount: `${WETH / 2n}` };
  const assets = { makerAsset: addressOf('LINK'), takerAsset: addressOf('WETH') };
  write(quote(1, { ...sold, ...assets, pair: 'LINK/WETH' }), fill(1, 10, { ...sold, ...assets }));
  saveSamples(db, [[START, '0.00499']], 'LINK/WETH');
  const worth = () => queries.markedFills({ ...whole, limit: 1, now: later })[0]?.edgeUsd;
  saveSamples(db, [[START + 10_000, '3400']], 'WETH/USDC');
  expect(worth(), 'the others have no reference').toBe('3.4');
  saveSamples(db, [[START, '3500']], 'WETH/DAI');
  expect(worth(), 'one of ten seconds before says nothing').toBe('3.4');
  saveSamples(db, [[START + 9_000, '3500']], 'WETH/DAI');
  expect(worth()).toBe('3.5');
  saveSamples(db, [[START + 9_000, '3600']], 'WETH/USDT');
  expect(worth(), 'the first of the desk file, not of the alphabet').toBe('3.6');
});

test('what a token was worth is told by a pair that is not listed any more, and by no pair of the same name with another token', () => {
  const { db, queries, write } = openDirectly();
  const token = (symbol: string, address = symbol) => {
    return { symbol, name: symbol, address: addressOf(address), decimals: 18, type: 'ERC20' };
  };
  const [WETH_USDC, LINK_WETH] = [
    { base: 'WETH', quote: 'USDC', liquidityUSD: 500 },
    { base: 'LINK', quote: 'WETH', liquidityUSD: 500 },
  ];
  const tokens = { WETH: token('WETH'), USDC: token('USDC'), LINK: token('LINK') };
  write(configured({ pairs: { 'WETH/USDC': WETH_USDC, 'LINK/WETH': LINK_WETH }, tokens, prices: {} }));
  const sold = { makerAmount: `${100n * WETH}`, takerAmount: `${WETH / 2n}` };
  const assets = { makerAsset: addressOf('LINK'), takerAsset: addressOf('WETH') };
  for (const [number, log] of [
    [1, 10],
    [2, 50],
  ] as const) {
    write(quote(number, { ...sold, ...assets, pair: 'LINK/WETH' }, START + log * 1_000));
    write(fill(number, log, { ...sold, ...assets }));
    saveSamples(db, [[START + log * 1_000, '0.00499']], 'LINK/WETH');
  }
  saveSamples(db, [
    [START + 10_000, '3400'],
    [START + 50_000, '7'],
  ]);
  const worths = () => queries.markedFills({ ...whole, limit: 2, now: later }).map(({ edgeUsd }) => edgeUsd);
  expect(worths()).toEqual(['0', '3.4']);

  write({
    time: START + 30_000,
    actor: 'ops',
    kind: 'pair_removed',
    body: { chainId: CHAIN, pair: 'WETH/USDC' },
  });
  expect(worths(), 'its reference said it while it spoke').toEqual(['0', '3.4']);
  // At 40 s the name is that of a pair of another token, and what its reference says from then on is of that one.
  const others = { ...tokens, OTHER: token('WETH', 'another token') };
  const pairs = { 'LINK/WETH': LINK_WETH, 'WETH/USDC': { ...WETH_USDC, base: 'OTHER' } };
  write(configured({ pairs, tokens: others, prices: {} }, START + 40_000));
  expect(worths()).toEqual([null, '3.4']);
});

test('a page of fills begins where the one before ended, also among fills of one block', () => {
  const { queries, write } = traded();
  for (let log = 20; log < 40; log += 1) write(quote(log), fill(log, log, { blockTime: START + 20_000 }));
  const all = queries.markedFills({ ...whole, limit: 100, now: later });
  const paged: typeof all = [];
  for (;;) {
    const last = paged.at(-1);
    const page = queries.markedFills({ ...whole, limit: 7, now: later, ...(last && { before: last }) });
    if (page.length === 0) break;
    paged.push(...page);
  }
  expect(paged).toEqual(all);
  expect(all).toHaveLength(22);
});

test('searches of fills and references are read from their indexes, in their order', () => {
  const { db, queries } = traded();
  const asked: string[] = [];
  const prepare = db.prepare.bind(db);
  db.prepare = ((sql: string) => {
    asked.push(sql);
    return prepare(sql);
  }) as typeof db.prepare;
  queries.askedPart({ ...whole, by: 'user', first: 1, last: 10 });
  db.prepare = prepare;
  const plan = db.prepare<(number | string)[], { detail: string }>(`EXPLAIN QUERY PLAN ${asked[0]}`).all(1, 10, 0, 1);
  expect(plan.map(({ detail }) => detail).join('; ')).toMatch(/SEARCH q USING INTEGER PRIMARY KEY/);
  const at = referenceAt({ chain: '1', pair: "'a'", time: '5' });
  const reference = db
    .prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN SELECT mid ${at.slice(at.indexOf('FROM'), -1)}`)
    .all();
  expect(reference.map(({ detail }) => detail).join('; ')).toBe(
    'SEARCH r USING PRIMARY KEY (chain_id=? AND pair=? AND time>? AND time<?)',
  );
});

test('lines of prices tell the reference and the revision in force at each moment, and fills as marks', () => {
  const { db, queries, write } = traded();
  const ladder = { bids: [['3390', '1']] as [string, string][], asks: [] };
  const body = { chainId: CHAIN, pair: 'WETH/USDC', revision: 2, baseRevision: 1, ladder };
  write({ time: START + 20_000, actor: 'ops', kind: 'ladder_published', body });
  saveSamples(db, [
    [START, '3410'],
    [START + 10_000, '3410'],
  ]);
  const span = { chainId: CHAIN, pair: 'WETH/USDC', since: START - 10_000, until: START + 30_000 };
  const { reference, bid, ask } = queries.priceLines({ ...span, steps: 5 });
  const prices = (line: typeof bid) => line.map(([, price]) => price);
  expect(reference.map(([time]) => time - START)).toEqual([-10_000, 0, 10_000, 20_000, 30_000]);
  expect(prices(reference)).toEqual([null, '3410', '3410', null, null]);
  expect(prices(bid)).toEqual([null, '3400', '3400', '3390', '3390']);
  expect(prices(ask)).toEqual([null, '3412.5', '3412.5', null, null]);
  const { fills, count } = queries.placedFills({ ...span, limit: 1 });
  expect(count).toBe(2);
  expect(fills).toEqual([
    expect.objectContaining({ side: 'bids', price: '3408', base: '1', time: START + 11_000, edge: 58 }),
  ]);
});
