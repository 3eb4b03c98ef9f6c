import { expect, it } from 'vitest';
import type { Draft, DraftEdit } from '../../electron/contract/book.ts';
import { CHAIN, chain, configuredBook, deskFile, importDesk, refusal } from './fixture.ts';

const PAIR = 'WETH/USDC';
const set = (side: 'bids' | 'asks', level: number, field: 'price' | 'amount', value: string): DraftEdit => ({
  kind: 'set',
  side,
  level,
  field,
  value,
});
const valuesOf = ({ bids, asks }: Draft) => [...bids, ...asks].map(({ price, amount }) => [price.value, amount.value]);

it('a draft brought onto the live revision keeps what somebody wrote and takes the rest from what is live', async () => {
  const { book } = await configuredBook();
  const draft = await book.edit(CHAIN, PAIR, [set('bids', 0, 'price', '3411')], 'mara');
  const prices = {
    [PAIR]: {
      bids: [
        ['3420', '1'],
        ['3410', '4'],
      ],
      asks: [['3421', '1']],
    },
  };
  await importDesk(book, { ...deskFile(), chains: [chain({ prices })] });
  expect((await refusal(book.publish(CHAIN, PAIR, draft.version, 'mara'))).code).toBe('ladder_moved');
  const now = book.draft(CHAIN, PAIR);
  const rebased = await book.rebase(CHAIN, PAIR, 'mara', now.version);
  expect(rebased.faults).toEqual([]);
  expect(valuesOf(rebased)).toEqual([
    ['3411', '1'],
    ['3410', '4'],
    ['3421', '1'],
  ]);
  expect(rebased.bids[0]?.price.editor).toBe('mara');
  expect(rebased.bids[1]?.amount.editor).toBeNull();
  const published = await book.publish(CHAIN, PAIR, rebased.version, 'mara');
  expect(published.ladder.bids[0]).toEqual(['3411', '1']);
});

it('a draft whose levels cannot be told apart any more stays whole, and every difference is a change of it', async () => {
  const { book } = await configuredBook();
  await book.edit(CHAIN, PAIR, [{ kind: 'remove', side: 'bids', level: 0 }], 'mara');
  const prices = { [PAIR]: { bids: [['3420', '1']], asks: [['3421', '1']] } };
  await importDesk(book, { ...deskFile(), chains: [chain({ prices })] });
  const rebased = await book.rebase(CHAIN, PAIR, 'mara', book.draft(CHAIN, PAIR).version);
  expect(valuesOf(rebased)[1]).toEqual(['3421', '1']);
});

it('two windows of one person do not overwrite each other unseen', async () => {
  const { book } = await configuredBook();
  await book.edit(CHAIN, PAIR, [set('bids', 0, 'amount', '7')], 'mara', 0, 'left window');
  const late = book.edit(CHAIN, PAIR, [set('bids', 0, 'amount', '8')], 'mara', 0, 'right window');
  expect((await refusal(late)).code).toBe('draft_changed');
  await book.edit(CHAIN, PAIR, [set('bids', 0, 'amount', '9')], 'mara', 0, 'left window');
  expect(book.draft(CHAIN, PAIR).bids[0]?.amount.value).toBe('9');
});
