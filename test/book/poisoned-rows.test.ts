import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildChainBook, type ChainBook } from '../../electron/book/chain-book.ts';
import { loadBook } from '../../electron/book/load-book.ts';
import type { StoredBook } from '../../electron/journal/book/read.ts';
import { tokenSchema } from '../../electron/protocol/wire.ts';
import { howOften } from '../how-often.ts';
import { address, CHAIN, chain, configuredBook, NOON } from './fixture.ts';

/** Five tokens, five pairs, five blacklisted users: enough that one can go and the others can be looked at. */
const NAMES = ['WETH', 'USDC', 'DAI', 'UNI', 'ARB'];
const PAIRS = [
  ['WETH', 'USDC'],
  ['DAI', 'USDC'],
  ['UNI', 'USDC'],
  ['WETH', 'DAI'],
  ['ARB', 'WETH'],
] as const;
const idOf = ([base, quote]: readonly [string, string]) => `${base}/${quote}`;

const desk = {
  version: 1,
  chains: [
    chain({
      tokens: Object.fromEntries(
        NAMES.map((symbol, index) => [
          symbol,
          { symbol, name: symbol, address: address(String(index + 1)), decimals: 6 + index, type: 'ERC20' },
        ]),
      ),
      pairs: Object.fromEntries(PAIRS.map((pair) => [idOf(pair), { base: pair[0], quote: pair[1], liquidityUSD: 1 }])),
      prices: Object.fromEntries(
        PAIRS.map((pair) => [
          idOf(pair),
          {
            bids: [
              ['10', '1'],
              ['9', '2'],
            ],
            asks: [
              ['11', '1.5'],
              ['12', '2'],
            ],
          },
        ]),
      ),
      blacklist: ['a', 'b', 'c', 'd', 'e'].map((digit) => address(digit)),
    }),
  ],
};

const nonsense = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1e3',
    'Infinity',
    'NaN',
    '9',
    '11',
    '1'.repeat(150),
    '__proto__',
    'constructor',
    'USDC',
    'WETH',
    'GONE',
    address('0'),
    address('1'),
    address('2'),
  ),
  fc.constantFrom<unknown>(
    null,
    undefined,
    true,
    -1,
    0,
    1.5,
    78,
    Number.POSITIVE_INFINITY,
    [],
    {},
    ['10', '1'],
    [['10', '1']],
    {
      toString: 1,
    },
  ),
  fc.string(),
  fc.json().map((text): unknown => JSON.parse(text)),
);

type Poison = {
  section: 'tokens' | 'pairs' | 'ladders' | 'blacklist' | 'retired';
  row: number;
  where: number;
  value: unknown;
};
const poison: fc.Arbitrary<Poison> = fc.record({
  section: fc.constantFrom('tokens', 'pairs', 'ladders', 'blacklist', 'retired'),
  row: fc.nat(4),
  where: fc.nat(40),
  value: nonsense,
});

describe('One row that went bad in a stored book', () => {
  it('removes only itself: everything else is listed, quoted and blacklisted as before', async () => {
    const { journal } = await configuredBook(desk);
    const stored = await journal.read.storedBook();
    const whole = bookOf(stored);
    expect([...whole.pairs.values()].filter(({ fault }) => fault === null)).toHaveLength(5);
    fc.assert(
      fc.property(poison, (what) => {
        const spoilt = structuredClone(stored);
        const victim = spoil(spoilt, what);
        const book = bookOf(spoilt);
        expectSound(book);
        for (const [id, pair] of whole.pairs) {
          if (isTouched(spoilt, victim, pair.definition, id)) continue;
          const { base, quote, bids, asks, retiredUntil, fault } = pair;
          expect(book.pairs.get(id)).toMatchObject({ base, quote, bids, asks, retiredUntil, fault });
        }
        const others = whole.blacklist(NOON).filter((_, index) => victim.section !== 'blacklist' || index !== what.row);
        for (const user of others) expect(book.blacklistCode(user, NOON)).toBe('blacklisted');
      }),
      { numRuns: howOften(250, 5_000) },
    );
  });
});

type Victim = { section: Poison['section']; id: string };

function bookOf(stored: StoredBook): ChainBook {
  const state = loadBook(stored).chains.get(CHAIN);
  if (state === undefined) throw new Error('the whole chain is gone');
  return buildChainBook(state);
}

