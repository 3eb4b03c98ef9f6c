import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PairRow } from '../../electron/contract/book.ts';
import {
  headingDollars,
  quoteVolumeText,
  totalDollars,
  totalText,
  totalTitle,
  volumeText,
  volumeTitle,
} from '../../renderer/pages/desk/day-volume.ts';

const DOLLAR = { rate: '1', pair: null, time: null };
const WETH = { rate: '3412.38', pair: 'WETH/USDC', time: Date.UTC(2026, 10, 20, 12) };

function row(pair: string, signedVolume: string, dollars: PairRow['dollars']): PairRow {
  const [base = '', quote = ''] = pair.split('/');
  const today = { signed: 1, refused: 0, filled: 0, signedVolume, filledVolume: '0' };
  return { pair, base, quote, dollars, today } as PairRow;
}

test('a volume is told in thousands of dollars, cut, and in full with where its price is from', () => {
  const usdc = row('WETH/USDC', '38983.129999', DOLLAR);
  expect(volumeText(usdc.today.signedVolume, usdc)).toBe('38.9');
  expect(quoteVolumeText(usdc.today.signedVolume, usdc)).toBe('38,983.12\u00a0USDC');
  expect(volumeTitle('Signed', usdc.today.signedVolume, usdc)).toBe(
    'Signed 38,983.129999 USDC = $38,983.12\nUSDC counts as a dollar',
  );
  expect(volumeText('69.54', usdc), 'a trade is not nothing').toBe('<0.1');
  const weth = row('LINK/WETH', '2.5', WETH);
  expect(volumeText('2.5', weth)).toBe('8.5');
  expect(volumeTitle('Filled', '2.5', weth)).toEqual(
    expect.stringMatching(
      /^Filled 2.5 WETH = \$8,530.95\nAt the reference of WETH\/USDC now: 3412.38, of .*12:00:00 UTC$/,
    ),
  );
});

test('without a dollar price a volume stays in its quote token, and a total says that it is at least that', () => {
  const unpriced = row('ARB/WETH', '1.239', null);
  expect(volumeText('1.239', unpriced)).toBe('1.23\u00a0WETH');
  expect(volumeText('1239.9', unpriced)).toBe('1,239\u00a0WETH');
  const total = totalDollars([row('WETH/USDC', '67500000.9', DOLLAR), unpriced], 'signedVolume');
  expect(totalText(total)).toBe('≥\u00a067,500');
  expect(headingDollars(total)).toBe('≥\u00a0$67.5\u00a0M');
  expect(totalTitle(total)).toContain('Without ARB/WETH: no dollar price is known');
  // Nothing is worth nothing, whatever the token.
  expect(totalDollars([row('ARB/WETH', '0', null)], 'signedVolume').without).toEqual([]);
  expect(volumeText('0', row('ARB/WETH', '0', null))).toBe('0');
});

test('a total of any volumes is exact to the last unit', () => {
  const units = fc.array(fc.bigInt({ min: 0n, max: 10n ** 40n }), { maxLength: 20 });
  fc.assert(
    fc.property(units, (amounts) => {
      const rows = amounts.map((raw) =>
        row('A/USDC', `${raw / 1_000_000n}.${`${raw % 1_000_000n}`.padStart(6, '0')}`, DOLLAR),
      );
      const { dollars } = totalDollars(rows, 'signedVolume');
      const sum = amounts.reduce((total, raw) => total + raw, 0n);
      expect(dollars.digits * 10n ** 6n).toBe(sum * 10n ** BigInt(dollars.places));
    }),
  );
});
