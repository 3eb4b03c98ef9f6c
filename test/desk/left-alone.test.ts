import { expect, onTestFinished, test } from 'vitest';
import { peopleOf } from '../../electron/desk/may-call.ts';
import { temporaryFolder } from './desk-process.ts';
import { openForTwo } from './two-people.ts';

const HOUR = 3_600_000;

/** A desk on which going live takes two people, one of whom has been revoked since. */
async function leftAlone() {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const clock = { now: Date.now() };
  const desk = await openForTwo(folder, clock);
  await desk.owner().tokens.create({ name: 'ada', rights: 'admin' });
  await desk.owner().tokens.create({ name: 'tara', rights: 'trade' });
  await desk.owner().approvals.set({ kinds: ['resume'], seen: [] });
  await desk.owner().tokens.revoke({ name: 'ada' });
  return { ...desk, clock };
}

/** What a call was refused with. */
async function refused(call: Promise<unknown>) {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error as { data?: { code: string; remedy: string; fields: { request: number } }; message: string } | null;
}
const codeOf = async (call: Promise<unknown>) => (await refused(call))?.data?.code ?? null;

test('whoever runs the desk and is left alone gives somebody a token a day later, and for a day, and not before', async () => {
  const { owner, clock } = await leftAlone();
  const asked = await refused(owner().tokens.create({ name: 'bea', rights: 'admin' }));
  expect(asked?.data?.code).toBe('second_person_asked');
  expect(asked?.message).toMatch(/waits for a day, since nobody else is there: give bea a token/);
  const [{ seq: request, aloneFrom, until } = { seq: 0 }] = (await owner().approvals.list({})).waiting;
  expect([aloneFrom, until]).toEqual([clock.now + 24 * HOUR, clock.now + 48 * HOUR]);
  clock.now += 24 * HOUR - 1;
  expect(await codeOf(owner('another name').approvals.approve({ request }))).toBe('own_approval');
  clock.now += 1;
  const { answer } = await owner().approvals.approve({ request });
  expect(answer).toMatchObject({ token: expect.any(String) });
  expect((await owner().tokens.list()).map(({ name }) => name)).toContain('bea');
  // There are two again: no more is done alone.
  expect(await codeOf(owner().tokens.create({ name: 'cleo', rights: 'admin' }))).toBe('second_person_asked');
  const [next] = (await owner().approvals.list({})).waiting;
  expect(next).not.toHaveProperty('aloneFrom');
  clock.now += HOUR - 1;
  expect(await codeOf(owner().approvals.approve({ request: next?.seq ?? 0 }))).toBe('own_approval');
});

test('nothing but a token is done alone, by nobody but the user who runs the desk', async () => {
  const { owner, holder, clock } = await leftAlone();
  expect(await codeOf(owner().approvals.set({ kinds: [], seen: ['resume'] }))).toBe('no_second_person');
  expect(await codeOf(owner().tokens.setRights({ name: 'tara', rights: 'admin' }))).toBe('no_second_person');
  expect(await codeOf(holder('tara').tokens.create({ name: 'bea', rights: 'admin' }))).toBe('not_allowed');
  clock.now += 48 * HOUR;
  expect(await codeOf(owner().approvals.set({ kinds: [], seen: ['resume'] }))).toBe('no_second_person');
});

test('two days later it waits no more; somebody who can answer by then answers in their place', async () => {
  const { owner, clock, secondPerson, rooms } = await leftAlone();
  await refused(owner().tokens.create({ name: 'bea', rights: 'admin' }));
  await refused(owner().tokens.create({ name: 'cleo', rights: 'admin' }));
  const [bea, cleo] = (await owner().approvals.list({})).waiting;
  clock.now += 24 * HOUR;
  const said = () => rooms.approvals.attention(peopleOf('mara', rooms.credentials.tokens())).map(({ title }) => title);
  expect(said()).toContainEqual(expect.stringMatching(/^mara, with nobody else there, asks for: give cleo/));
  await owner().approvals.approve({ request: bea?.seq ?? 0 });
  expect(said()).toEqual([expect.stringMatching(/^mara asks for a second person: give cleo/)]);
  expect(await codeOf(owner().approvals.approve({ request: cleo?.seq ?? 0 }))).toBe('own_approval');
  clock.now += 24 * HOUR;
  secondPerson.tick();
  await expect.poll(() => rooms.approvals.waiting()).toEqual([]);
  expect(await codeOf(owner().approvals.approve({ request: cleo?.seq ?? 0 }))).toBe('approval_over');
});
