import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import {
  transactionEnvelopeSchema,
  transactionsBodySchema,
  transactionsQuerySchema,
} from '../../../electron/protocol/market-transaction.ts';
import { pricesQuerySchema } from '../../../electron/protocol/market-wire.ts';
import { COVERED } from './coverage.ts';

const source = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');

test.each([...new Set(COVERED.map(([, , file]) => file))])('every test named of %s is there', (file) => {
  const text = source(file);
  const missing = COVERED.filter(([, , of, name]) => of === file && !text.includes(`('${name}',`));
  expect(missing).toEqual([]);
});

test('no row stands twice', () => {
  const rows = COVERED.map(([section, row]) => `${section} ${row}`);
  expect(rows.filter((row, index) => rows.indexOf(row) !== index)).toEqual([]);
});

test('every error text of section 7 is expected by the file that covers it', () => {
  const texts = COVERED.filter(([section]) => section === '7').flatMap(([, row, file]) => {
    const [, text] = /^(?:4\d\d|revert) (.+?)(?:, .+)?$/.exec(row) ?? [];
    return text === undefined ? [] : [[text, file] as const];
  });
  // A name of a test is no expectation.
  const expected = (file: string) => source(file).replace(/^\s*(?:test|it|describe)\(.*$/gm, '');
  expect(texts.filter(([text, file]) => !expected(file).includes(text))).toEqual([]);
  expect(new Set(texts.map(([text]) => text)).size).toBe(8);
});

const SHAPES: [string, Record<string, z.ZodType>][] = [
  ['4.1', pricesQuerySchema.shape],
  ['4.2', transactionsQuerySchema.shape],
  ['4.2', transactionsBodySchema.shape],
  ['2.3', transactionEnvelopeSchema.shape],
];
test.each(SHAPES)('every field of section %s that the wire has is covered', (section, shape) => {
  const covered = COVERED.filter(([of]) => of === section).map(([, row]) => row);
  const missing = Object.keys(shape).filter((field) => !covered.some((row) => new RegExp(`\\b${field}\\b`).test(row)));
  expect(missing).toEqual([]);
});
