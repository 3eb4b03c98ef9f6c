import { expect, it } from 'vitest';
import type { StandingRow } from '../../electron/contract/protections.ts';
import { StandingProtections } from '../../electron/desk/standing-protections.ts';
import { CHAIN, USDC, WETH } from '../book/fixture.ts';
import { happens, type OpenDesk, openDesk, seen, TAKER } from '../quoting/open-desk.ts';

const PAIR = 'WETH/USDC';
const MINUTE = 60_000;

function hear(desk: OpenDesk, mid: string): void {
  desk.book.references.record(CHAIN, new Map([[PAIR, { mid, time: desk.now(), heldBack: null }]]));
}

const rowOf = (standing: StandingProtections, kind: StandingRow['kind']) =>
  standing.rows().find((row) => row.kind === kind);

it('what is not set is told as off, with where to set it', async () => {
  const standing = new StandingProtections(await openDesk());
  expect(standing.rows().map(({ kind, state }) => [kind, state])).toEqual([
    ['fence', 'off'],
    ['people', 'off'],
    ['unsigned', 'fine'],
  ]);
  expect(rowOf(standing, 'fence')).toMatchObject({
    used: null,
    limit: null,
    todo: expect.stringContaining('Settings'),
  });
});

it('a fence is told with the level that is farthest, and with its worst of the last day', async () => {
  const desk = await openDesk({
    chain: { referenceUrl: 'http://127.0.0.1:1/reference', fenceSoftBps: 5, fenceHardBps: 10 },
  });
  const standing = new StandingProtections(desk);
  hear(desk, '3412');
  standing.tick();
  const near = rowOf(standing, 'fence');
  expect(near).toMatchObject({ state: 'fine', soft: 5, limit: 10, unit: 'bps', where: expect.stringContaining(PAIR) });
  hear(desk, '3414.5');
  standing.tick();
  expect(rowOf(standing, 'fence')).toMatchObject({ state: 'near', used: 7.3, where: `${PAIR} bid 2` });
  hear(desk, '3416');
  standing.tick();
  expect(rowOf(standing, 'fence')).toMatchObject({ state: 'tripped', used: 11.7 });
  hear(desk, '3412');
  expect(rowOf(standing, 'fence')).toMatchObject({ state: 'fine', peak: { used: 11.7, where: `${PAIR} bid 2` } });
  desk.clock.ahead += 24 * 60 * MINUTE;
  hear(desk, '3412');
  expect(rowOf(standing, 'fence')?.peak, 'a day later').toBeNull();
});

it('a reference is told with its age, and as tripped once it is too old or was never heard', async () => {
  const desk = await openDesk({ chain: { referenceUrl: 'http://127.0.0.1:1/reference' } });
  const standing = new StandingProtections(desk);
  expect(rowOf(standing, 'reference')).toMatchObject({ state: 'tripped', used: null, limit: 20 });
  for (const pair of desk.book.chain(CHAIN)?.pairs.keys() ?? []) {
    desk.book.references.record(CHAIN, new Map([[pair, { mid: '3412', time: desk.now(), heldBack: null }]]));
  }
  desk.clock.ahead += 7_900;
  expect(rowOf(standing, 'reference')).toMatchObject({ state: 'fine', used: 7 });
  desk.clock.ahead += 12_101;
  expect(rowOf(standing, 'reference')).toMatchObject({ state: 'tripped', used: 20 });
});

it('an engine is told with how long it has said nothing', async () => {
  const desk = await openDesk();
  const standing = new StandingProtections(desk);
  const prices = { [PAIR]: { bids: [['3410', '0.5']], asks: [['3413', '0.5']] } };
  await desk.book.pushed.push('alpha', CHAIN, { sequence: 1, prices });
  desk.clock.ahead += 4_000;
  expect(rowOf(standing, 'engine')).toMatchObject({ state: 'fine', used: 4, limit: 5, where: PAIR });
  desk.clock.ahead += 1_001;
  expect(rowOf(standing, 'engine')).toMatchObject({ state: 'tripped' });
});

it('people are told with how long nobody gave a sign, and the tripwire with what nobody here signed', async () => {
  const desk = await openDesk({ desk: { deadManMinutes: 20 } });
  const standing = new StandingProtections(desk);
  expect(rowOf(standing, 'people')).toMatchObject({ state: 'fine', used: 0, soft: 15, limit: 20, unit: 'min' });
  desk.clock.ahead += 16 * MINUTE;
  desk.chain.view = seen(desk.now());
  standing.tick();
  expect(rowOf(standing, 'people')).toMatchObject({ state: 'near', used: 16, peak: { used: 16 } });
  const hash = `0x${'9'.repeat(64)}` as const;
  await happens(desk, {
    time: desk.now(),
    actor: 'chain',
    kind: 'fill',
    body: {
      chainId: CHAIN,
      orderHash: hash,
      block: 1,
      blockHash: hash,
      blockTime: desk.now(),
      transactionHash: hash,
      logIndex: 0,
      taker: TAKER,
      makerAsset: WETH,
      takerAsset: USDC,
      makerAmount: '1',
      takerAmount: '1',
    },
  });
  await expect.poll(() => rowOf(standing, 'unsigned')).toMatchObject({ state: 'tripped', used: 1, limit: 1 });
  expect(desk.guard.trading.states.desk().state).toBe('HALTED');
  expect(rowOf(standing, 'people'), 'a halted desk waits for nobody').toMatchObject({ state: 'fine', used: null });
});
