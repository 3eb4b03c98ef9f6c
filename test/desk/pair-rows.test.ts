import { expect, test } from 'vitest';
import type { FollowOutcome } from '../../electron/book/follower.ts';
import type { Reference } from '../../electron/book/references.ts';
import { Figures } from '../../electron/desk/figures.ts';
import { openCommandLog } from '../../electron/desk/log.ts';
import { type PairFigures, type PairFollowing, pairRows } from '../../electron/desk/pair-rows.ts';
import { referencesOf } from '../../electron/desk/references-of.ts';
import { fillRatioText } from '../../renderer/pages/desk/fill-ratio.ts';
import { address, CHAIN, chain } from '../book/fixture.ts';
import { filling } from '../quoting/fills.ts';
import { firm, type OpenDesk, openDesk } from '../quoting/open-desk.ts';

const LINK = address('7');

const NOTHING: PairFigures = { today: () => undefined, draftCells: () => 0 };

function rowOf(desk: OpenDesk, pair: string, figures = NOTHING, outcomes: [string, FollowOutcome][] = []) {
  const book = desk.book.chain(CHAIN);
  if (book === undefined) throw new Error('no chain');
  const referenceOf = referencesOf({ book: desk.book, now: () => desk.now() });
  const followers = { of: () => ({ followers: new Map(outcomes) }) } as unknown as PairFollowing['followers'];
  const following = { referenceOf, followers, references: desk.book.references, now: desk.now() };
  return pairRows(book, desk.guard, figures, following).find((row) => row.pair === pair);
}

test('a pair tells what it signed today and what its ladder is worth, exactly, in its quote token', async () => {
  const desk = await openDesk();
  for (const _ of [1, 2]) expect((await firm(desk)).status).toBe(200);
  const log = openCommandLog(desk.folder, Date.now);
  const figures = new Figures({ journal: desk.journal, book: desk.book, now: Date.now, log });
  await expect.poll(() => figures.today(CHAIN, 'WETH/USDC')).toBeDefined();
  figures.close();
  const row = rowOf(desk, 'WETH/USDC', figures);
  expect(row).toMatchObject({ worth: { bids: '11942.5', asks: '3413' }, dollars: { rate: '1', pair: null } });
  expect(row?.today).toMatchObject({ signed: 2, signedVolume: '682.6', filledVolume: '0' });
});

test('an order filled in two parts is one of the orders filled, as Fills counts them', async () => {
  const desk = await openDesk();
  for (const _ of [1, 2]) expect((await firm(desk)).status).toBe(200);
  const parts = [await filling(desk, 0, { tenths: 5, place: 1 }), await filling(desk, 0, { tenths: 5, place: 2 })];
  for (const part of parts) await desk.journal.append(part);
  const log = openCommandLog(desk.folder, Date.now);
  const figures = new Figures({ journal: desk.journal, book: desk.book, now: desk.now, log });
  await expect.poll(() => figures.today(CHAIN, 'WETH/USDC')).toBeDefined();
  figures.close();
  const row = rowOf(desk, 'WETH/USDC', figures);
  expect(row?.today).toMatchObject({ signed: 2, filled: 2, filledOrders: 1 });
  expect(row && fillRatioText([row, row])).toBe('50');
  const asked = { since: 0, until: desk.now() + 1, by: 'pair', first: 1, last: 100 } as const;
  expect(await desk.journal.read.askedPart(asked)).toMatchObject([{ asked: { signed: 2, filled: 1 } }]);
});

