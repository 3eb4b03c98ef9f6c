import { createElement, isValidElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { QuoteRow } from '../../electron/contract/quote-log.ts';
import { LeftOf, QuoteState } from '../../renderer/components/quote-state.tsx';

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

/** Whether a row of an order counts down to the end of its time. */
function countsDown(row: Pick<QuoteRow, 'state' | 'outcome' | 'filledMakerAmount'>, hasRest: boolean): boolean {
  const whole = { ...row, makerAmount: '200', code: null, expiry: 1_800_000_000 } as QuoteRow;
  const isIn = (node: ReactNode): boolean => {
    if (Array.isArray(node)) return node.some(isIn);
    if (!isValidElement<{ children?: ReactNode }>(node)) return false;
    return node.type === LeftOf || isIn(node.props.children);
  };
  return isIn(QuoteState({ row: whole, hasRest }));
}

test('an order that can still lose something says how long: also the rest of one that was filled in part, unless it is dust', () => {
  const part = { state: 'part_filled', outcome: 'open', filledMakerAmount: '50' } as const;
  expect(countsDown({ state: 'live', outcome: 'open', filledMakerAmount: '0' }, true)).toBe(true);
  expect(countsDown(part, true)).toBe(true);
  expect(countsDown(part, false)).toBe(false);
  expect(countsDown({ state: 'expired', outcome: 'filled', filledMakerAmount: '50' }, true)).toBe(false);
  expect(countsDown({ state: 'cancelled', outcome: 'cancelled', filledMakerAmount: '0' }, true)).toBe(false);
});
