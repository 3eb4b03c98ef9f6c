import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Book } from '../../electron/book/book.ts';
import { parseDesk } from '../../electron/book/parse-desk.ts';
import { CHAIN, chain, configuredBook, importDesk, NOON } from './fixture.ts';

const DAY = 86_400_000;
const hexAddress = fc.stringMatching(/^[0-9a-f]{40}$/).map((hex) => `0x${hex}`);
const decimal = fc
  .tuple(fc.bigInt(1n, 10n ** 12n), fc.stringMatching(/^[0-9]{0,10}$/))
  .map(([whole, rest]) => (rest === '' ? `${whole}` : `${whole}.${rest}`));
const name = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => !(text in {}));

/** A ladder whose levels stand in the right order: bids below 10^6 falling, asks above 10^6 rising. */
const ladder = fc.record({
  bids: fc
    .uniqueArray(fc.integer({ min: 1, max: 999_999 }), { maxLength: 5 })
    .chain((prices) => levels(prices.sort((a, b) => b - a))),
  asks: fc
    .uniqueArray(fc.integer({ min: 1_000_000, max: 9_999_999 }), { maxLength: 5 })
    .chain((prices) => levels(prices.sort((a, b) => a - b))),
});
function levels(prices: number[]) {
  return fc.tuple(...prices.map((price) => decimal.map((amount) => [`${price}.50`, amount])));
}

const blacklistEntry = fc.record(
  {
    address: hexAddress,
    reason: fc.string({ maxLength: 40 }),
    until: fc.integer({ min: 1, max: 9_000 }).map((days) => new Date(NOON + days * DAY).toISOString()),
    onlyHere: fc.constant(true),
  },
  { requiredKeys: ['address'] },
);

/** A chain of a desk file with any names, amounts and switches, and no fault. */
const anyChain = fc
  .record({
    names: fc.uniqueArray(name, { minLength: 2, maxLength: 5 }),
    addresses: fc.uniqueArray(hexAddress, { minLength: 5, maxLength: 5 }),
    decimals: fc.array(fc.integer({ min: 0, max: 24 }), { minLength: 5, maxLength: 5 }),
    ladders: fc.array(fc.option(ladder, { nil: undefined }), { minLength: 4, maxLength: 4 }),
    off: fc.array(fc.subarray(['bids', 'asks']), { minLength: 4, maxLength: 4 }),
    blacklist: fc.uniqueArray(fc.oneof(hexAddress, blacklistEntry), {
      maxLength: 5,
      selector: (entry) => (typeof entry === 'string' ? entry : entry.address),
    }),
    limit: decimal,
    quotesPerUserPerMinute: fc.nat(100),
    clipToBalance: fc.boolean(),
    deadSide: fc.constantFrom('omit', 'empty'),
    watched: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
  })
  .map(({ names, addresses, decimals, ladders, off, limit, quotesPerUserPerMinute, watched, ...rest }) => {
    const [first = '', ...others] = names;
    const ids = others.map((other) => `${first}/${other}`);
    return chain({
      ...rest,
      tokens: Object.fromEntries(
        names.map((id, index) => [
          id,
          { symbol: id, name: id, address: addresses[index], decimals: decimals[index], type: 'ERC20' },
        ]),
      ),
      pairs: Object.fromEntries(
        ids.map((id, index) => [id, { base: first, quote: others[index], liquidityUSD: index }]),
      ),
      prices: Object.fromEntries(
        ids.flatMap((id, index) => (ladders[index] === undefined ? [] : [[id, ladders[index]]])),
      ),
      off: Object.fromEntries(ids.flatMap((id, index) => ((off[index] ?? []).length === 0 ? [] : [[id, off[index]]]))),
      limits: { maxQuote: { [first]: limit }, quotesPerUserPerMinute },
      reserve: { [first]: limit },
      sources: {
        web: { kind: 'http', url: 'http://127.0.0.1:9000/mids' },
        engine: { kind: 'push', token: 'alpha', pairs: ids },
        kraken: { kind: 'exchange', exchange: 'kraken', pairs: Object.fromEntries(ids.map((id) => [id, 'ETH/USDC'])) },
      },
      references: Object.fromEntries(
        ids.filter((_, index) => watched[index]).map((id) => [id, { sources: ['web', 'engine', 'kraken'] }]),
      ),
    });
  });

/** All that a book says, but for the numbers of its revisions, which an import counts on. */
function contentOf(book: Book) {
  return book.chains().map(({ config, tokens, pairs, setApart, ...chainBook }) => ({
    config,
    tokens,
    setApart,
    blacklisted: [...chainBook.blacklisted.values()].map(({ since: _since, ...user }) => user),
    pairs: [...pairs.values()].map(({ ladder: published, ...pair }) => ({ ...pair, ladder: published.ladder })),
  }));
}

describe('A desk file that was written', () => {
  it('imports again to the same book, whatever is in it', async () => {
    const { book } = await configuredBook();
    await fc.assert(
      fc.asyncProperty(anyChain, async (any) => {
        const input = { version: 1, chains: [any] };
        await importDesk(book, input);
        const before = contentOf(book);
        const written = await book.deskFile();
        expect(written).toMatchObject(withoutPrices(parseDesk(input).desk));
        await importDesk(book, JSON.parse(JSON.stringify(written)));
        expect(contentOf(book)).toEqual(before);
        expect(await book.deskFile()).toEqual(written);
      }),
      { numRuns: 60 },
    );
  });
});

const SOURCES = {
  engine: { kind: 'push', token: 'alpha', pairs: ['WETH/USDC', 'DAI/USDC'] },
  alone: { kind: 'push', token: 'beta', pairs: ['DAI/USDC'] },
  router: { kind: 'router', pairs: { 'WETH/USDC': { amount: '1' }, 'DAI/USDC': { amount: '1000' } } },
};
const REFERENCES = { 'WETH/USDC': { sources: ['engine', 'router'] }, 'DAI/USDC': { sources: ['alone'] } };

const GONE: [string, Record<string, unknown>, (book: Book) => Promise<unknown>][] = [
  [
    'has left',
    { retireHours: 0 },
    async (book) => {
      await book.retirePair(CHAIN, 'DAI/USDC', 'mara');
      await book.tick();
    },
  ],
  [
    'is set apart, as strict services would not take it',
    {
      strictListing: true,
      pairs: { ...chain().pairs, 'DAI/USDC': { base: 'DAI', quote: 'USDC', liquidityUSD: 1e16 } },
    },
    async () => {},
  ],
];
for (const [what, changes, leave] of GONE) {
  it(`imports again where a pair with sources of its own ${what}, and says nothing of them`, async () => {
    const { book } = await configuredBook({
      version: 1,
      chains: [chain({ sources: SOURCES, references: REFERENCES, ...changes })],
    });
    await leave(book);
    const written = await book.deskFile();
    expect(written.chains[0]?.sources).toEqual({
      engine: { ...SOURCES.engine, pairs: ['WETH/USDC'] },
      router: { ...SOURCES.router, pairs: { 'WETH/USDC': { amount: '1' } } },
    });
    expect(Object.keys(written.chains[0]?.references ?? {})).toEqual(['WETH/USDC']);
    await importDesk(book, JSON.parse(JSON.stringify(written)));
    expect(await book.deskFile()).toEqual(written);
  });
}

/** Prices are compared in the book: a pair whose ladder was emptied is written with an empty one. */
function withoutPrices({ chains, ...desk }: ReturnType<typeof parseDesk>['desk']) {
  return { ...desk, chains: chains.map(({ prices: _prices, ...rest }) => rest) };
}
