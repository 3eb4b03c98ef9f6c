import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LogFilter, QuoteOutcome, QuoteRow } from '../../electron/contract/quote-log.ts';
import { findQuotes } from '../../electron/desk/find-quotes.ts';
import { isOneIndex } from '../../electron/journal/quotes/log.ts';
import type { Queries } from '../../electron/journal/slices.ts';
import { howOften } from '../how-often.ts';
import { openDirectly } from './fixture.ts';
import { addressOf, CHAIN, cancel, fill, hashOf, quote, quoteBody, REFUSED, START } from './sample-events.ts';

const ROWS = 3_000;
const PAIRS = ['WETH/USDC', 'DAI/USDC', null];
const CODES = ['insufficient_depth', 'halted', 'unknown_pair'] as const;

/** Quotes of every sort, under a clock that steps back an hour in the middle. */
function filled() {
  const journal = openDirectly();
  const rows = Array.from({ length: ROWS }, (_, number) => {
    const refused = number % 5 === 0 ? { ...REFUSED, code: CODES[number % 3] ?? null } : {};
    const changes = {
      ...refused,
      pair: PAIRS[number % 3] ?? null,
      side: number % 2 ? ('bids' as const) : ('asks' as const),
      makerAmount: `${10 ** (number % 9)}`,
    };
    const chainId = number % 11 === 0 ? 10 : CHAIN;
    return quote(number, { ...changes, chainId }, START + number * 1_000 - (number >= ROWS / 2 ? 3_600_000 : 0));
  });
  for (let from = 0; from < ROWS; from += 500) journal.write(...rows.slice(from, from + 500));
  const ended = {
    chainId: CHAIN,
    quoteSeqs: Array.from({ length: ROWS }, (_, index) => index + 1).filter((seq) => seq % 4 === 0),
  };
  journal.write({ time: START, actor: 'desk', kind: 'quotes_expired', body: ended });
  return journal;
}

function matches(row: QuoteRow, filter: LogFilter): boolean {
  const time = Date.parse(row.time);
  return (
    (filter.since === undefined || time >= filter.since) &&
    (filter.until === undefined || time <= filter.until) &&
    (filter.user === undefined || row.userAddress === filter.user) &&
    (filter.hex === undefined || isShortened(row, filter.hex)) &&
    (filter.size === undefined || filter.size.some((size) => isOfSize(row, size))) &&
    (['chainId', 'pair', 'side', 'orderHash', 'outcome', 'code'] as const).every(
      (key) => filter[key] === undefined || row[key] === filter[key],
    )
  );
}

function isShortened({ orderHash, userAddress }: QuoteRow, { starts, ends }: NonNullable<LogFilter['hex']>): boolean {
  return [orderHash, userAddress].some((hex) => hex?.startsWith(starts) === true && hex.endsWith(ends));
}

function isOfSize(row: QuoteRow, { chainId, address, min, max }: NonNullable<LogFilter['size']>[number]): boolean {
  const isWithin = (asset: string, amount: string | null) =>
    row.chainId === chainId &&
    asset === address &&
    amount !== null &&
    (min === undefined || BigInt(amount) >= BigInt(min)) &&
    (max === undefined || BigInt(amount) <= BigInt(max));
  return isWithin(row.makerAsset, row.makerAmount) || isWithin(row.takerAsset, row.takerAmount);
}

const amount = fc.constantFrom('0', '9', '1000', '10000', '99999', '34120000', '400000000');
const sizes = fc.array(
  fc.record(
    {
      chainId: fc.constantFrom(CHAIN, 10),
      address: fc.constantFrom(addressOf('WETH'), addressOf('USDC'), addressOf('DAI')),
      min: amount,
      max: amount,
    },
    { requiredKeys: ['chainId', 'address'] },
  ),
  { minLength: 1, maxLength: 3 },
);
const time = fc.integer({ min: START - 4_000_000, max: START + ROWS * 1_000 });
const filters = fc.record(
  {
    since: time,
    until: time,
    chainId: fc.constantFrom(CHAIN, 10, 1),
    pair: fc.constantFrom('WETH/USDC', 'DAI/USDC', 'NONE/USDC'),
    side: fc.constantFrom('bids' as const, 'asks' as const),
    user: fc.constantFrom(addressOf('user 3'), addressOf('nobody')),
    orderHash: fc.constantFrom(hashOf('order 7'), hashOf('order 1500'), hashOf('none')),
    hex: fc.constantFrom(
      { starts: hashOf('order 7').slice(0, 3), ends: hashOf('order 7').slice(-1) },
      { starts: addressOf('user 3').slice(0, 4), ends: '' },
      { starts: '0xdead', ends: '00' },
    ),
    outcome: fc.constantFrom('open' as const, 'expired' as const, 'refused' as const, 'filled' as const),
    code: fc.constantFrom(...CODES),
    size: sizes,
  },
  { requiredKeys: [] },
);

