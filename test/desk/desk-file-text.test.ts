import { expect, onTestFinished, test } from 'vitest';
import { deskFileText, readDeskFile } from '../../electron/contract/desk-file-text.ts';
import { openFolderClient } from '../../electron/desk/folder-client.ts';
import { CHAIN, chain, deskFile, folder } from '../book/fixture.ts';

const PAIRS = 500;
const LEVELS = 20;
const LONGEST = 64 * 1024;

/** The desk of a folder with 500 pairs of 20 levels a side, and two chains of which one is empty. */
async function busyDesk() {
  const token = (number: number) => `0x${(number + 1).toString(16).padStart(40, '0')}`;
  const numbers = Array.from({ length: PAIRS }, (_, number) => number);
  const side = (step: number) =>
    Array.from({ length: LEVELS }, (_, level) => [`${500 + step * (level + 1)}.25`, '2.5']);
  const usdc = { symbol: 'USDC', name: 'USD Coin', address: token(PAIRS), decimals: 6, type: 'ERC20' };
  const tokens = numbers.map((number) => [
    `T${number}`,
    { symbol: `T${number}`, name: `Token "${number}"`, address: token(number), decimals: 18, type: 'ERC20' },
  ]);
  const busy = chain({
    tokens: { USDC: usdc, ...Object.fromEntries(tokens) },
    pairs: Object.fromEntries(
      numbers.map((number) => [`T${number}/USDC`, { base: `T${number}`, quote: 'USDC', liquidityUSD: 1 }]),
    ),
    prices: Object.fromEntries(numbers.map((number) => [`T${number}/USDC`, { bids: side(-1), asks: side(1) }])),
    off: { 'T1/USDC': ['asks'] },
  });
  const empty = chain({ chainId: CHAIN + 1, basePath: '/other', tokens: {}, pairs: {}, prices: {} });
  const { desk, close } = await openFolderClient(folder(), 'mara', async () => 'a passphrase');
  onTestFinished(close);
  await desk.desk.import({ desk: { ...deskFile(), chains: [busy, empty] } });
  return { desk, chains: [busy, empty] };
}

test('the export of a desk of 500 pairs comes in small parts, each in a turn of its own, and is whole', async () => {
  const { desk, chains } = await busyDesk();
  let [turn, counting] = [0, true];
  const count = () => {
    turn += 1;
    if (counting) setImmediate(count);
  };
  count();
  const parts: { text: string; turn: number }[] = [];
  for await (const { text } of await desk.desk.export({})) parts.push({ text, turn });
  counting = false;
  expect(parts.length).toBeGreaterThan(10);
  expect(Math.max(...parts.map(({ text }) => text.length))).toBeLessThan(LONGEST);
  // Whatever else waited for the thread had it between any two of them.
  expect(new Set(parts.map((part) => part.turn)).size).toBe(parts.length);
  const read = JSON.parse(parts.map(({ text }) => text).join(''));
  expect(read).toMatchObject({ version: 1, chains });
});

test('what was exported imports again to the same desk', async () => {
  const { desk } = await busyDesk();
  const exported = await readDeskFile(await desk.desk.export({}));
  await desk.desk.import({ desk: exported });
  expect(await readDeskFile(await desk.desk.export({}))).toEqual(exported);
});

test('a desk file reads in parts as it reads whole, whatever is missing in it', async () => {
  const empty = { version: 1, deadlineMs: 3_000, chains: [], counterparties: [], serviceKeys: undefined } as const;
  expect([...deskFileText({ ...empty, chains: [], counterparties: [] })].join('')).toBe(JSON.stringify(empty));
});
