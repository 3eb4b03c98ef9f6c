import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  allowanceText,
  amountText,
  shortAmountText,
  wholeAmountText,
} from '../../renderer/components/figures/amounts.ts';
import { filledText, percentText, plural, shortHex } from '../../renderer/components/figures/counts.ts';
import {
  compareDecimals,
  groupedText,
  plainText,
  ratio,
  readDecimal,
  sum,
  withPlaces,
} from '../../renderer/components/figures/decimal-text.ts';
import {
  decimalText,
  distanceBpsText,
  narrowPricePlaces,
  pricePlaces,
  tradePriceText,
} from '../../renderer/components/figures/prices.ts';
import {
  ageText,
  clockText,
  clockTextBeside,
  countdownText,
  datedText,
  momentText,
} from '../../renderer/components/figures/times.ts';
import { dollarPriceText } from '../../renderer/pages/listings/tokens-panel.tsx';

const USDC = { symbol: 'USDC', decimals: 6 };
const WETH = { symbol: 'WETH', decimals: 18 };
const decimal = fc.tuple(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.integer({ min: 0, max: 30 }));

describe('decimals', () => {
  test('what is written plainly is read back as it was', () => {
    fc.assert(
      fc.property(decimal, ([digits, places]) => {
        expect(readDecimal(plainText({ digits, places }))).toEqual({ digits, places });
      }),
    );
  });

  test('fewer places are cut towards zero or away from it, by less than one of the last place', () => {
    fc.assert(
      fc.property(decimal, fc.integer({ min: 0, max: 30 }), ([digits, places], kept) => {
        const value = { digits, places };
        const [down, up] = [withPlaces(value, kept, 'down'), withPlaces(value, kept, 'up')];
        const size = (text: typeof value) => ({ ...text, digits: text.digits < 0n ? -text.digits : text.digits });
        expect(compareDecimals(size(down), size(value))).toBeLessThanOrEqual(0);
        expect(compareDecimals(size(up), size(value))).toBeGreaterThanOrEqual(0);
        const apart = up.digits - down.digits;
        expect([-1n, 0n, 1n]).toContain(apart);
      }),
    );
  });

  test('adding is exact whatever the number of places', () => {
    fc.assert(
      fc.property(decimal, decimal, ([a, ap], [b, bp]) => {
        const added = sum({ digits: a, places: ap }, { digits: b, places: bp });
        const scale = 10n ** BigInt(added.places);
        expect(added.digits * 10n ** BigInt(ap + bp)).toBe((a * 10n ** BigInt(bp) + b * 10n ** BigInt(ap)) * scale);
      }),
    );
  });

  test('a ratio times its divisor is the dividend, up to what was cut', () => {
    const third = ratio({ digits: 1n, places: 0 }, { digits: 3n, places: 0 }, 6, 'down');
    expect(third && plainText(third)).toBe('0.333333');
    const cut = ratio({ digits: 1n, places: 0 }, { digits: 3n, places: 0 }, 6, 'up');
    expect(cut && plainText(cut)).toBe('0.333334');
    expect(ratio({ digits: 1n, places: 0 }, { digits: 0n, places: 3 }, 6, 'up')).toBeNull();
  });

  test('thousands are grouped, minus is a minus sign, what is no plain number is not read', () => {
    expect(groupedText({ digits: -123456789n, places: 2 })).toBe('−1,234,567.89');
    expect(groupedText({ digits: 12345n, places: 0 })).toBe('12,345');
    expect(groupedText({ digits: 5n, places: 3 })).toBe('0.005');
    for (const text of ['', '1e3', 'Infinity', '1,000', ' 1', '.5', '1.', '0x10']) expect(readDecimal(text)).toBeNull();
  });
});

describe('amounts', () => {
  test('a table shows a token with its own number of decimals, cut towards the desk’s disadvantage', () => {
    expect(amountText('43062172599', USDC)).toBe('43,062.17');
    expect(amountText('43062172599', USDC, 'up')).toBe('43,062.18');
    expect(amountText('12625099999999999999', WETH)).toBe('12.6250');
    expect(amountText('0', WETH)).toBe('0');
    expect(amountText('1', WETH)).toBe('0.0000');
    expect(amountText('1', WETH, 'up')).toBe('0.0001');
  });

  test('more digits than a float holds come out whole', () => {
    expect(wholeAmountText('123456789012345678901234567890', 18)).toBe('123,456,789,012.34567890123456789');
    expect(wholeAmountText('1000000', 6)).toBe('1');
  });

  test('the strip shows fewer decimals the larger the amount', () => {
    expect(shortAmountText('18137212000000', USDC)).toBe('18,137,212');
    expect(shortAmountText('412806100000000000000', WETH)).toBe('412.80');
    expect(shortAmountText('3160400000000000000', WETH)).toBe('3.1604');
  });
});

