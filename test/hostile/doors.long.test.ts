import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BesiegedDesk, openBesiegedDesk, quotesUntil } from './besieged-desk.ts';
import { besiege } from './hostile-hands.ts';

const VISITS = Number(process.env.MAKERDESK_VISITS ?? 1_000);

let world: BesiegedDesk;
beforeAll(async () => {
  world = await openBesiegedDesk();
});
afterAll(() => world?.close());

test.each([2, 3, 4])(
  'thousands come through every door (seed %d), and every quote is given',
  { timeout: 600_000 },
  async (seed) => {
    const { desk, client, doors } = world;
    const quotes = await quotesUntil(client, besiege(doors, VISITS, seed, 32));
    expect(desk.stderr()).not.toMatch(/broke off|halts a scope/);
    expect(quotes.others).toEqual([]);
    expect(quotes.orders).toBeGreaterThan(VISITS / 100);
  },
);
