import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { runCommand } from '../desk/desk-process.ts';
import { type BesiegedDesk, openBesiegedDesk, quotesUntil, SMALL } from './besieged-desk.ts';
import { besiege } from './hostile-hands.ts';

let world: BesiegedDesk;
beforeAll(async () => {
  world = await openBesiegedDesk();
});
afterAll(() => world?.close());

/** What a page of the web can do without knowing anything. */
function knock(url: string, origin = 'https://evil.example'): Promise<void> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, { origin });
    socket.on('error', () => {});
    socket.on('close', () => resolve());
  });
}

test('a page that opens a WebSocket with a path that is no address harms nobody', async () => {
  const { desk, client } = world;
  for (const path of ['//', '//?token=x', '/rpc', '//[']) {
    await knock(`${desk.ready.console.replace('http', 'ws').replace(/\/#.*/, '')}${path}`);
  }
  expect((await client.firm('asks', SMALL)).json.order).toBeDefined();
});

test('whatever comes through a door, the desk goes on quoting for whoever it knows', async () => {
  const { desk, client, doors } = world;
  const quotes = await quotesUntil(client, besiege(doors, 250, 1));
  expect(desk.stderr()).not.toMatch(/broke off|halts a scope/);
  expect(quotes.others).toEqual([]);
  expect(quotes.orders).toBeGreaterThan(0);
});

test('refusals beyond the budget are all answered, and a person is told that they are not in the log', async () => {
  const { client, folder } = world;
  const tooMuch = { makerAmount: `1${'0'.repeat(40)}` };
  const statuses = new Set<number>();
  const refused = async () => {
    // So many before anything else is done, for the budget comes back with time; few at once, for who sends slowly is cut off.
    for (let round = 0; round < 40; round += 1) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => client.firm('asks', tooMuch)));
      for (const { status } of answers) statuses.add(status);
    }
    return (await runCommand(folder, ['alerts'])).stdout;
  };
  await expect.poll(refused).toMatch(/refusals since the start are not in the firm log/);
  expect(statuses).toEqual(new Set([422]));
  expect((await client.firm('asks', SMALL)).json.order).toBeDefined();
});
