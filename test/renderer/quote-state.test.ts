import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { QuoteRow } from '../../electron/contract/quote-log.ts';
import { QuoteState } from '../../renderer/components/quote-state.tsx';

/** What a row says of its quote of 200 units, as words. */
function said(row: Pick<QuoteRow, 'state' | 'outcome' | 'filledMakerAmount'>): string {
  const whole = { ...row, makerAmount: '200', code: null, expiry: null } as QuoteRow;
  const markup = renderToStaticMarkup(createElement(QuoteState, { row: whole }));
  return markup
    .replace(/<svg.*?<\/svg>/g, '')
    .replace(/<[^>]*>/g, '')
    .replaceAll('\u00a0', ' ');
}

test('a quote says how much of it was filled, also once it was cancelled or its time is over', () => {
  expect(said({ state: 'part_filled', outcome: 'open', filledMakerAmount: '198' })).toBe('99.0 % filled');
  expect(said({ state: 'cancelled', outcome: 'filled', filledMakerAmount: '50' })).toBe('Cancelled 25.0 %');
  expect(said({ state: 'cancelled', outcome: 'cancelled', filledMakerAmount: '0' })).toBe('Cancelled');
  expect(said({ state: 'expired', outcome: 'filled', filledMakerAmount: '198' })).toBe('Filled 99.0 %');
  expect(said({ state: 'filled', outcome: 'filled', filledMakerAmount: '200' })).toBe('Filled');
});
