import { expect, test } from 'vitest';
import type { StopsQuery } from '../../electron/contract/stops.ts';
import type { NewEvent } from '../../electron/journal/events.ts';
import { rebuildProjections } from '../../electron/journal/rebuild.ts';
import { SLICES } from '../../electron/journal/slices.ts';
import { pastStops } from '../../electron/journal/trading/slice.ts';
import { type DirectJournal, openDirectly, verifyDirectly } from './fixture.ts';
import { CHAIN, configured, START } from './sample-events.ts';
import { tableContents } from './table-contents.ts';

const PAIR = { chainId: CHAIN, pair: 'WETH/USDC' };
const at = (time: number, actor: string, kind: NewEvent['kind'], body: unknown): NewEvent => {
  const event: unknown = { time: START + time, actor, kind, body };
  return event as NewEvent;
};
type Words = { reason?: string; cause?: string };
const state = (time: number, actor: string, scope: object, to: string, { reason, cause }: Words = {}) =>
  at(time, actor, 'trading_state', { scope, state: to, reason: reason ?? null, until: null, cause: cause ?? null });
const explained = (time: number, actor: string, scope: object, reason: string) =>
  at(time, actor, 'stop_explained', { scope, stoppedAt: START + 1, reason });
const stops = ({ queries }: DirectJournal, query: Partial<StopsQuery> = {}) =>
  queries.stops({ which: 'all', limit: 50, ...query });

test('a stop is told with who stopped it, who said why, and who resumed it with which reason', () => {
  const journal = openDirectly();
  journal.write(
    state(1, 'ana', {}, 'HALTED'),
    explained(5, 'ben', {}, 'the feed froze (ben)'),
    state(9, 'ben', {}, 'LIVE', { reason: 'the feed is back' }),
  );
  expect(stops(journal)).toEqual({
    more: false,
    rows: [
      {
        id: 1,
        scope: {},
        began: { seq: 1, at: START + 1, actor: 'ana', what: 'halted', reason: null, cause: null },
        words: [
          { seq: 2, at: START + 5, actor: 'ben', what: 'explained', reason: 'the feed froze (ben)', cause: null },
        ],
        ended: { seq: 3, at: START + 9, actor: 'ben', what: 'resumed', reason: 'the feed is back' },
      },
    ],
  });
});

test('a stop that lasts has no end, and one nobody did has its rule', () => {
  const journal = openDirectly();
  journal.write(state(1, 'desk', { chainId: CHAIN }, 'HALTED', { cause: 'The journal cannot be written.' }));
  expect(stops(journal).rows).toMatchObject([
    { scope: { chainId: CHAIN }, began: { actor: 'desk', cause: 'The journal cannot be written.' }, ended: null },
  ]);
});

test('a drain and the halt it ends in are one stop, and halting what is halted begins no other', () => {
  const journal = openDirectly();
  journal.write(
    state(1, 'ana', {}, 'DRAIN', { reason: 'end of the day' }),
    state(11, 'ana', {}, 'HALTED', { reason: 'end of the day', cause: 'The drain came to its end.' }),
    state(20, 'ben', {}, 'HALTED', { reason: 'to be sure' }),
    state(30, 'ana', {}, 'LIVE', { reason: 'morning' }),
    state(31, 'ana', {}, 'LIVE', { reason: 'still morning' }),
  );
  const { rows } = stops(journal);
  expect(rows).toHaveLength(1);
  expect(rows[0]?.began).toMatchObject({ what: 'drained', reason: 'end of the day' });
  expect(rows[0]?.words.map(({ actor, what, cause }) => [actor, what, cause])).toEqual([
    ['ana', 'halted', 'The drain came to its end.'],
    ['ben', 'halted', null],
  ]);
  expect(rows[0]?.ended).toMatchObject({ at: START + 30, reason: 'morning' });
});

