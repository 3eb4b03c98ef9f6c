import { expect, test } from 'vitest';
import type { DraftEdit } from '../../electron/contract/book.ts';
import { publishDrafts, takeBack } from '../../renderer/pages/prices/publish-drafts.ts';
import { CHAIN, chain, configuredBook, deskFile } from '../book/fixture.ts';

const PAIRS = ['WETH/USDC', 'DAI/USDC'] as const;
const best = (value: string): DraftEdit => ({ kind: 'set', side: 'bids', level: 0, field: 'price', value });

/** A real book behind the commands that a window gives, two pairs of it drafted by mara. */
async function drafted() {
  const { book, journal } = await configuredBook({
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
    revisions: ({ pair, limit }: { pair: string; limit?: number }) => journal.read.revisions(CHAIN, pair, limit ?? 50),
    draft: async ({ pair }: { pair: string }) => book.draft(CHAIN, pair),
    edit: ({ pair, edits, seen }: { pair: string; edits: DraftEdit[]; seen?: number }) =>
      book.edit(CHAIN, pair, edits, 'mara', seen),
    setFollow: ({ pair, on }: { pair: string; on: boolean }) =>
      book.setFollow({ chainId: CHAIN, pair, on, actor: 'mara' }),
  } as unknown as Parameters<typeof takeBack>[0];
  const draft = async (pair: string, price: string) => {
    const { version } = await book.edit(CHAIN, pair, [best(price)], 'mara');
    return { chainId: CHAIN, pair, version, followed: false };
  };
  const bids = () => PAIRS.map((pair) => book.chain(CHAIN)?.pairs.get(pair)?.ladder.ladder.bids[0]?.[0]);
  const follows = (pair: string) => book.chain(CHAIN)?.config.follow.includes(pair);
  return { book, ladders, draft, bids, follows };
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