test('a quote token that is no dollar is priced by the fresh reference of its own pair, also while that pair is not quoted by it, else not at all', async () => {
  const link = { symbol: 'LINK', name: 'Link', address: LINK, decimals: 18, type: 'ERC20' };
  const { tokens, pairs } = chain();
  const desk = await openDesk({
    chain: {
      tokens: { ...tokens, LINK: link },
      pairs: { ...pairs, 'LINK/WETH': { base: 'LINK', quote: 'WETH', liquidityUSD: 1 } },
      referenceUrl: 'http://127.0.0.1:1/reference',
    },
  });
  const time = desk.now();
  const dollarsBy = (held: Omit<Reference, 'mid' | 'time'>) => {
    desk.book.references.record(CHAIN, new Map([['WETH/USDC', { mid: '3412.38', time, ...held }]]));
    return rowOf(desk, 'LINK/WETH')?.dollars;
  };
  const known = { rate: '3412.38', pair: 'WETH/USDC', time };
  expect(dollarsBy({ heldBack: null })).toEqual(known);
  expect(dollarsBy({ heldBack: 'more than 100 bps from 3300', fenced: true }), 'not believed').toBeNull();
  expect(dollarsBy({ heldBack: 'the mid moved 12 bps in 60 s', isBelieved: true }), 'its formula holds').toEqual(known);
  desk.clock.ahead += 3_600_000;
  expect(rowOf(desk, 'LINK/WETH')?.dollars).toBeNull();
});

test('a row follows its counts, its switches and its ladder, each by itself', async () => {
  const desk = await openDesk();
  const row = (counts?: { signed: number }) => {
    const none = { chainId: CHAIN, pair: 'WETH/USDC', refused: 0, filled: 0, filledOrders: 0, volumes: [] };
    const today = counts && { ...none, ...counts };
    return rowOf(desk, 'WETH/USDC', { ...NOTHING, today: () => today });
  };
  const before = row();
  expect(row({ signed: 7 })).toEqual({ ...before, today: { ...before?.today, signed: 7 } });
  expect(row()).toEqual(before);

  const reason = 'a test';
  await desk.guard.trading.halt({ chainId: CHAIN, pair: 'WETH/USDC', side: 'bids' }, { actor: 'mara', reason });
  expect(row()?.switches).toEqual({ pair: true, bids: false, asks: true });

  const edits = [{ kind: 'set', side: 'bids', level: 0, field: 'price', value: '3412.9' } as const];
  const { version } = await desk.book.edit(CHAIN, 'WETH/USDC', edits, 'mara');
  await desk.book.publish(CHAIN, 'WETH/USDC', version, 'mara');
  expect(row()).toMatchObject({ bestBid: '3412.9', revision: (before?.revision ?? 0) + 1 });
  expect(row()?.spreadTenthBps).toBeLessThan(before?.spreadTenthBps ?? 0);
});

test('a side whose token is not approved, not held or signed for already says so, and is not quoted', async () => {
  const desk = await openDesk();
  const unquoted = () => rowOf(desk, 'WETH/USDC')?.unquoted;
  expect(unquoted()).toEqual({ bids: null, asks: null });
  const { view } = desk.chain;
  if (view === undefined) throw new Error('no view');
  const cover = (balance: bigint, allowance: bigint) => {
    const balances = new Map([...view.balances.keys()].map((token) => [token, { balance, allowance }]));
    desk.chain.view = { ...view, balances };
    return unquoted();
  };
  expect(cover(10n ** 30n, 0n)).toEqual({
    bids: 'USDC is not approved for the RFQ contract.',
    asks: expect.stringMatching(/^(WETH|USDC) is not approved for the RFQ contract\.$/),
  });
  expect(cover(0n, 10n ** 30n)?.asks).toBe('The maker holds no WETH.');
  expect(cover(1n, 1n)?.asks).toMatch(/^All the WETH /);
  desk.chain.view = undefined;
  expect(unquoted()?.bids).toMatch(/chain is not seen/);
  desk.chain.view = view;
  await desk.guard.trading.halt({ chainId: CHAIN, pair: 'WETH/USDC', side: 'bids' }, { actor: 'mara', reason: null });
  expect(unquoted()).toEqual({ bids: 'This side of the pair is switched off.', asks: null });
});

test('a draft that was undone to nothing is nothing that following waits for', async () => {
  const desk = await openDesk({
    chain: { follow: ['WETH/USDC'], referenceUrl: 'http://127.0.0.1:1/reference' },
  });
  const waits: FollowOutcome = { kind: 'waits', sentence: 'its draft was changed by mara' };
  const noteWith = (cells: number) =>
    rowOf(desk, 'WETH/USDC', { ...NOTHING, draftCells: () => cells }, [['WETH/USDC', waits]])?.follow?.note;
  expect([1, 0].map(noteWith)).toEqual([waits.sentence, null]);
});
