import { expect, test } from 'vitest';
import type { EventKindName } from '../../electron/contract/journal.ts';
import {
  eventChoiceOf,
  eventFilterOf,
  eventQueryOf,
  NO_EVENT_CHOICE,
  PEOPLE,
  whatOptions,
} from '../../renderer/pages/journal/journal-choice.ts';
import { journalPath } from '../../renderer/state/pages.ts';

const KINDS: EventKindName[] = [
  { kind: 'quote', name: 'Quote', group: 'quotes', many: true },
  { kind: 'limits_set', name: 'Limits', group: 'settings', many: false },
  { kind: 'trading_state', name: 'Stop or start', group: 'stops', many: false },
];
const NOW = Date.UTC(2026, 10, 20);
const filterOf = (choice: Partial<typeof NO_EVENT_CHOICE>) =>
  eventFilterOf({ ...NO_EVENT_CHOICE, ...choice }, KINDS, NOW).filter;

test('nothing chosen asks for everything but what there is very much of', () => {
  expect(filterOf({})).toEqual({});
});

test('a kind, a group, what was changed, and everything are the kinds they stand for', () => {
  expect(filterOf({ what: 'kind limits_set' })).toEqual({ kinds: ['limits_set'] });
  expect(filterOf({ what: 'stops' })).toEqual({ kinds: ['trading_state'] });
  expect(filterOf({ what: 'changes' })).toEqual({ kinds: ['limits_set', 'trading_state'] });
  expect(filterOf({ what: 'all' }).kinds).toHaveLength(3);
  for (const { value } of whatOptions(KINDS)) expect(filterOf({ what: value }).kinds).toBeDefined();
});

test('people are everybody but the program, and a name is that name', () => {
  expect(filterOf({ who: PEOPLE })).toEqual({ actor: { people: true } });
  expect(filterOf({ who: 'mara' })).toEqual({ actor: { name: 'mara' } });
});

test('a time that means nothing says so and leaves the rest in force', () => {
  const read = eventFilterOf({ ...NO_EVENT_CHOICE, range: 'between', from: 'noon', pair: 'WETH/USDC' }, KINDS, NOW);
  expect(read).toMatchObject({ filter: { pair: 'WETH/USDC' }, fault: expect.stringMatching(/^Write a day/) });
});

test('what changed a pair has an address, and an address is read back as what was chosen', () => {
  const path = journalPath({ chainId: 1, pair: 'WETH/USDC' });
  expect(path.startsWith('/journal?')).toBe(true);
  expect(filterOf(eventChoiceOf(path.split('?')[1] ?? ''))).toEqual({
    kinds: ['limits_set', 'trading_state'],
    chainId: 1,
    pair: 'WETH/USDC',
  });
  const choice = { ...NO_EVENT_CHOICE, words: '0xa1f4…45d3 two', who: PEOPLE, range: '1h' };
  expect(eventChoiceOf(eventQueryOf(choice))).toEqual(choice);
});
