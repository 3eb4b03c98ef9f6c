import { expect, test } from 'vitest';
import type { DraftEdit } from '../../electron/contract/book.ts';
import { publishDrafts, takeBack } from '../../renderer/pages/prices/publish-drafts.ts';
import { CHAIN, chain, configuredBook, deskFile } from '../book/fixture.ts';

const PAIRS = ['WETH/USDC', 'DAI/USDC'] as const;
const best = (value: string): DraftEdit => ({ kind: 'set', side: 'bids', level: 0, field: 'price', value });

/** A real book behind the commands that a window gives, two pairs of it drafted by mara. */
async function drafted() {
  const { book, clock } = await configuredBook({
    ...deskFile(),
    chains: [chain({ referenceUrl: 'http://127.0.0.1:1/reference', follow: [] })],
  });
  const ladders = {
    published: async ({ pair }: { pair: string }) => {
      const ladder = book.chain(CHAIN)?.pairs.get(pair)?.ladder;
      if (ladder === undefined) throw new Error(pair);
      return ladder;
    },
    publishSeveral: (drafts: Parameters<typeof book.publishSeveral>[0]) => book.publishSeveral(drafts, 'mara'),
    takeBack: (pairs: Parameters<typeof book.takeBack>[0]) => book.takeBack(pairs, 'mara'),
    setFollow: ({ pair, on }: { pair: string; on: boolean }) =>
      book.setFollow({ chainId: CHAIN, pair, on, actor: 'mara' }),
    setHand: ({ pair, on }: { pair: string; on: boolean }) => book.setHand({ chainId: CHAIN, pair, on, actor: 'mara' }),
  } as unknown as Parameters<typeof publishDrafts>[0] & Parameters<typeof takeBack>[0];
  const draft = async (pair: string, price: string) => {
    const { version } = await book.edit(CHAIN, pair, [best(price)], 'mara');
    return { chainId: CHAIN, pair, version, followed: false };
  };
  const bids = () => PAIRS.map((pair) => book.chain(CHAIN)?.pairs.get(pair)?.ladder.ladder.bids[0]?.[0]);
  const follows = (pair: string) => book.chain(CHAIN)?.config.follow.includes(pair);
  return { book, clock, ladders, draft, bids, follows };
}

test('several drafts are published together, and all of them are taken back', async () => {
  const { ladders, draft, bids } = await drafted();
  const replaced = await publishDrafts(
    ladders,
    [await draft(PAIRS[0], '3412.8'), await draft(PAIRS[1], '0.99995')],
    true,
  );
  expect(bids()).toEqual(['3412.8', '0.99995']);
  const { back, left } = await takeBack(ladders, replaced);
  expect([back.length, left.size]).toEqual([2, 0]);
  expect(bids()).toEqual(['3412.5', '0.9999']);
});

test('none is published where one was changed meanwhile, so there is nothing to take back', async () => {
  const { book, ladders, draft, bids } = await drafted();
  const drafts = [await draft(PAIRS[0], '3412.8'), await draft(PAIRS[1], '0.99995')];
  await book.edit(CHAIN, PAIRS[1], [best('0.99992')], 'jon');
  await expect(publishDrafts(ladders, drafts, true)).rejects.toMatchObject({ code: 'draft_changed' });
  expect(bids()).toEqual(['3412.5', '0.9999']);
});

test('a pair that somebody published or drafted since stays, and the others are taken back', async () => {
  const { book, ladders, draft, bids } = await drafted();
  const replaced = await publishDrafts(
    ladders,
    [await draft(PAIRS[0], '3412.8'), await draft(PAIRS[1], '0.99995')],
    true,
  );
  const { version } = await book.edit(CHAIN, PAIRS[0], [best('3412.7')], 'jon');
  await book.publish(CHAIN, PAIRS[0], version, 'jon');
  const { back, left } = await takeBack(ladders, replaced);
  expect(back.map(({ before }) => before.pair)).toEqual([PAIRS[1]]);
  expect([...left].map(([{ before }, why]) => [before.pair, why])).toEqual([
    [PAIRS[0], 'It was changed since, so it stays as it is.'],
  ]);
  expect(bids()).toEqual(['3412.7', '0.9999']);
});

test('a pair that follows is taken back although it moved by itself, and follows as it did', async () => {
  const { book, ladders, draft, follows } = await drafted();
  const [pair] = PAIRS;
  for (const keep of [true, false]) {
    if (follows(pair) !== true) await book.setFollow({ chainId: CHAIN, pair, on: true, actor: 'mara' });
    const replaced = await publishDrafts(ladders, [{ ...(await draft(pair, '3412.8')), followed: true }], keep);
    expect(follows(pair)).toBe(keep);
    await book.follow(CHAIN, new Map([[pair, '3420']]));
    const { back, left } = await takeBack(ladders, replaced);
    expect([back.length, left.size]).toEqual([1, 0]);
    expect(follows(pair)).toBe(true);
  }
});