test('each scope has stops of its own: a chain that starts leaves the desk and its pairs as they are', () => {
  const journal = openDirectly();
  const bids = { ...PAIR, side: 'bids' };
  journal.write(
    configured(),
    ...[{}, { chainId: CHAIN }, PAIR, bids].map((scope, time) => state(time, 'ana', scope, 'HALTED')),
    state(9, 'ana', { chainId: CHAIN }, 'LIVE', { reason: 'the node is back' }),
  );
  expect(stops(journal).rows.map(({ scope, ended }) => [scope, ended?.reason ?? null])).toEqual([
    [bids, null],
    [PAIR, null],
    [{ chainId: CHAIN }, 'the node is back'],
    [{}, null],
  ]);
});

test('an import ends and begins stops of pairs and sides as it switches them, and keeps those of the desk and its chains', () => {
  const journal = openDirectly();
  journal.write(
    configured({ off: { 'WETH/USDC': ['bids', 'asks'], 'DAI/USDC': ['asks'] } }),
    state(2, 'ana', {}, 'HALTED'),
    state(3, 'ana', { chainId: CHAIN }, 'HALTED'),
    configured({ off: { 'DAI/USDC': ['asks'], 'WETH/USDC': ['bids'] } }, START + 9),
  );
  const told = stops(journal).rows.map(({ scope, began, ended }) => [scope, began.what, ended?.what ?? null]);
  expect(told).toEqual([
    [{ ...PAIR, side: 'bids' }, 'imported', null],
    [{ chainId: CHAIN }, 'halted', null],
    [{}, 'halted', null],
    [{ chainId: CHAIN, pair: 'DAI/USDC', side: 'asks' }, 'imported', null],
    [PAIR, 'imported', 'imported'],
  ]);
});

test('pages go on where the one before ended, and those of the desk and of chains can be had alone', () => {
  const journal = openDirectly();
  journal.write(configured());
  for (let day = 0; day < 7; day += 1) {
    const scope = day % 2 === 0 ? {} : PAIR;
    journal.write(state(day * 10, 'ana', scope, 'HALTED'), state(day * 10 + 5, 'ana', scope, 'LIVE'));
  }
  const ids = (query: Partial<StopsQuery>) => {
    const { rows, more } = stops(journal, query);
    return [rows.map(({ id }) => id), more];
  };
  expect(ids({ limit: 3 })).toEqual([[7, 6, 5], true]);
  expect(ids({ limit: 3, before: 5 })).toEqual([[4, 3, 2], true]);
  expect(ids({ limit: 3, before: 2 })).toEqual([[1], false]);
  expect(ids({ which: 'wide', limit: 3 })).toEqual([[7, 5, 3], true]);
  expect(ids({ which: 'wide', limit: 3, before: 3 })).toEqual([[1], false]);
});

test('of a stop that was halted a hundred times the newest words are told', () => {
  const journal = openDirectly();
  journal.write(...Array.from({ length: 100 }, (_, time) => state(time, 'ana', {}, 'HALTED')));
  const [stop] = stops(journal).rows;
  expect(stop?.began.at).toBe(START);
  expect(stop?.words.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, word) => 81 + word));
});

test('stops of an older journal are found by the migration, as a rebuild and the day itself wrote them', () => {
  const journal = openDirectly();
  journal.write(
    configured({ off: { 'DAI/USDC': ['asks'] } }),
    state(1, 'ana', {}, 'DRAIN'),
    state(2, 'desk', {}, 'HALTED'),
    explained(3, 'ana', {}, 'a drill'),
    state(4, 'ana', {}, 'LIVE', { reason: 'over' }),
    state(5, 'ana', PAIR, 'HALTED'),
    configured({}, START + 6),
  );
  const before = tableContents(journal.db);
  expect(before.stops).toHaveLength(3);
  expect(before.stop_words).toHaveLength(2);
  expect(verifyDirectly(journal.db)).toEqual({ firstBad: null, fault: null });
  rebuildProjections(journal.db, SLICES);
  expect(tableContents(journal.db)).toEqual(before);
  journal.db.exec('DROP TABLE stops; DROP TABLE stop_words');
  pastStops(journal.db);
  expect(tableContents(journal.db)).toEqual(before);
});
