import { expect, test } from 'vitest';
import type { EventKindName } from '../../electron/contract/journal.ts';
import {
  eventFilterOf,
  hiddenText,
  NO_EVENT_CHOICE,
  PEOPLE,
  whatOptions,
} from '../../renderer/pages/journal/journal-choice.ts';
import { choiceQuery, readChoice } from '../../renderer/state/choice-in-address.ts';
import { askedCell, type Story, storyName, storyPath, tradeStories } from '../../renderer/state/story.ts';

const KINDS: EventKindName[] = [
  { kind: 'quote', name: 'Quote', group: 'quotes', many: true },
  { kind: 'limits_set', name: 'Limits', group: 'settings', many: false },
  { kind: 'trading_state', name: 'Stop or start', group: 'stops', many: false },
  { kind: 'ladders_moved', name: 'Ladders moved', group: 'prices', many: false },
];
const NOW = Date.UTC(2026, 10, 20);
const filterOf = (choice: Partial<typeof NO_EVENT_CHOICE>) =>
  eventFilterOf({ ...NO_EVENT_CHOICE, ...choice }, KINDS, NOW).filter;

test('nothing chosen asks for everything but quotes and the moves of every second; one choice has the moves too', () => {
  expect(filterOf({})).toEqual({ kinds: ['limits_set', 'trading_state'] });
  expect(filterOf({ what: 'but quotes' })).toEqual({});
  expect(eventFilterOf(NO_EVENT_CHOICE, [], NOW).filter, 'before the kinds are known').toEqual({});
  const hidden = (what: string) => hiddenText({ ...NO_EVENT_CHOICE, what }, KINDS);
  expect(['', 'but quotes', 'all', 'stops'].map(hidden)).toEqual([
    'quotes and moved ladders are hidden',
    'quotes are hidden',
    '',
    '',
  ]);
});

test('a kind, a group, what was changed without the moves of every second, and everything are the kinds they stand for', () => {
  expect(filterOf({ what: 'kind limits_set' })).toEqual({ kinds: ['limits_set'] });
  expect(filterOf({ what: 'stops' })).toEqual({ kinds: ['trading_state'] });
  expect(filterOf({ what: 'changes' })).toEqual({ kinds: ['limits_set', 'trading_state'] });
  expect(filterOf({ what: 'prices' })).toEqual({ kinds: ['ladders_moved'] });
  expect(filterOf({ what: 'all' }).kinds).toHaveLength(4);
  for (const { value } of whatOptions(KINDS)) {
    // Of one choice the desk says which kinds those are.
    if (value !== 'but quotes') expect(filterOf({ what: value }).kinds).toBeDefined();
  }
});

test('people are everybody but the program, and a name is that name', () => {
  const what = 'but quotes';
  expect(filterOf({ what, who: PEOPLE })).toEqual({ actor: { people: true } });
  expect(filterOf({ what, who: 'mara' })).toEqual({ actor: { name: 'mara' } });
});

test('a time that means nothing says so and leaves the rest in force', () => {
  const read = eventFilterOf({ ...NO_EVENT_CHOICE, range: 'between', from: 'noon', pair: 'WETH/USDC' }, KINDS, NOW);
  expect(read).toMatchObject({ filter: { pair: 'WETH/USDC' }, fault: expect.stringMatching(/^Write a day/) });
});

test('what changed a pair has an address, and an address is read back as what was chosen', () => {
  const path = storyPath({ kind: 'pair', chainId: 1, pair: 'WETH/USDC' });
  expect(path.startsWith('/journal?')).toBe(true);
  expect(filterOf(readChoice(NO_EVENT_CHOICE, path.split('?')[1] ?? ''))).toEqual({
    kinds: ['limits_set', 'trading_state'],
    chainId: 1,
    pair: 'WETH/USDC',
  });
  const choice = { ...NO_EVENT_CHOICE, words: '0xa1f4…45d3 two', who: PEOPLE, range: '1h' };
  expect(readChoice(NO_EVENT_CHOICE, choiceQuery(choice))).toEqual(choice);
});

test('every story has an address that asks for what names it, and only for rows since there can be any', () => {
  const hash = `0x${'a1'.repeat(32)}`;
  const address = `0x${'b2'.repeat(20)}`;
  const asked = (story: Story) => filterOf(readChoice(NO_EVENT_CHOICE, storyPath(story).split('?')[1] ?? ''));
  const changing = ['limits_set', 'trading_state'];
  expect(asked({ kind: 'token', chainId: 1, tokenId: 'WETH' })).toEqual({ kinds: changing, chainId: 1, words: 'WETH' });
  expect(asked({ kind: 'user', chainId: 1, address })).toMatchObject({ chainId: 1, words: address });
  const since = Date.UTC(2026, 10, 19, 9, 30, 15);
  const order = { kind: 'order', chainId: 1, hash, since: since + 999 } as const;
  expect(asked(order)).toMatchObject({ chainId: 1, words: hash, since });
  expect(asked(order).kinds).toHaveLength(4);
  expect(storyName(order)).toBe('Everything of order 0xa1a1…a1a1');
});

test('a cell has an address beside its ladder, which is read back as that cell, and any other text as none', () => {
  for (const side of ['bids', 'asks'] as const) {
    for (const field of ['price', 'amount'] as const) {
      const cell = { side, level: 2, field };
      const path = storyPath({ kind: 'cell', chainId: 1, pair: 'WETH/USDC', cell });
      expect(path.startsWith('/prices/1/WETH%2FUSDC?')).toBe(true);
      expect(askedCell(path.split('?')[1] ?? '')).toEqual(cell);
    }
  }
  const odd = [
    '',
    'cell=',
    'cell=bids',
    'cell=bids-0-price',
    'cell=bids-1.5-price',
    'cell=bids-9999-price',
    'cell=both-1-price',
  ];
  for (const query of odd) expect(askedCell(query)).toBeNull();
});

test('a row says what it is about, nearest first, and leaves out what it has not', () => {
  const none = { pair: null, orderHash: null, userAddress: null };
  expect(tradeStories({ chainId: 1, since: 0, ...none })).toEqual({ 'data-stories': undefined });
  const said = tradeStories({ ...none, chainId: 1, since: 5, pair: 'A/B', orderHash: '0x1', takerAddress: '0x2' });
  expect(JSON.parse(said['data-stories'] ?? '')).toEqual([
    { kind: 'pair', chainId: 1, pair: 'A/B' },
    { kind: 'order', chainId: 1, hash: '0x1', since: 5 },
    { kind: 'taker', chainId: 1, address: '0x2' },
  ]);
});
