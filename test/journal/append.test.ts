import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { JournalEvent } from '../../electron/journal/events.ts';
import { headFile, readHead } from '../../electron/journal/head-file.ts';
import { GENESIS_HASH } from '../../electron/journal/row-hash.ts';
import { verifyJournal } from '../../electron/journal/verify.ts';
import { openTestJournal, temporaryFolder } from './fixture.ts';
import { CHAIN, quote, quoteBody } from './sample-events.ts';

test('events get numbers from 1 in the order they were appended', async () => {
  const journal = await openTestJournal();
  expect(journal.head()).toEqual({ seq: 0, hash: GENESIS_HASH });
  const seqs = await Promise.all(Array.from({ length: 700 }, (_, number) => journal.append(quote(number))));
  expect(seqs).toEqual(Array.from({ length: 700 }, (_, index) => index + 1));
  expect(journal.head().seq).toBe(700);
});

test('an answered append is seen by the next query, as it was written', async () => {
  const journal = await openTestJournal();
  const seq = await journal.append(quote(1));
  const detail = await journal.read.quote(seq);
  const { receivedAt: _receivedAt, ...body } = quoteBody(1);
  expect(detail).toEqual({
    ...body,
    seq,
    edgeTenthBps: null,
    time: '2026-11-01T00:00:00.001Z',
    state: 'live',
    outcome: 'open',
    transactions: [],
    filledMakerAmount: '0',
    filledTakerAmount: '0',
    hash: journal.head().hash,
  });
  expect(await journal.read.quoteByHash(CHAIN, quoteBody(1).orderHash ?? '')).toEqual(detail);
  expect(await journal.read.quoteByHash(1, quoteBody(1).orderHash ?? '')).toBeNull();
  expect(await journal.read.quote(seq + 1)).toBeNull();
});

test('whoever listens hears of each row once, in order, before its append is answered', async () => {
  const journal = await openTestJournal();
  const heard: JournalEvent[] = [];
  journal.onAppended(() => {
    throw new Error('a listener that fails');
  });
  journal.onAppended((events) => heard.push(...events));
  await Promise.all(
    Array.from({ length: 50 }, async (_, number) => {
      const seq = await journal.append(quote(number));
      expect(heard.find((event) => event.seq === seq)).toMatchObject({ kind: 'quote', body: quoteBody(number) });
    }),
  );
  expect(heard.map((event) => event.seq)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  expect(heard.at(-1)?.hash).toBe(journal.head().hash);
});

test('a row that may wait goes to the disk with the next one that does not, in the order given, and by itself in a moment', async () => {
  const journal = await openTestJournal();
  const commits: number[][] = [];
  journal.onAppended((events) => commits.push(events.map(({ seq }) => seq)));
  const waiting = journal.append(quote(1), 'for-others');
  await nextTurn();
  const seqs = await Promise.all([waiting, journal.append(quote(2)), journal.append(quote(3), 'for-others')]);
  expect(seqs).toEqual([1, 2, 3]);
  expect(commits).toEqual([[1, 2, 3]]);
  expect(await journal.append(quote(4), 'for-others')).toBe(4);
  const last = journal.append(quote(5), 'for-others');
  await journal.close();
  expect(await last, 'closing writes it too').toBe(5);
});

test('closing writes what was appended before, and nothing after', async () => {
  const folder = temporaryFolder();
  const journal = await openTestJournal(folder);
  const appended = Promise.all(Array.from({ length: 1_500 }, (_, number) => journal.append(quote(number))));
  const closed = journal.close();
  await expect(journal.append(quote(9_999))).rejects.toMatchObject({ code: 'journal_closed' });
  await Promise.all([appended, closed]);
  expect(existsSync(join(folder, 'journal.db-wal'))).toBe(false);
  expect(readHead(headFile(folder))).toEqual(journal.head());
  expect(await verifyJournal(folder)).toEqual({ ok: true, total: 1_500, firstBad: null, detail: null });
});

test('an opened journal goes on where it ended', async () => {
  const folder = temporaryFolder();
  const first = await openTestJournal(folder);
  await first.append(quote(1));
  await first.close();
  const second = await openTestJournal(folder);
  expect(second.head()).toEqual(first.head());
  expect(await second.append(quote(2))).toBe(2);
  expect(await verifyJournal(folder)).toMatchObject({ ok: true, total: 2 });
});

test('plain rows are kept outside the chain, and the last value counts', async () => {
  const journal = await openTestJournal();
  const draft = { chainId: CHAIN, pair: 'WETH/USDC', version: 4, baseRevision: 3, bids: [], asks: [], faults: [] };
  const beat = { endpoint: 'prices' as const, at: 5, by: 'practice', status: 200 };
  await Promise.all([
    journal.put({ table: 'drafts', chainId: CHAIN, pair: 'WETH/USDC', draft }),
    journal.put({ table: 'drafts', chainId: CHAIN, pair: 'DAI/USDC', draft }),
    journal.put({ table: 'drafts', chainId: CHAIN, pair: 'DAI/USDC', draft: null }),
    journal.put({ table: 'heartbeats', chainId: CHAIN, beat: { ...beat, at: 4 } }),
    journal.put({ table: 'heartbeats', chainId: CHAIN, beat }),
    journal.put({ table: 'settings', key: 'theme', value: { dark: true } }),
    journal.put({ table: 'reference_samples', chainId: CHAIN, pair: 'WETH/USDC', time: 10, heard: 10, mid: '3412.1' }),
    journal.put({ table: 'reference_samples', chainId: CHAIN, pair: 'WETH/USDC', time: 11, heard: 13, mid: '3412.2' }),
  ]);
  expect(journal.head().seq).toBe(0);
  expect(await journal.read.drafts()).toEqual([{ chainId: CHAIN, pair: 'WETH/USDC', draft }]);
  expect(await journal.read.heartbeats()).toEqual([{ chainId: CHAIN, beat }]);
  expect(await journal.read.setting('theme')).toEqual({ dark: true });
  expect(await journal.read.setting('unknown')).toBeNull();
  expect(await journal.read.referenceSamples(CHAIN, 'WETH/USDC', 11, 20)).toEqual([
    { time: 11, heard: 13, mid: '3412.2', midTime: 11, until: null },
  ]);
});
