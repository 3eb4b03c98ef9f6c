import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { deskFile, folder } from '../book/fixture.ts';
import { openForTwo } from './two-people.ts';

/** A desk that is LIVE, and what its journal has of stops and starts of the whole of it, oldest first. */
async function live() {
  const clock = { now: Date.now() };
  const opened = await openForTwo(folder(), clock);
  const owner = opened.owner();
  await owner.desk.import({ desk: deskFile() });
  const { guard, journal } = opened.rooms;
  const states: string[] = [];
  journal.onAppended((events) => {
    for (const event of events) if (event.kind === 'trading_state') states.push(event.body.state);
  });
  const resume = () => guard.trading.resume({}, { actor: 'jo', reason: 'it was looked at' });
  await resume();
  return { opened, owner, states, resume, clock };
}

test('a press of HALT that comes once more, late or over another line, is the stop that it was: what was resumed since goes on', async () => {
  const { opened, owner, states, resume } = await live();
  const [press, other] = [randomUUID(), randomUUID()];
  const [first, beside] = await Promise.all([
    owner.trading.halt({ scope: {}, press }),
    opened.owner('the app').trading.halt({ scope: {}, press, reason: 'handed over' }),
  ]);
  expect(beside.at).toBe(first.at);
  await resume();
  const late = await owner.trading.halt({ scope: {}, press });
  expect(late).toMatchObject({ at: first.at, durable: true, again: true, status: { state: 'LIVE' } });
  expect(first).not.toHaveProperty('again');
  expect(states).toEqual(['LIVE', 'HALTED', 'LIVE']);
  expect((await owner.trading.halt({ scope: {}, press: other })).status.state).toBe('HALTED');
  await resume();
  expect((await owner.trading.halt({ scope: {} })).status.state).toBe('HALTED');
});

test('a resume that was asked for behind a press is not overtaken by that press once more, and by another one it is', async () => {
  const { owner, states, resume } = await live();
  const press = randomUUID();
  await owner.trading.halt({ scope: {}, press });
  const resumed = resume();
  await owner.trading.halt({ scope: {}, press });
  await resumed;
  expect(states.at(-1)).toBe('LIVE');
  await owner.trading.halt({ scope: {}, press: randomUUID() });
  const overtaken = resume().catch((error: { code: string }) => error.code);
  await owner.trading.halt({ scope: {}, press: randomUUID() });
  expect(await overtaken).toBe('overtaken_by_stop');
});

test('what waits for a second person is about the stop that it was asked under, also where its press comes once more', async () => {
  const { opened, owner, clock } = await live();
  await owner.tokens.create({ name: 'ada', rights: 'admin' });
  await owner.approvals.set({ kinds: ['resume'], seen: [] });
  const press = randomUUID();
  await owner.trading.halt({ scope: {}, press });
  await owner.trading.resume({ scope: {}, reason: 'looked at' }).catch(() => {});
  clock.now += 10;
  await owner.trading.halt({ scope: {}, press });
  const ada = opened.holder('ada');
  const [asked] = (await ada.approvals.list({})).waiting;
  // It is carried out, and only then refused: this desk has no taker.
  const refused = await ada.approvals.approve({ request: asked?.seq ?? 0 }).catch((error: Error) => error.message);
  expect(refused).toMatch(/No taker is on the list/);
});
