import { expect, test } from 'vitest';
import { LadderPeople } from '../../electron/desk/ladder-people.ts';

const AT = { top: 2, bottom: 3, left: 2, right: 2 };

function coming(people: LadderPeople, session: string, actor: string, pair = 'WETH/USDC') {
  const stop = new AbortController();
  return { stream: people.watch({ chainId: 1, pair, session }, actor, stop.signal), leave: () => stop.abort() };
}

test('whoever has the same pair before them is told of, where they stand, and that they left', async () => {
  const people = new LadderPeople();
  const mara = coming(people, 's1', 'mara');
  expect((await mara.stream.next()).value).toEqual([]);
  const jon = coming(people, 's2', 'jon');
  expect((await jon.stream.next()).value).toEqual([{ session: 's1', actor: 'mara', at: null }]);
  const elsewhere = coming(people, 's3', 'ada', 'DAI/USDC');
  expect((await elsewhere.stream.next()).value).toEqual([]);
  expect((await mara.stream.next()).value).toEqual([{ session: 's2', actor: 'jon', at: null }]);
  people.stand('s2', AT);
  expect((await mara.stream.next()).value).toEqual([{ session: 's2', actor: 'jon', at: AT }]);
  const ended = (async () => {
    for await (const _told of jon.stream);
  })();
  jon.leave();
  await ended;
  expect((await mara.stream.next()).value).toEqual([]);
});

test('two windows of one person are two people', async () => {
  const people = new LadderPeople();
  const one = coming(people, 's1', 'mara');
  await one.stream.next();
  const other = coming(people, 's2', 'mara');
  expect((await other.stream.next()).value).toEqual([{ session: 's1', actor: 'mara', at: null }]);
});
