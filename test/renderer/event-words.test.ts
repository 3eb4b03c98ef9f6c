import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test } from 'vitest';
import type { EventRow } from '../../electron/contract/journal.ts';
import { EventWords, wordsTip } from '../../renderer/pages/journal/event-words.tsx';
import { setNumberForm } from '../../renderer/state/number-form.ts';

const row = {
  sentence: [
    { text: 'signed: we give ' },
    { text: '12.62500412… WETH', as: 'after', amount: { raw: '12625004123000000000', decimals: 18, symbol: 'WETH' } },
    { text: ' for ' },
    { text: '43,051.2 USDC', as: 'after', amount: { raw: '43051200000', decimals: 6, symbol: 'USDC' } },
    { text: ' to ' },
    { text: '9 raw' },
  ],
} as EventRow;

const said = (whole: boolean) =>
  renderToStaticMarkup(createElement(EventWords, { row, whole })).replace(/<[^>]*>/g, '');

afterEach(() => setNumberForm('point'));

test('an amount in a sentence of the journal is as long as in the log, and whole where the event is opened', () => {
  expect(said(false)).toBe('signed: we give 12.6250 WETH for 43,051.20 USDC to 9 raw');
  expect(said(true)).toBe('signed: we give 12.625004123 WETH for 43,051.2 USDC to 9 raw');
});

test('the tooltip says the sentence as it stands, and below it what was shortened, whole', () => {
  expect(wordsTip(row)).toBe(
    'signed: we give 12.6250 WETH for 43,051.20 USDC to 9 raw\n12.625004123 WETH\n43,051.2 USDC',
  );
});

test('what a bid pays is cut up, as in the log, and a loss has its minus', () => {
  const amount = { raw: '-1000001', decimals: 6, symbol: 'USDC' };
  const paid = { sentence: [{ text: '', amount: { ...amount, raw: '1000001', up: true } }] } as EventRow;
  expect(renderToStaticMarkup(createElement(EventWords, { row: paid }))).toContain('1.01 USDC');
  const lost = { sentence: [{ text: '', amount }] } as EventRow;
  expect(renderToStaticMarkup(createElement(EventWords, { row: lost }))).toContain('−1.00 USDC');
});

test('amounts follow the number form of whoever reads them', () => {
  setNumberForm('comma');
  expect(said(false)).toContain('12,6250 WETH for 43.051,20 USDC');
});
