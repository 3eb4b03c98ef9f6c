import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as decimal from '../../electron/protocol/decimal.ts';
import { down, plus, read, times, up } from './grid-oracle.ts';
import { positiveDecimal } from './ladder-arbitrary.ts';

const { parseDecimal, formatDecimal, toRaw, fromRaw, floor, ceil, add, sub, mul, div, compare } = decimal;

describe('decimals', () => {
  it('are read exactly, with any number of digits', () => {
    const long = `${'9'.repeat(300)}.${'1'.repeat(300)}`;
    expect(formatDecimal(parseDecimal(long), 300, 'floor')).toBe(long);
    expect(parseDecimal('3412.50')).toEqual({ n: 341250n, d: 100n });
  });

  it.each([
    '',
    '.',
    '1.',
    '.1',
    '-1',
    '+1',
    '1e5',
    '1E5',
    '0x10',
    'Infinity',
    'NaN',
    ' 1',
    '1 ',
    '1_000',
    '1,000',
    '00',
    '01',
    '1.2.3',
    '1\n',
  ])('refuse %j', (text) => expect(() => parseDecimal(text)).toThrow(/not a plain decimal/));

  it('refuse any single character that is put where a digit stood', () => {
    fc.assert(
      fc.property(positiveDecimal, fc.nat(), fc.string({ minLength: 1, maxLength: 1 }), (text, at, character) => {
        const index = at % text.length;
        const changed = text.slice(0, index) + character + text.slice(index + 1);
        const plain = [...changed].every((c) => '0123456789.'.includes(c)) && changed.split('.').length <= 2;
        if (!plain) expect(() => parseDecimal(changed)).toThrow();
      }),
    );
  });

  it('add, subtract, multiply, divide and compare like fractions', () => {
    fc.assert(
      fc.property(positiveDecimal, positiveDecimal, (left, right) => {
        const [a, b] = [parseDecimal(left), parseDecimal(right)];
        const [x, y] = [read(left), read(right)];
        expect(floor(add(a, b))).toBe(down(plus(x, y)));
        expect(ceil(mul(a, b))).toBe(up(times(x, y)));
        expect(compare(mul(div(a, b), b), a)).toBe(0);
        expect(compare(add(sub(a, b), b), a)).toBe(0);
        expect(compare(a, b) + compare(b, a)).toBe(0);
      }),
    );
  });

  it('round below and above, also under zero', () => {
    expect([
      floor({ n: -7n, d: 2n }),
      ceil({ n: -7n, d: 2n }),
      floor({ n: 7n, d: 2n }),
      ceil({ n: 7n, d: 2n }),
    ]).toEqual([-4n, -3n, 3n, 4n]);
    expect(formatDecimal({ n: 1n, d: 3n }, 4, 'floor')).toBe('0.3333');
    expect(formatDecimal({ n: 1n, d: 3n }, 4, 'ceil')).toBe('0.3334');
    expect(compare(div({ n: 1n, d: 1n }, { n: -2n, d: 1n }), { n: -1n, d: 2n })).toBe(0);
    expect(() => div({ n: 1n, d: 1n }, { n: 0n, d: 1n })).toThrow(/divided by zero/);
  });

  it('turn token units into raw units and back', () => {
    expect(toRaw('1.2345678', 6)).toBe(1_234_567n);
    expect(toRaw('1.2345678', 6, 'ceil')).toBe(1_234_568n);
    expect([fromRaw(1_500_000n, 6), fromRaw(1n, 18), fromRaw(0n, 6), fromRaw(-25n, 1), fromRaw(7n, 0)]).toEqual([
      '1.5',
      '0.000000000000000001',
      '0',
      '-2.5',
      '7',
    ]);
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n }), fc.nat({ max: 77 }), (raw, decimals) => {
        expect(toRaw(fromRaw(raw, decimals), decimals)).toBe(raw);
      }),
    );
  });
});
