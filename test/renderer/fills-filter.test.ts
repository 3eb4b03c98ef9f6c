import { expect, test } from 'vitest';
import { namesOf } from '../../electron/contract/given-names.ts';
import { type MarkedFill, markedFillSchema } from '../../electron/contract/quote-log.ts';
import { fillLine } from '../../renderer/pages/fills/export-fills.tsx';
import { userMeant } from '../../renderer/pages/fills/pick-user.tsx';

const [one, other] = [`0xa1f4${'0'.repeat(32)}45d3`, `0xa1f4${'1'.repeat(32)}99aa`];

test('a user is meant by the whole address, or by a shortened one that only one user on the page can be', () => {
  expect(userMeant(` ${one.toUpperCase().replace('0X', '0x')} `, [])).toBe(one);
  expect(userMeant('0xa1f4…45d3', [one, other, null, one])).toBe(one);
  expect(userMeant('0xa1f4...99aa', [one, other])).toBe(other);
  for (const text of ['0xa1f4', 'a1f4', '', '0x', '0xa1f4…ffff']) expect(userMeant(text, [one, other])).toBeNull();
});

const fill: MarkedFill = markedFillSchema.parse({
  seq: 41,
  time: Date.UTC(2026, 10, 23, 9),
  chainId: 1,
  pair: 'WETH/USDC',
  side: 'bids',
  quoteSeq: 40,
  orderHash: `0x${'0a'.repeat(32)}`,
  userAddress: `0x${'ab'.repeat(20)}`,
  taker: `0x${'cd'.repeat(20)}`,
  makerAsset: `0x${'e1'.repeat(20)}`,
  takerAsset: `0x${'e2'.repeat(20)}`,
  makerAmount: '3412500000',
  takerAmount: String(2n ** 80n),
  transactionHash: `0x${'0b'.repeat(32)}`,
  block: 7,
  reverted: false,
  price: '3412.5',
  reference: '3412',
  edge: -15,
  after10s: 20,
  after1m: 'not_yet',
  after5m: null,
  edgeQuote: '-0.5',
  edgeUsd: '-0.5',
});

test('a fill is written to the file with every digit of its amounts, and one that cannot be read only with where it stands', () => {
  const names = namesOf([{ of: 'user', id: fill.userAddress ?? '', name: '-Abel' }]);
  const fields = fillLine(fill, names).trimEnd().split(',');
  expect(fields.slice(0, 4)).toEqual(['41', '2026-11-23T09:00:00.000Z', '1', 'WETH/USDC']);
  expect(fields).toContain('1208925819614629174706176');
  expect(fields.at(-1), 'no spreadsheet runs a name').toBe("'-Abel");
  expect(fields.slice(13, 17)).toEqual(['-15', '20', 'not_yet', '']);
  const unreadable = fillLine({ ...fill, unreadable: 'its hash does not fit' }, names)
    .trimEnd()
    .split(',');
  expect(unreadable).toHaveLength(fields.length);
  expect(unreadable.filter((field) => field !== '')).toEqual([...fields.slice(0, 3), 'its hash does not fit']);
});
