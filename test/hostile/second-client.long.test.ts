import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../desk/desk-process.ts';
import { type Answer, takerClient } from '../desk/taker-client.ts';
import { type BesiegedDesk, openBesiegedDesk, SMALL } from './besieged-desk.ts';
import { SECOND_USER, SecondClient } from './second-client.ts';

let world: BesiegedDesk;
beforeAll(async () => {
  world = await openBesiegedDesk();
});
afterAll(() => world?.close());

const answered = () => takerClient(world.desk.ready.surface, world.file, SECOND_USER).firm('asks', SMALL);
const given = (answer: Promise<Answer>) => new SecondClient(world, { firm: () => answer });

/** A client that is given an order with another value in one field. */
async function changed(name: string, value: (before: string) => string | number): Promise<SecondClient> {
  const answer = await answered();
  const { order } = answer.json;
  if (order !== undefined) order[name] = value(`${order[name]}`);
  return given(Promise.resolve(answer));
}

test('the client of the second desk takes an order that is right', async () => {
  const client = new SecondClient(world);
  expect([await client.ask(), await client.ask(), client.quotes]).toEqual([null, null, 2]);
});

test.each([
  ['another cost', () => changed('takerAmount', (cost) => `${Number(cost) - 1}`), 'other assets or amounts'],
  ['another user', () => changed('nonceAndMeta', (nonce) => `${BigInt(nonce) + 1n}`), 'another maker, taker or user'],
  ['the past', () => changed('expiry', () => Math.floor(Date.now() / 1_000)), 'too short a life'],
  ['another signature', () => changed('expiry', (expiry) => Number(expiry) + 1), 'somebody else'],
])('and does not take one of %s', async (_what, client, said) => {
  expect(await (await client()).ask()).toContain(said);
});

test('nor the same one twice', async () => {
  const client = given(answered());
  expect([await client.ask(), await client.ask()]).toEqual([null, expect.stringContaining('was there before')]);
});

test('it says when it is refused, and when nobody answers', async () => {
  const client = new SecondClient(world);
  expect((await runCommand(world.folder, ['halt', '--reason', 'a trial'])).code).toBe(0);
  expect(await client.ask()).toMatch(/^was refused with 503: .*halted/);
  await world.desk.kill();
  expect(await client.ask()).toMatch(/^was not answered: .*ECONNREFUSED/);
  expect(client.quotes).toBe(0);
});
