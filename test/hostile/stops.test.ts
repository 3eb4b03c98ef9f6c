import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { ChainBook } from '../../electron/book/chain-book.ts';
import { CHAIN, chain } from '../book/fixture.ts';
import { HeldJournal } from '../quoting/held-journal.ts';
import { firm, type OpenDesk, openDesk, person, quotes } from '../quoting/open-desk.ts';
import { call } from '../surface/http-client.ts';
import { surfaceOf } from '../surface/open-surface.ts';

/** Nothing happens by itself: only what the test does, in the order in which it does it. */
const noTimers = { after: () => () => {} };

describe('a desk that stood still while a halt took its armed file away', () => {
  it('hands over none of the orders that were on their way, however long their deadline', async () => {
    const held = new HeldJournal();
    const desk = await openDesk({ desk: { deadlineMs: 10_000 }, journal: held.around, quoter: noTimers });
    held.hold('quote');
    const asked = [firm(desk), firm(desk)];
    rmSync(join(desk.folder, 'armed'));
    desk.clock.ahead += 4_000;
    held.letGo();
    for (const answer of asked) expect(await answer).toMatchObject({ status: 503, code: 'halted', order: undefined });
    expect(desk.released).toEqual([]);
    expect(desk.guard.status().state).toBe('HALTED');
    await expect.poll(async () => (await quotes(desk)).map(({ state }) => state)).toEqual(['withheld', 'withheld']);
  });

  it('also where its clock was set back by as long as it stood still', async () => {
    const held = new HeldJournal();
    const desk = await openDesk({ desk: { deadlineMs: 10_000 }, journal: held.around, quoter: noTimers });
    held.hold('quote');
    const asked = firm(desk);
    rmSync(join(desk.folder, 'armed'));
    const { now } = Date;
    vi.spyOn(Date, 'now').mockImplementation(() => now() - 4_000);
    desk.clock.ahead += 4_000;
    held.letGo();
    const answer = await asked;
    vi.restoreAllMocks();
    expect(answer).toMatchObject({ status: 503, code: 'halted' });
  });
});

describe('a fault in what decides whether a chain may trade', () => {
  const other = 31338;
  const twoChains = { chains: [chain(), chain({ chainId: other, basePath: '/31338', name: 'Other' })] };
  const pricesOf = async (desk: OpenDesk, chainId: number) => {
    const { basePath } = need(desk.book.chain(chainId)).config;
    const surfaceChain = {
      chainId,
      basePath,
      feedMaxAgeSeconds: 0,
      served: () => desk.quoter.served(chainId),
      firm: () => {},
    };
    const { port } = await surfaceOf([surfaceChain as never]);
    return call(port, 'GET', `${basePath}/prices`);
  };
  const breakDown = (desk: OpenDesk, holds: (chain: ChainBook) => boolean = () => true) => {
    const judge = desk.guard.chainRefusal.bind(desk.guard);
    return vi.spyOn(desk.guard, 'chainRefusal').mockImplementation((of) => {
      if (holds(of)) throw new Error('a fault of the program');
      return judge(of);
    });
  };

  it('takes the grid down with the chain: /prices answers 503 and holds no price', async () => {
    const desk = await openDesk({ quoter: noTimers });
    expect((await pricesOf(desk, CHAIN)).status).toBe(200);
    breakDown(desk);
    desk.quoter.tick();
    expect(desk.guard.trading.stateOf({ chainId: CHAIN })).toBe('HALTED');
    const { status, text } = await pricesOf(desk, CHAIN);
    expect([status, text]).toEqual([503, expect.not.stringContaining('3413')]);
    expect(desk.quoter.served(CHAIN).prices).toEqual({});
    expect(await firm(desk)).toMatchObject({ status: 503, order: undefined });
  });

  it('is noticed also by the first look of the chain watcher, and when the grid is built for the first time', async () => {
    const desk = await openDesk({ quoter: noTimers });
    desk.quoter.served(CHAIN);
    breakDown(desk);
    desk.quoter.chainSeen(CHAIN);
    expect(desk.guard.trading.stateOf({ chainId: CHAIN })).toBe('HALTED');
    expect(desk.quoter.served(CHAIN)).toMatchObject({ prices: {}, closed: 'halted' });
    const fresh = await openDesk({ quoter: noTimers });
    breakDown(fresh);
    expect(fresh.quoter.served(CHAIN)).toMatchObject({ prices: {}, closed: 'halted' });
  });

  it('stops that chain alone, and serves again once it is mended and a person resumed it', async () => {
    const desk = await openDesk({ desk: twoChains, quoter: noTimers });
    const fault = breakDown(desk, ({ chainId }) => chainId === CHAIN);
    for (let round = 0; round < 5; round += 1) desk.quoter.tick();
    expect(desk.guard.trading.stateOf({})).toBe('LIVE');
    expect(desk.quoter.served(other).closed).toBe(null);
    expect(desk.quoter.served(CHAIN).closed).toBe('halted');
    fault.mockRestore();
    await desk.guard.trading.resume({ chainId: CHAIN }, person);
    expect(desk.quoter.served(CHAIN)).toMatchObject({ closed: null, prices: { 'WETH/USDC': expect.anything() } });
  });
});

function need<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('It is not there.');
  return value;
}