describe('allowances', () => {
  test('are amounts, unless nobody could ever use them up', () => {
    expect(allowanceText('61240000000', USDC)).toBe('61,240 USDC');
    expect(allowanceText(String(2n ** 256n - 1n), USDC)).toBe('unlimited');
  });
});

describe('prices', () => {
  test('a column has the decimals of its most exact price', () => {
    expect(pricePlaces(['3411.4', '3412.96', null, 'nonsense'])).toBe(2);
    expect(decimalText('3411.4', 2)).toBe('3,411.40');
    expect(decimalText('1e3', 2)).toBe('1e3');
  });

  test('the price of a trade is cut up where we buy and down where we sell', () => {
    const trade = { base: '3000000000000000000', quote: '10000000000', baseDecimals: 18, quoteDecimals: 6 };
    expect(tradePriceText({ ...trade, weBuy: true }, 2)).toBe('3,333.34');
    expect(tradePriceText({ ...trade, weBuy: false }, 2)).toBe('3,333.33');
    expect(tradePriceText({ ...trade, base: '0', weBuy: false }, 2)).toBeNull();
  });

  test('a distance in basis points is signed and has one decimal', () => {
    expect(distanceBpsText('3412.18', '3412')).toBe('+0.5');
    expect(distanceBpsText('3400', '3412')).toBe('−35.1');
    expect(distanceBpsText('3412', '3412.00')).toBe('0.0');
    expect(distanceBpsText('', '3412')).toBeNull();
  });
});

describe('times and counts', () => {
  test('ages and countdowns are short, and a countdown ends only when the time is over', () => {
    expect([0, 9_999, 119_000, 240_000, 7_200_000, 200_000_000, 20_787 * 86_400_000].map(ageText)).toEqual(
      ['0 s', '9 s', '119 s', '4 min', '2 h', '2 d', '20,787 d'].map((text) => text.replace(' ', '\u00a0')),
    );
    expect([147_000, 1, 0, -5_000, 3_747_000].map(countdownText)).toEqual(['2:27', '0:01', '0:00', '0:00', '1:02:27']);
  });

  test('times are UTC, with their day as soon as it is another one', () => {
    const noon = Date.UTC(2026, 10, 20, 12, 0, 5);
    expect(clockText(noon)).toBe('12:00:05');
    expect(momentText(noon, noon + 60_000)).toBe('12:00:05');
    expect(momentText(noon, noon + 86_400_000)).toBe('20 Nov 12:00:05');
  });

  test('a day of another year has its year, and two moments within a minute are told apart by their milliseconds', () => {
    const noon = Date.UTC(2026, 10, 20, 12, 0, 5, 7);
    expect(datedText(noon, noon + 86_400_000)).toBe('20 Nov');
    expect(datedText(noon, Date.UTC(2027, 0, 1))).toBe('20 Nov 2026');
    expect(clockTextBeside(noon, noon + 800)).toBe('12:00:05.007');
    expect([noon - 60_000, null].map((other) => clockTextBeside(noon, other))).toEqual(['12:00:05', '12:00:05']);
  });

  test('shares are cut, so nothing is called full that is not', () => {
    expect(filledText('999999', '1000000')).toBe('99.9');
    expect(filledText('5', '0')).toBe('0.0');
    expect(percentText(999, 1_000)).toBe('99');
    expect(percentText(0, 0)).toBe('—');
    expect([plural(1, 'quote'), plural(1_600, 'quote')]).toEqual(['1 quote', '1,600 quotes']);
    expect(shortHex(`0x${'7c41'.repeat(10)}`)).toBe('0x7c41…7c41');
  });
});

test('a narrow column shows six digits of a price below one, and all of any other', () => {
  expect(narrowPricePlaces(['0.000182134567', '0.000182226789'])).toBe(9);
  expect(narrowPricePlaces(['0.62', null])).toBe(2);
  expect(narrowPricePlaces(['3411.45', '3412.9'])).toBe(2);
  expect(narrowPricePlaces([null, null])).toBe(0);
});

test('the price of a token keeps its length while it moves: cents from a dollar up, four digits below', () => {
  const texts = ['1', '3410.7493', '97222.275', '0.9998123', '0.9', '0.000012345678', '0'].map(dollarPriceText);
  expect(texts).toEqual(['1.00', '3,410.74', '97,222.27', '0.9998', '0.9000', '0.00001234', '0.00']);
});
