import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { intentRecordSchema } from '../../../electron/practice/intents/intent-store.ts';
import {
  cancelBodySchema,
  intentBuildAnswerSchema,
  intentBuildBodySchema,
  intentSubmitBodySchema,
  onChainOrderTypeSchema,
} from '../../../electron/protocol/intent-build.ts';
import {
  intentListQuerySchema,
  intentListSchema,
  intentStatusSchema,
} from '../../../electron/protocol/intent-order-record.ts';
import {
  intentPriceSchema,
  intentPricesQuerySchema,
  quoteAnswerSchema,
  quoteQuerySchema,
} from '../../../electron/protocol/intent-wire.ts';
import { COVERED } from './coverage.ts';

const source = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');

test.each([...new Set(COVERED.map(([, , file]) => file))])('every test named of %s is there', (file) => {
  const text = source(file);
  const names = new Set([...text.matchAll(/\(\s*'([^'\n]+)',/g)].map(([, name]) => name));
  expect(COVERED.filter(([, , of, name]) => of === file && !names.has(name))).toEqual([]);
});

test('no row stands twice', () => {
  const rows = COVERED.map(([section, row]) => `${section} ${row}`);
  expect(rows.filter((row, index) => rows.indexOf(row) !== index)).toEqual([]);
});

test('every error text of section 7 is expected by the file that covers it', () => {
  const texts = COVERED.filter(([section]) => section === '7').map(([, row, file]) => {
    const [, text = ''] = /^\w+: (?:400 |422 )?(.+)$/.exec(row) ?? [];
    return [text, file] as const;
  });
  // The totals of TWAPs share a text that the tests put together.
  const missing = texts.filter(([text, file]) => !source(file).includes(text.replace(/^\w+ must/, ' must').trim()));
  expect(texts.length).toBeGreaterThan(25);
  expect(missing).toEqual([]);
});

const SHAPES: [string, string, Record<string, unknown>][] = [
  ['2.4', '', quoteAnswerSchema.shape],
  ['2.4', '', intentPriceSchema.shape],
  ['2.5', '', intentRecordSchema.shape],
  ['3', '', intentStatusSchema.enum],
  ['4.3', '', quoteQuerySchema.shape],
  ['4.4', 'prices', intentPricesQuerySchema.shape],
  ['4.4', 'build', intentBuildBodySchema.shape],
  ['4.4', 'build', intentBuildAnswerSchema.shape],
  ['4.4', 'submit', intentSubmitBodySchema.shape],
  ['4.4', 'list', intentListQuerySchema.shape],
  ['4.4', 'list', intentListSchema.shape],
  ['4.4', 'cancel', cancelBodySchema.shape],
];
test.each(SHAPES)('every name of section %s %s that the wire has is covered', (section, operation, shape) => {
  const covered = COVERED.filter(([of, row]) => of === section && row.startsWith(operation)).map(([, row]) => row);
  const missing = Object.keys(shape).filter((name) => !covered.some((row) => new RegExp(`\\b${name}\\b`).test(row)));
  expect(missing).toEqual([]);
});

test('each kind of order is built by a test', () => {
  const text = source('builds.test.ts');
  expect(onChainOrderTypeSchema.options.filter((kind) => !text.includes(`['${kind}',`))).toEqual([]);
});
