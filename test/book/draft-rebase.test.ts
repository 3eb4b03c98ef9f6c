import { expect, it } from 'vitest';
import type { Draft, DraftEdit } from '../../electron/contract/book.ts';
import { CHAIN, chain, configuredBook, deskFile, folder, importDesk, openBook, refusal } from './fixture.ts';

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
  expect(valuesOf(rebased)).toEqual([
    ['3412', '2.5'],
    ['3421', '1'],
  ]);
  expect(rebased.bids[0]?.price).toMatchObject({ editor: 'mara', published: '3420' });
});

it('after a restart a draft is brought onto the live revision as before it: only what somebody wrote is theirs', async () => {
  const at = folder();
  const first = await configuredBook(deskFile(), at);
  const edits: DraftEdit[] = [set('bids', 0, 'price', '3411'), set('asks', 0, 'amount', '2')];
  await first.book.edit(
    CHAIN,
    PAIR,
    [...edits, { kind: 'insert', side: 'asks', level: 1, price: '3440', amount: '5' }],
    'mara',
  );
  const before = first.book.draft(CHAIN, PAIR);
  await first.close();
  const second = await openBook(at);
  const { version, ...restored } = second.book.draft(CHAIN, PAIR);
  expect({ ...restored, version: version - 1 }).toEqual(before);
  const prices = {
    [PAIR]: {
      bids: [
        ['3420', '1'],
        ['3410', '4'],
      ],
      asks: [['3421', '1']],
    },
  };
  await importDesk(second.book, { ...deskFile(), chains: [chain({ prices })] });
  await second.close();
  const { book } = await openBook(at);
  const rebased = await book.rebase(CHAIN, PAIR, 'jon', book.draft(CHAIN, PAIR).version);
  expect(valuesOf(rebased)).toEqual([
    ['3411', '1'],
    ['3410', '4'],
    ['3421', '2'],
    ['3440', '5'],
  ]);
  const editors = [...rebased.bids, ...rebased.asks].map(({ price, amount }) => [price.editor, amount.editor]);
  expect(editors).toEqual([
    ['mara', null],
    [null, null],
    [null, 'mara'],
    ['mara', 'mara'],
  ]);
});

it('two windows of one person do not overwrite each other unseen', async () => {
  const { book } = await configuredBook();
  await book.edit(CHAIN, PAIR, [set('bids', 0, 'amount', '7')], 'mara', 0, 'left window');
  const late = book.edit(CHAIN, PAIR, [set('bids', 0, 'amount', '8')], 'mara', 0, 'right window');
  expect((await refusal(late)).code).toBe('draft_changed');
  await book.edit(CHAIN, PAIR, [set('bids', 0, 'amount', '9')], 'mara', 0, 'left window');
  expect(book.draft(CHAIN, PAIR).bids[0]?.amount.value).toBe('9');
});
