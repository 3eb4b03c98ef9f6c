import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { DollarFigure } from '../../renderer/pages/results/dollar-figure.tsx';

const title = (missing: number, of?: 'mark') =>
  /title="([^"]*)"/.exec(renderToStaticMarkup(createElement(DollarFigure, { figure: '2', missing, of })))?.[1];

test('what has no reference price is counted by what it is: three marks of one fill are not three fills', () => {
  expect(title(3)).toBe('3 fills have no reference price at that moment: their part counts as inventory.');
  expect(title(1)).toBe('1 fill has no reference price at that moment: its part counts as inventory.');
  expect(title(3, 'mark')).toBe('3 marks have no reference price at that moment: their part counts as inventory.');
});