/** Puts nonsense in the place of a row, or of something within it, and says whose row it was. */
function spoil(stored: StoredBook, { section, row, where, value }: Poison): Victim {
  const [config] = stored.desk?.chains ?? [];
  if (config === undefined) throw new Error('there is no chain');
  if (section === 'retired') {
    stored.retired.push({ chainId: CHAIN, pair: idOf(PAIRS[row] ?? PAIRS[0]), until: value as number });
    return { section, id: idOf(PAIRS[row] ?? PAIRS[0]) };
  }
  if (section === 'blacklist') {
    replaceIn(stored.blacklist[row], ['address', 'until', 'reason', 'since'][where % 4] ?? '', value);
    return { section, id: String(row) };
  }
  if (section === 'ladders') {
    const found = stored.ladders[row];
    spoilLadder(found, where, value);
    return { section, id: found?.pair ?? '' };
  }
  const rows: Record<string, unknown> = config[section];
  const id = Object.keys(rows)[row] ?? '';
  const fields = Object.keys(rows[id] as object);
  if (where % (fields.length + 1) === fields.length) rows[id] = value;
  else replaceIn(rows[id], fields[where % (fields.length + 1)] ?? '', value);
  return { section, id };
}

function spoilLadder(row: StoredBook['ladders'][number] | undefined, where: number, value: unknown): void {
  if (row === undefined || row.ladder === null) return;
  const side = where % 2 === 0 ? 'bids' : 'asks';
  if (where < 2) replaceIn(row, 'ladder', value);
  else if (where < 4) replaceIn(row.ladder, side, value);
  else if (where < 10) replaceIn(row.ladder[side], String(where % 3), value);
  else if (where < 14) replaceIn(row, ['revision', 'time', 'actor', 'ladder'][where % 4] ?? '', value);
  else replaceIn(row.ladder[side][(where >> 1) % 2], String((where >> 2) % 2), value);
}

function replaceIn(target: unknown, key: string, value: unknown): void {
  (target as Record<string, unknown>)[key] = value;
}

/** Whether the pair is the victim, needs the victim, or now clashes with it so that nobody can say which is right. */
function isTouched(
  stored: StoredBook,
  victim: Victim,
  definition: { base: string; quote: string },
  id: string,
): boolean {
  if (victim.section === 'ladders' || victim.section === 'retired') return victim.id === id;
  const [config] = stored.desk?.chains ?? [];
  if (victim.section === 'tokens') {
    const clashing = NAMES.filter((name) =>
      sameText(config?.tokens[name]?.address, config?.tokens[victim.id]?.address),
    );
    return [victim.id, ...clashing].some((name) => name === definition.base || name === definition.quote);
  }
  if (victim.section === 'pairs') {
    const { base, quote } = (config?.pairs[victim.id] ?? {}) as { base?: unknown; quote?: unknown };
    const market = (one: unknown, two: unknown) =>
      [one, two]
        .map((end) => JSON.stringify(end))
        .sort()
        .join();
    return victim.id === id || market(base, quote) === market(definition.base, definition.quote);
  }
  return false;
}

function sameText(one: unknown, two: unknown): boolean {
  return typeof one === 'string' && typeof two === 'string' && one.toLowerCase() === two.toLowerCase();
}

/** Nothing that is served is nonsense, as the service would judge it. */
function expectSound(book: ChainBook): void {
  const addresses = [...book.tokens.values()].map((token) => token.address);
  expect(new Set(addresses).size).toBe(addresses.length);
  for (const token of book.tokens.values()) expect(tokenSchema.safeParse(token).success).toBe(true);
  for (const user of book.blacklist(NOON)) expect(user).toMatch(/^0x[0-9a-f]{40}$/);
  for (const { base, quote, bids, asks, fault } of book.pairs.values()) {
    expect(fault === null || bids.length + asks.length === 0).toBe(true);
    for (const { price, amount } of [...bids, ...asks])
      expect(price.n > 0n && price.d > 0n && amount.n > 0n && amount.d > 0n).toBe(true);
    const [bid, ask] = [bids[0]?.price, asks[0]?.price];
    if (bid && ask) expect(bid.n * ask.d < ask.n * bid.d).toBe(true);
    if (fault === null) expect(book.market(base.address, quote.address)?.pair.base).toBe(base);
  }
}