test('pages of any filter, put together, are what a plain filter of all rows gives, in both orders', () => {
  const { queries } = filled();
  const all = queries.logPage({ filter: {}, limit: ROWS, order: 'oldest' }).rows;
  expect(all.map(({ seq }) => seq)).toEqual(Array.from({ length: ROWS }, (_, index) => index + 1));
  const order = fc.constantFrom('newest' as const, 'oldest' as const);
  const property = fc.property(filters, order, fc.integer({ min: 40, max: 900 }), (filter, way, limit) => {
    const found: QuoteRow[] = [];
    for (let more = true; more; ) {
      const page = queries.logPage({ filter, limit, order: way, before: found.at(-1)?.seq });
      expect(page.rows.length).toBeLessThanOrEqual(limit);
      found.push(...page.rows);
      more = page.more;
    }
    const expected = all.filter((row) => matches(row, filter));
    expect(found).toEqual(way === 'oldest' ? expected : expected.toReversed());
  });
  // Most filters leave little that comes to pages; without one, row comes after row over every edge.
  fc.assert(property, {
    numRuns: howOften(25, 200),
    examples: [
      [{}, 'newest', 700],
      [{}, 'oldest', 700],
    ],
  });
});

test('an order hash and an address are found as they stand shortened, by their beginning and their end', () => {
  const { queries } = filled();
  const found = (starts: string, ends: string) =>
    queries.logPage({ filter: { hex: { starts, ends } }, limit: ROWS }).rows;
  const [hash, user] = [hashOf('order 7'), addressOf('user 3')];
  expect(found(hash.slice(0, 6), hash.slice(-4)).map(({ orderHash }) => orderHash)).toEqual([hash]);
  expect(found(hash.slice(0, 6), hash.endsWith('0') ? '1' : '0')).toEqual([]);
  const ofUser = found(user.slice(0, 6), user.slice(-4));
  expect(ofUser.length).toBeGreaterThan(100);
  expect(new Set(ofUser.map(({ userAddress }) => userAddress))).toEqual(new Set([user]));
});

test('a search step by step finds what a page does, with progress to the end, in both orders', async () => {
  const { queries } = filled();
  const read = {
    logPage: async (asked: Parameters<Queries['logPage']>[0]) => queries.logPage(asked),
    logSpan: async (asked: Parameters<Queries['logSpan']>[0]) => queries.logSpan(asked),
  };
  let clock = 0;
  const order = fc.constantFrom('newest' as const, 'oldest' as const);
  const limits = fc.integer({ min: 1, max: 900 });
  const property = fc.asyncProperty(
    filters,
    order,
    limits,
    fc.integer({ min: 1, max: 400 }),
    async (filter, way, limit, ms) => {
      const found: QuoteRow[] = [];
      const reached: number[] = [];
      let before: number | undefined;
      for (let more = true; more; ) {
        const asked = { filter, before, limit, order: way, isOneIndex: isOneIndex(filter), firstStep: 100 };
        for await (const step of findQuotes(read, asked, () => (clock += ms), undefined)) {
          found.push(...step.rows);
          reached.push(step.progress.at);
          before = step.progress.at;
          more = step.more;
        }
      }
      const expected = queries.logPage({ filter, limit: ROWS, order: way }).rows;
      expect(found).toEqual(expected);
      expect(reached).toEqual([...reached].sort((a, b) => (way === 'newest' ? b - a : a - b)));
    },
  );
  await fc.assert(property, { numRuns: howOften(25, 200) });
});

test('a search that is given up ends at once', async () => {
  const { queries } = filled();
  const stop = new AbortController();
  let pages = 0;
  const read = {
    logSpan: async (asked: Parameters<Queries['logSpan']>[0]) => queries.logSpan(asked),
    logPage: async (asked: Parameters<Queries['logPage']>[0]) => {
      pages += 1;
      stop.abort();
      return queries.logPage(asked);
    },
  };
  const asked = { filter: { side: 'bids' as const }, limit: 2_000, order: 'newest' as const, isOneIndex: false };
  for await (const _step of findQuotes(read, { ...asked, firstStep: 100 }, () => 0, stop.signal)) pages += 0;
  expect(pages).toBe(1);
});

test('quotes are found by what became of them: filled is what was filled, also where the last part of it never was', () => {
  const { queries, write } = openDirectly();
  const part = { makerAmount: '9900', takerAmount: '33778800' };
  const whole = { makerAmount: '10000', takerAmount: '34120000' };
  write(...[1, 2, 3, 4, 5, 6, 7].map((number) => quote(number)), quote(8, REFUSED));
  write(fill(1, 0, part), fill(2, 1, whole), fill(3, 2, part), fill(4, 3, part), cancel(4, 4), cancel(5, 5));
  const withheld = { chainId: CHAIN, quoteSeq: 6, code: 'halted' as const };
  write({ time: START, actor: 'desk', kind: 'quote_withheld', body: withheld });
  const expired = { chainId: CHAIN, quoteSeqs: [1, 7] };
  write({ time: START, actor: 'desk', kind: 'quotes_expired', body: expired });
  const found = (outcome: QuoteOutcome) => {
    const { rows } = queries.logPage({ filter: { outcome }, limit: 100, order: 'oldest' });
    expect(rows.every((row) => row.outcome === outcome)).toBe(true);
    return rows.map(({ seq, state }) => [seq, state]);
  };
  expect(found('filled')).toEqual([
    [1, 'expired'],
    [2, 'filled'],
    [4, 'cancelled'],
  ]);
  expect(found('open')).toEqual([[3, 'part_filled']]);
  expect(found('expired')).toEqual([[7, 'expired']]);
  expect(found('cancelled')).toEqual([[5, 'cancelled']]);
  expect(found('withheld')).toEqual([[6, 'withheld']]);
  expect(found('refused')).toEqual([[8, 'refused']]);
});

