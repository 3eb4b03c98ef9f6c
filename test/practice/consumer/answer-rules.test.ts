import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AnswerRules, Judged } from '../../../electron/practice/consumer/answer-rules.ts';
import { SPEC_RULES } from '../../../electron/practice/consumer/spec-rules.ts';
import { STRICT_RULES } from '../../../electron/practice/consumer/strict-rules.ts';

const WETH = {
  symbol: 'WETH',
  name: 'Wrapped Ether',
  address: `0x${'Aa'.repeat(20)}`,
  decimals: 18,
  type: 'ERC20',
};
const USDC = { ...WETH, symbol: 'USDC', address: `0x${'bb'.repeat(20)}`, decimals: 6 };
const PAIR = { base: 'WETH', quote: 'USDC', liquidityUSD: 1 };
const BOOK = { bids: [['3412.5', '2']], asks: [['3413', '1']] };
const ADDRESS = `0x${'cc'.repeat(20)}`;
const GOOD = {
  tokens: { tokens: { WETH, USDC } },
  pairs: { pairs: { 'WETH/USDC': PAIR } },
  prices: { prices: { 'WETH/USDC': BOOK } },
  blacklist: { blacklist: [ADDRESS] },
};
const PARTS = ['tokens', 'pairs', 'prices', 'blacklist'] as const;

const lowerCase = (value: unknown) => JSON.parse(JSON.stringify(value).toLowerCase());

function prices(rules: AnswerRules, entries: object): Judged<object> {
  return rules.prices({ prices: entries });
}

test.each(PARTS)('a good body of /%s is taken in both modes, addresses in lower case', (part) => {
  for (const rules of [STRICT_RULES, SPEC_RULES]) {
    const { value, faults } = rules[part](GOOD[part]);
    expect(faults).toEqual([]);
    expect(lowerCase(value)).toEqual(lowerCase(Object.values(GOOD[part])[0]));
  }
  expect(STRICT_RULES.tokens(GOOD.tokens).value?.WETH?.address).toBe(WETH.address.toLowerCase());
});

describe('strict, as the public adapter', () => {
  test.each(PARTS)('a `message` beside /%s discards the answer', (part) => {
    const { value, faults } = STRICT_RULES[part]({ ...GOOD[part], message: 'hello' });
    expect(value).toBeNull();
    expect(faults).toEqual([expect.stringMatching(/^the body: .*message.*; all of it is discarded$/)]);
  });

  test.each([
    ['another key', { ...WETH, logo: 'x' }, /tokens\.WETH: .*logo/],
    ['a key less', { ...WETH, name: undefined }, /tokens\.WETH\.name/],
    ['no decimals', { ...WETH, decimals: 0 }, /tokens\.WETH\.decimals/],
    ['decimals as a text', { ...WETH, decimals: '18' }, /tokens\.WETH\.decimals/],
    ['an empty symbol', { ...WETH, symbol: '' }, /tokens\.WETH\.symbol/],
    ['an empty description', { ...WETH, description: '' }, /tokens\.WETH\.description/],
    ['a short address', { ...WETH, address: '0x12' }, /tokens\.WETH\.address/],
  ])('a token with %s discards all tokens', (_, token, sentence) => {
    const { value, faults } = STRICT_RULES.tokens({ tokens: { USDC, WETH: token } });
    expect(value).toBeNull();
    expect(faults[0]).toMatch(sentence);
  });

  test('a pair with another key, or without one, discards all pairs', () => {
    expect(STRICT_RULES.pairs({ pairs: { A: PAIR, B: { ...PAIR, fee: 1 } } }).value).toBeNull();
    expect(STRICT_RULES.pairs({ pairs: { A: PAIR, B: { base: 'A', quote: 'B' } } }).value).toBeNull();
    expect(STRICT_RULES.pairs({ pairs: { A: PAIR, B: { ...PAIR, base: '' } } }).value).toBeNull();
  });

  test.each([
    ['crossed', { bids: [['2', '1']], asks: [['1.9', '1']] }],
    ['touching', { bids: [['2', '1']], asks: [['2', '1']] }],
    [
      'crossed behind the best level',
      {
        bids: [
          ['1', '1'],
          ['5', '1'],
        ],
        asks: [['2', '1']],
      },
    ],
    ['with numbers', { bids: [[1, 2]], asks: [] }],
    ['with an empty text', { bids: [['', '2']], asks: [] }],
    ['with a level of three', { bids: [['1', '2', '3']], asks: [] }],
    ['with another key', { bids: [], asks: [], last: '1' }],
    ['with no number against a number', { bids: [['abc', '1']], asks: [['1', '1']] }],
  ])('one pair %s discards the prices of all', (_, entry) => {
    const { value, faults } = prices(STRICT_RULES, { GOOD: BOOK, BAD: entry });
    expect(value).toBeNull();
    expect(faults[0]).toMatch(/^prices\.BAD.*; all of it is discarded$/);
  });

  test('{}, one side and empty sides pass', () => {
    const entries = {
      A: {},
      B: { bids: [['1', '1']] },
      C: { bids: [], asks: [] },
      D: { bids: [], asks: [['1', '1']] },
    };
    expect(prices(STRICT_RULES, entries)).toEqual({ value: entries, faults: [], message: null });
  });

  test('exponents pass; what is no positive number is let through by it, and only that pair is left out here', () => {
    const nonsense = [
      ['-1', '1'],
      ['Infinity', '1'],
      ['1', '0'],
      ['abc', '1'],
      ['1e9999999', '1'],
    ];
    for (const level of nonsense) {
      const { value, faults } = prices(STRICT_RULES, {
        GOOD: { bids: [['1e3', '2']], asks: [] },
        BAD: { bids: [level] },
      });
      expect(Object.keys(value ?? {})).toEqual(['GOOD']);
      expect(faults).toEqual(['prices.BAD: a level is no positive number']);
    }
  });

  test('one bad address discards the blacklist', () => {
    expect(STRICT_RULES.blacklist({ blacklist: [ADDRESS, '0x1'] }).value).toBeNull();
  });
});

