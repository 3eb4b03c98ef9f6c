import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberFault, typedNumber } from '../../electron/book/draft-number.ts';
import { readNumber, readWhole } from '../../electron/contract/typed-number.ts';
import { filterOf, NO_CHOICE } from '../../renderer/pages/firm-log/filter-choice.ts';
import { readAmount, readPercent } from '../../renderer/pages/hedge/typed-amount.ts';
import { pairOf } from '../../renderer/pages/listings/listing-input.ts';
import { NEW_BUILD, readBuild } from '../../renderer/pages/prices/build-input.ts';
import { readCellInput } from '../../renderer/pages/prices/cell-input.ts';
import { shortFault } from '../../renderer/pages/prices/checks-of.ts';

const digits = (min: number, max: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: min, maxLength: max }).map((all) => all.join(''));
const whole = fc.bigInt({ min: 0n, max: 10n ** 30n }).map(String);

/** An independent grouping: from the right, three by three. */
function grouped(text: string, separator: string): string {
  const parts: string[] = [];
  for (let end = text.length; end > 0; end -= 3) parts.unshift(text.slice(Math.max(0, end - 3), end));
  return parts.join(separator);
}

describe('a number that a person types', () => {
  it('is read with and without its thousands grouped, digit for digit', () => {
    fc.assert(
      fc.property(whole, digits(0, 20), fc.constantFrom('', ',', ' ', ' ', ' '), (units, fraction, separator) => {
        const tail = fraction === '' ? '' : `.${fraction}`;
        expect(readNumber(grouped(units, separator) + tail)).toEqual({ text: units + tail, fault: null });
      }),
    );
  });

  it('is never read where a separator stands anywhere but between thousands', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9,. ]{1,14}$/), (typed) => {
        const { text } = readNumber(typed);
        if (text === null || !/[, ]/.test(typed.trim())) return;
        const [units = '', fraction] = typed.trim().split('.');
        expect([grouped(units.replace(/[, ]/g, ''), ','), grouped(units.replace(/[, ]/g, ''), ' ')]).toContain(units);
        expect(fraction ?? '').not.toMatch(/[, ]/);
      }),
      { numRuns: 2_000 },
    );
  });

  it('with a decimal comma is refused with both readings', () => {
    const notThree = digits(1, 9).filter(({ length }) => length !== 3);
    fc.assert(
      fc.property(whole, notThree, (units, fraction) => {
        const { text, fault } = readNumber(`${units},${fraction}`);
        expect(text).toBeNull();
        expect(fault).toContain(`${units}.${fraction} or ${BigInt(units + fraction)}?`);
      }),
    );
  });

  it.each([
    ['12,5', 'has a comma: 12.5 or 125?'],
    ['2,5', 'has a comma: 2.5 or 25?'],
    ['0,125', 'has a comma: 0.125 or 125?'],
    ['1.234,56', 'has a comma: 1234.56 or 1.23456?'],
    ['1 234,5', 'has a comma: 1234.5 or 12345?'],
    ['+2,5', 'has a comma: +2.5 or +25?'],
    ['-2,5bp', 'has a comma: -2.5 or -25?'],
    ['3400,1.5', 'has a comma that does not separate thousands'],
    ['1,23,456', 'has a comma that does not separate thousands'],
    ['12 5', 'has a space that does not separate thousands'],
    ['1,000 000', 'has a comma that does not separate thousands'],
    ['-5', 'must not be negative'],
    ['1e3', 'must be written out, without an exponent'],
    ['NaN', 'must be a number'],
    ['0x10', 'must be a plain decimal number such as 3412.5'],
    ['1.2.3', 'must be a plain decimal number such as 3412.5'],
    ['.', 'must be a plain decimal number such as 3412.5'],
  ])('%s is none, and it says why', (typed, fault) => {
    expect(readNumber(typed)).toEqual({ text: null, fault });
  });
});

describe('every field that takes a number', () => {
  const faulty = ['12,5', '2,5', '0,125', '3400,1.5', '12 5'];
  const known = { pairs: [], given: [], tokens: [{ chainId: 1, address: '0x1', symbol: 'USDC', decimals: 6 }] };

  it.each(faulty)('refuses %s in its own words', (typed) => {
    const { fault } = readNumber(typed);
    expect(fault).not.toBeNull();
    expect(numberFault(typedNumber(typed)), 'a cell of a draft').toBe(fault);
    expect(typedNumber(readCellInput(typed, '3411.40', { places: 2, cut: 'down' })), 'the ladder’s cell').toBe(typed);
    expect(readAmount(typed, 18).fault, 'the ticket').toBe(fault);
    expect(readPercent(typed).fault, 'a percentage').toBe(fault);
    expect(readWhole(typed, 0, 1_000).fault, 'a count').toBe(fault);
    const built = readBuild({ ...NEW_BUILD, sizeOf: 'quote', price: typed, size: typed, levels: typed });
    expect(built).toMatchObject({ form: null, faults: { price: fault, size: fault, levels: fault } });
    const sized = filterOf({ ...NO_CHOICE, token: 'USDC', min: '1', max: typed }, known, 0);
    expect(sized, 'the size filter').toMatchObject({ filter: {}, unknown: { size: expect.any(String) } });
    expect(sized.filter.size).toBeUndefined();
    expect(() => pairOf({ base: 'WETH', quote: 'USDC', liquidityUSD: typed }), 'liquidity').toThrow();
  });

  it('takes thousands grouped rightly', () => {
    expect(typedNumber('3,412.50')).toBe('3412.50');
    expect(readCellInput('+1,000', '3411.40', { places: 2, cut: 'down' })).toBe('4411.40');
    expect(readAmount('1,234.5', 6)).toEqual({ raw: '1234500000', fault: null });
    expect(readBuild({ ...NEW_BUILD, price: '1', sizeOf: 'quote', size: '10,000' }).form?.size).toEqual({
      of: 'quote',
      amount: '10000',
    });
    expect(pairOf({ base: 'WETH', quote: 'USDC', liquidityUSD: '$1,000,000' }).liquidityUSD).toBe(1_000_000);
  });

  it('a relative change with a decimal comma changes nothing by itself', () => {
    const column = { places: 2, cut: 'down' } as const;
    for (const typed of ['+2,5', '-2,5bp', '*1,25']) expect(readCellInput(typed, '3411.40', column)).toBe(typed);
  });

  it('a count that is none says what it may be', () => {
    for (const typed of ['x', '1.5', '0', '51', '-1']) {
      expect(readWhole(typed, 1, 50)).toEqual({ value: null, fault: 'must be a whole number from 1 to 50' });
    }
    expect(readWhole('1,000', 1, 5_000)).toEqual({ value: 1_000, fault: null });
  });

  it('the readings fit beside the cell', () => {
    const beside = (value: string) => shortFault({ value, fault: readNumber(value).fault ?? '' });
    expect(beside('12,5')).toBe('has a comma: 12.5 or 125?');
    expect(beside('3412,5')).toBe('3412.5 or 34125?');
    expect(beside('341234567,56')).toBe('has a misplaced comma');
  });
});
