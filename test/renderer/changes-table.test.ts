import { expect, test } from 'vitest';
import { changeTexts } from '../../renderer/components/changes-table.tsx';

const said = (before: string | null, after: string | null, unit?: string) => {
  const texts = changeTexts({
    about: 'Practice (31337)',
    what: 'at most in one quote',
    before,
    after,
    ...(unit && { unit }),
  });
  return [texts.now, texts.next, texts.further].map((text) => text?.replaceAll('\u00a0', ' ') ?? null);
};

test('amounts that would change are grouped, line up, have their unit, and say how far they go', () => {
  expect(said('20000', '25000', 'USDC')).toEqual(['20,000 USDC', '25,000 USDC', '+25.0 %']);
  expect(said('20000', '250000', 'USDC')).toEqual(['20,000 USDC', '250,000 USDC', '+1,150.0 %']);
  expect(said('5', '8.125', 'WETH')).toEqual(['5.000 WETH', '8.125 WETH', '+62.5 %']);
  expect(said('3', '1', 'WETH'), 'cut away from zero').toEqual(['3 WETH', '1 WETH', '−66.7 %']);
  expect(said(null, '8000', 'WETH')).toEqual([null, '8,000 WETH', null]);
  expect(said('0', '8', 'WETH')).toEqual(['0 WETH', '8 WETH', null]);
});

test('what is no amount stays as it is, also where it is all digits', () => {
  expect(said('12345678', '87654321')).toEqual(['12345678', '87654321', null]);
  expect(said('5 when it was last seen', '8000', 'WETH')).toEqual(['5 when it was last seen', '8,000 WETH', null]);
});