describe('spec, as part one of PROTOCOL is written', () => {
  test('a `message` is handed on, and a body may hold nothing else', () => {
    for (const part of PARTS) {
      expect(SPEC_RULES[part]({ ...GOOD[part], message: 'hello' })).toMatchObject({ faults: [], message: 'hello' });
      const { value, faults } = SPEC_RULES[part]({ ...GOOD[part], other: 1 });
      expect(value).not.toBeNull();
      expect(faults).toEqual([`the body holds other besides ${part}`]);
    }
  });

  test('a crossed book takes only itself out, and every bad entry is named', () => {
    const { value, faults } = prices(SPEC_RULES, {
      GOOD: BOOK,
      HALF: { asks: [['1', '1']] },
      OFF: {},
      CROSSED: { bids: [['2', '1']], asks: [['2.0', '1']] },
      NEGATIVE: { bids: [['-2', '1']] },
      ZERO: { bids: [['2', '0']] },
    });
    expect(Object.keys(value ?? {})).toEqual(['GOOD', 'HALF', 'OFF']);
    expect(faults).toEqual([
      'prices.CROSSED: the book is crossed',
      expect.stringMatching(/^prices\.NEGATIVE\.bids\.0\.0: /),
      'prices.ZERO: a level is not above zero',
    ]);
  });

  test('a token needs its address and decimals only', () => {
    const { address } = USDC;
    const { value } = SPEC_RULES.tokens({ tokens: { USDC: { address, decimals: 0 }, BAD: { address } } });
    expect(value).toEqual({ USDC: { address, decimals: 0, symbol: 'USDC', name: 'USDC', type: 'ERC20' } });
  });

  test('a bad address takes only itself out; one that is there twice is named', () => {
    const { value, faults } = SPEC_RULES.blacklist({
      blacklist: [ADDRESS, 7, ADDRESS.toUpperCase().replace('X', 'x')],
    });
    expect(new Set(value)).toEqual(new Set([ADDRESS]));
    expect(faults).toEqual([expect.stringMatching(/^blacklist\.1: /), `blacklist: ${ADDRESS} is in it twice`]);
  });
});

test('a list of a hundred thousand levels is judged, not choked on', () => {
  const bids = Array.from({ length: 100_000 }, (_, index) => [`${index + 1}`, '1']);
  expect(prices(STRICT_RULES, { A: { bids, asks: [['200000', '1']] } }).faults).toEqual([]);
  expect(prices(SPEC_RULES, { A: { bids, asks: [['5', '1']] } }).faults).toEqual(['prices.A: the book is crossed']);
});

test('whatever is changed in a body, it is judged and every discarded answer has its sentence', () => {
  const paths = (value: unknown, path: (string | number)[] = []): (string | number)[][] =>
    typeof value === 'object' && value !== null
      ? [path, ...Object.entries(value).flatMap(([key, inner]) => paths(inner, [...path, key]))]
      : [path];
  const put = (value: unknown, [head, ...rest]: (string | number)[], by: unknown): unknown => {
    if (head === undefined) return by;
    const copy: Record<string, unknown> = Array.isArray(value) ? ([...value] as never) : { ...(value as object) };
    copy[head] = put(copy[head], rest, by);
    return copy;
  };
  const mutation = fc.constantFrom(...PARTS).chain((part) =>
    fc.record({
      part: fc.constant(part),
      path: fc.constantFrom(...paths(GOOD[part])),
      by: fc.oneof(fc.jsonValue(), fc.constantFrom(...paths(GOOD).map(() => 'x'), null, [], {}, -1, '1e999', '\u0000')),
    }),
  );
  let refused = 0;
  fc.assert(
    fc.property(mutation, ({ part, path, by }) => {
      const body = put(GOOD[part], path, by);
      const strict = STRICT_RULES[part](body);
      const lenient = SPEC_RULES[part](body);
      for (const { value, faults } of [strict, lenient]) {
        if (value !== null) continue;
        expect(faults.length).toBeGreaterThan(0);
        refused += 1;
      }
      // What the public adapter takes whole, without a word, the protocol takes as well, but for numbers it cannot read.
      const isClean = strict.value !== null && strict.faults.length === 0;
      if (isClean && part !== 'prices') expect(lenient.value).not.toBeNull();
    }),
    { numRuns: 3_000 },
  );
  expect(refused).toBeGreaterThan(500);
});