test('however often a pair moved since, it is taken back in its shape of before, where the reference has it by now', async () => {
  const { book, clock, ladders, draft } = await drafted();
  const [pair] = PAIRS;
  await book.setFollow({ chainId: CHAIN, pair, on: true, actor: 'mara' });
  const before = book.chain(CHAIN)?.pairs.get(pair)?.ladder.ladder;
  const replaced = await publishDrafts(ladders, [{ ...(await draft(pair, '3412.2')), followed: true }], true);
  for (let move = 0; move < 250; move += 1) {
    clock.now += 1_000;
    await book.follow(CHAIN, new Map([[pair, move % 2 === 0 ? '3450.75' : '3422.75']]));
  }
  const { back, left } = await takeBack(ladders, replaced);
  expect([back.length, [...left.values()]]).toEqual([1, []]);
  // Ten dollars up, like the reference, and as far from each other as they were.
  expect(before).toEqual({
    bids: [
      ['3412.5', '1'],
      ['3412', '2.5'],
    ],
    asks: [['3413', '1']],
  });
  expect(book.chain(CHAIN)?.pairs.get(pair)?.ladder.ladder).toEqual({
    bids: [
      ['3422.5', '1'],
      ['3422.0', '2.5'],
    ],
    asks: [['3423.0', '1']],
  });
});

test('what somebody types into the draft, or an import brings, is not taken back with it', async () => {
  const { book, ladders, draft, bids } = await drafted();
  const [pair] = PAIRS;
  const replaced = await publishDrafts(ladders, [await draft(pair, '3412.8')], true);
  await book.edit(CHAIN, pair, [best('3412.7')], 'jon');
  const [one] = [...(await takeBack(ladders, replaced)).left.values()];
  expect(one).toBe('It was changed since, so it stays as it is.');
  expect(bids()[0]).toBe('3412.8');
  expect(book.draft(CHAIN, pair).bids[0]?.price).toMatchObject({ value: '3412.7', editor: 'jon' });
});

test('a pair that publishing took over from an engine or its formula is given back with its prices of before, one in hand is not', async () => {
  const { book, ladders, draft, bids } = await drafted();
  const push = (sequence: number, mids: Record<string, string>) => book.pushed.push('alpha', CHAIN, { sequence, mids });
  const byHand = () => book.chain(CHAIN)?.config.byHand ?? [];
  await push(1, { [PAIRS[0]]: '3420', [PAIRS[1]]: '1.0005' });
  const before = bids();
  await book.setHand({ chainId: CHAIN, pair: PAIRS[1], on: true, actor: 'jon' });
  const replaced = await publishDrafts(
    ladders,
    [await draft(PAIRS[0], '3419.8'), await draft(PAIRS[1], '1.0003')],
    true,
  );
  expect(byHand()).toEqual([PAIRS[1], PAIRS[0]]);
  const { back, left } = await takeBack(ladders, replaced);
  expect([back.length, left.size]).toEqual([2, 0]);
  expect(bids()).toEqual(before);
  expect(byHand()).toEqual([PAIRS[1]]);
  const { revisions, refused } = await push(2, { [PAIRS[0]]: '3430', [PAIRS[1]]: '1.001' });
  expect(Object.keys(revisions)).toEqual([PAIRS[0]]);
  expect(refused[PAIRS[1]]).toMatchObject({ code: 'taken_over' });

  const levels = { size: '100', levels: 3, stepBps: '1' };
  const formula = { spreadBps: '2', tick: '0.0001', bids: levels, asks: levels };
  await book.setFormula({ chainId: CHAIN, pair: PAIRS[1], formula, seen: null, actor: 'jon' });
  await book.setHand({ chainId: CHAIN, pair: PAIRS[1], on: false, actor: 'jon' });
  const again = await publishDrafts(ladders, [await draft(PAIRS[1], '1.0002')], true);
  expect(byHand()).toEqual([PAIRS[1]]);
  await takeBack(ladders, again);
  expect(byHand()).toEqual([]);
});

test('where a pair cannot be given back it is said that it stays by hand', async () => {
  const { book, ladders, draft } = await drafted();
  await book.pushed.push('alpha', CHAIN, { sequence: 1, mids: { [PAIRS[0]]: '3420' } });
  const replaced = await publishDrafts(ladders, [await draft(PAIRS[0], '3419.8')], true);
  const setHand = async () => {
    throw new Error('the line broke');
  };
  const { left } = await takeBack({ ...ladders, setHand } as typeof ladders, replaced);
  expect([...left.values()]).toEqual([expect.stringMatching(/^Its prices are as before, but it stays by hand: /)]);
});