test('a page is read from an index in its order, never sorted', () => {
  const { db, queries } = filled();
  const asked: string[] = [];
  const prepare = db.prepare.bind(db);
  db.prepare = ((sql: string) => {
    asked.push(sql);
    return prepare(sql);
  }) as typeof db.prepare;
  const range = { since: START, until: START + 1_000_000 };
  const searches: [LogFilter, by: string][] = [
    [{ orderHash: hashOf('order 7') }, 'quotes_by_hash'],
    [{ user: addressOf('user 3') }, 'quotes_by_user'],
    [{ pair: 'WETH/USDC' }, 'quotes_by_pair'],
    [{ code: 'halted' }, 'quotes_by_code'],
    [{ outcome: 'filled' }, 'quotes_by_outcome'],
    [{}, 'INTEGER PRIMARY KEY'],
  ];
  for (const [filter] of searches) {
    queries.logPage({ filter, limit: 10 });
    queries.logPage({ filter: { ...filter, ...range }, limit: 10, before: 900, to: 100 });
  }
  db.prepare = prepare;
  expect(asked).toHaveLength(2 * searches.length);
  for (const [index, sql] of asked.entries()) {
    const isRange = index % 2 === 1;
    const [filter, by] = searches[Math.floor(index / 2)] ?? [{}, ''];
    const values = Array.from({ length: sql.split('?').length - 1 }, () => 0);
    const plan = db.prepare<number[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...values);
    const steps = plan.map(({ detail }) => detail).join('; ');
    expect(steps).toContain(isRange || by.startsWith('quotes') ? by : 'SCAN q');
    if (filter.orderHash !== undefined) continue; // a row a chain: nothing to sort
    expect(steps).not.toContain('TEMP B-TREE');
    if (isRange) expect(steps).toMatch(/SEARCH q USING .*rowid>\? AND rowid</);
    // Of two bounds on one side SQLite walks to the first: a step of a search would look at all rows up to the other.
    if (isRange) expect(sql.match(/q\.seq [<>]/g)).toHaveLength(2);
  }
});

test('a range of time finds all its rows, also around the moment when the clock stepped back', () => {
  const { queries } = filled();
  const all = queries.logPage({ filter: {}, limit: ROWS, order: 'oldest' }).rows;
  for (let second = -2_200; second < 1_600; second += 90) {
    const range = { since: START + second * 1_000, until: START + (second + 200) * 1_000 };
    const { rows } = queries.logPage({ filter: range, limit: ROWS, order: 'oldest' });
    expect(rows).toEqual(all.filter((row) => matches(row, range)));
  }
});

test('counts since a moment are those of the rows since then', () => {
  const { queries } = filled();
  for (const since of [START - 4_000_000, START, START + 1_000_000]) expectCounts(queries, since);
});

function expectCounts(queries: Queries, since: number): void {
  const all = queries.logPage({ filter: { since }, limit: ROWS }).rows;
  for (const { chainId, pair, signed, refused, filled: fills } of queries.pairCounts(since)) {
    const rows = all.filter((row) => row.chainId === chainId && row.pair === pair);
    expect(refused).toBe(rows.filter((row) => row.state === 'refused').length);
    expect(signed).toBe(rows.length - refused);
    expect(fills).toBe(0);
  }
  expect(queries.pairCounts(since).reduce((sum, { signed, refused }) => sum + signed + refused, 0)).toBe(
    all.filter(({ pair }) => pair !== null).length,
  );
}

test('what is signed and has no end is open, however long ago it expired', () => {
  const { queries, write } = openDirectly();
  write(quote(1, { expiry: 1_000 }), quote(2, { expiry: 2_000 }), quote(3, { expiry: 2_001 }), quote(4, REFUSED));
  expect(queries.openQuotes().map(({ seq }) => seq)).toEqual([1, 2, 3]);
  const { userAddress, makerAsset, takerAsset, orderHash } = quoteBody(1);
  const amounts = { makerAmount: '10000', takerAmount: '34120000', filledMakerAmount: '0' };
  const asked = { chainId: CHAIN, pair: 'WETH/USDC', side: 'asks', userAddress, makerAsset, takerAsset, orderHash };
  expect(queries.openQuotes()[0]).toEqual({ seq: 1, ...asked, ...amounts, expiry: 1_000 });
});
