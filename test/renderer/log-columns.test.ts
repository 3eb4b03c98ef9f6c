import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { QuoteRow } from '../../electron/contract/quote-log.ts';
import type { TokenFigure } from '../../renderer/components/figures/amounts.ts';
import { fittingColumns } from '../../renderer/components/table-columns.ts';
import { logColumns } from '../../renderer/pages/firm-log/log-columns.tsx';
import { baseAndQuote } from '../../renderer/state/quote-figures.ts';

const WETH = { address: `0x${'1'.repeat(40)}`, symbol: 'WETH', decimals: 18 } as const;
const USDC = { address: `0x${'2'.repeat(40)}`, symbol: 'USDC', decimals: 6 } as const;
const LISTED: readonly (TokenFigure & { address: string })[] = [WETH, USDC];
const TWO_WETH = 2n * 10n ** 18n;
const SOLD: Partial<QuoteRow> = {
  state: 'part_filled',
  outcome: 'open',
  side: 'asks',
  orderHash: `0x${'ab'.repeat(32)}`,
  makerAsset: WETH.address,
  takerAsset: USDC.address,
  makerAmount: `${TWO_WETH}`,
  takerAmount: '6800000000',
};

/** Whether the row of an order, so much of it filled, offers to cancel it. */
function offersCancel(change: Partial<QuoteRow>, tokens = LISTED): boolean {
  const row = { ...SOLD, ...change } as QuoteRow;
  const figures = baseAndQuote(row, (address) => tokens.find((token) => token.address === address));
  const column = logColumns(1).find(({ id }) => id === 'cancel');
  const cell = column?.cell({ row, ...figures, price: null, chain: '', today: '', onCancel: () => {} });
  return renderToStaticMarkup(createElement('td', null, cell)).includes('Cancel…');
}

test('an order that is filled but for dust is not offered to be cancelled: what is left is worth less than 1 USDC', () => {
  const filledBut = (weth: bigint) => ({ filledMakerAmount: `${TWO_WETH - weth}` });
  // At 3,400 USDC a WETH.
  expect(offersCancel(filledBut(294_000_000_000_000n))).toBe(false);
  expect(offersCancel(filledBut(295_000_000_000_000n))).toBe(true);
  expect(offersCancel(filledBut(TWO_WETH))).toBe(true);
});

test('what is left of an order that pays in quote tokens is judged by the same amount', () => {
  const bought = {
    side: 'bids',
    makerAsset: USDC.address,
    takerAsset: WETH.address,
    makerAmount: '6800000000',
    takerAmount: `${TWO_WETH}`,
  } as const;
  expect(offersCancel({ ...bought, filledMakerAmount: '6799000001' })).toBe(false);
  expect(offersCancel({ ...bought, filledMakerAmount: '6799000000' })).toBe(true);
});

test('of no token is more than a whole one dust, however few decimals it has', () => {
  const coarse = (decimals: number) => [WETH, { ...USDC, symbol: 'COARSE', decimals }];
  const sold = { makerAmount: '100', takerAmount: '100', filledMakerAmount: '99' };
  expect(offersCancel(sold, coarse(0))).toBe(true);
  expect(offersCancel(sold, coarse(1))).toBe(false);
  expect(offersCancel({ ...sold, filledMakerAmount: '90' }, coarse(1))).toBe(true);
});

test('what cannot be judged is no dust, and an order that is over is never offered', () => {
  const nearly = { filledMakerAmount: `${TWO_WETH - 1n}` };
  expect(offersCancel(nearly, [])).toBe(true);
  expect(offersCancel({ ...nearly, makerAmount: null })).toBe(true);
  expect(offersCancel({ state: 'expired', outcome: 'filled', filledMakerAmount: '1' })).toBe(false);
});

test('an order can still be cancelled from its row in a small window: what it took, its hash and its user give way first', () => {
  const idsIn = (room: number) => fittingColumns(logColumns(1), {}, room).map(({ id }) => id);
  expect(idsIn(950)).toContain('cancel');
  expect(idsIn(780)).toEqual(['time', 'state', 'pair', 'we', 'amount', 'price', 'cancel']);
});
