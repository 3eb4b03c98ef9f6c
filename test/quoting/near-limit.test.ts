import { expect, it, vi } from 'vitest';
import type { Protection } from '../../electron/contract/protections.ts';
import { filling } from './fills.ts';
import { ETHER, firm, happens, type OpenDesk, openDesk, request, seen } from './open-desk.ts';

const RULE: Protection = {
  name: 'flow',
  counts: 'signed',
  per: 'pair',
  windowSeconds: 60,
  limit: '5',
  warnPercent: 80,
  freezeSeconds: 300,
};

const withRule = (changes: Partial<Protection> = {}) => openDesk({ desk: { protections: [{ ...RULE, ...changes }] } });
const ask = async (desk: OpenDesk, changes: Record<string, unknown> = {}) =>
  (await firm(desk, request(changes))).code ?? 'order';
const near = ({ guard }: OpenDesk) => guard.protections.near();

function passes(desk: OpenDesk, milliseconds: number): void {
  desk.clock.ahead += milliseconds;
  desk.chain.view = seen(desk.now());
  desk.guard.tick();
}

async function fills(desk: OpenDesk, order: number, place: number): Promise<void> {
  await happens(desk, await filling(desk, order, { place }));
  // The journal's reader answers one after the other: what was told before is taken up.
  for (let asked = 0; asked < 3; asked += 1) await desk.guard.protections.rows();
}

it('a rule warns from its share of the limit on and not one unit before, refuses nothing for it, and no more once it is over', async () => {
  const desk = await withRule();
  for (let count = 0; count < 3; count += 1) expect(await ask(desk)).toBe('order');
  expect(near(desk)).toEqual([]);
  passes(desk, 1_000);
  expect(await ask(desk)).toBe('order');
  expect(near(desk)).toMatchObject([{ who: 'WETH/USDC', used: '4', percent: 80 }]);
  expect(desk.guard.protections.standing()).toEqual([]);
  expect(await ask(desk)).toBe('order');
  expect(near(desk)).toMatchObject([{ percent: 100 }]);
  expect(await ask(desk)).toBe('protection_tripped');
  expect(near(desk), 'that it has tripped is told instead').toEqual([]);
  passes(desk, 300_000);
  expect(near(desk)).toEqual([]);
});

it('of a token it warns to the raw unit, of fifty requests at once as of one', async () => {
  const desk = await withRule({ token: 'WETH', limit: '0.1', per: 'user' });
  const small = { makerAmount: `${ETHER / 1_000n}` };
  const codes = await Promise.all(Array.from({ length: 50 }, () => ask(desk, small)));
  expect(codes).toEqual(Array(50).fill('order'));
  expect(await ask(desk, { makerAmount: `${(ETHER * 3n) / 100n - 1n}` })).toBe('order');
  expect(near(desk)).toEqual([]);
  expect(await ask(desk, { makerAmount: '1' })).toBe('order');
  expect(near(desk)).toMatchObject([{ used: `${(ETHER * 8n) / 100n}`, percent: 80, decimals: 18 }]);
});

it('of what is held against each other it warns where time alone brings it near', async () => {
  const desk = await withRule({ counts: 'filled', net: true, token: 'WETH', limit: '0.5', per: 'desk' });
  const { makerAsset, takerAsset } = request();
  const weth = `${(ETHER * 4n) / 10n}`;
  expect(await ask(desk, { makerAmount: weth })).toBe('order');
  const bought = { makerAsset: takerAsset, takerAsset: makerAsset, makerAmount: undefined, takerAmount: weth };
  expect(await ask(desk, bought)).toBe('order');
  await fills(desk, 0, 1);
  expect(near(desk)).toMatchObject([{ used: weth }]);
  passes(desk, 30_000);
  await fills(desk, 1, 2);
  expect(near(desk)).toEqual([]);
  passes(desk, 30_000);
  expect(near(desk)).toMatchObject([{ used: weth, percent: 80 }]);
});

it('of a limit that is set to less than one raw unit it tells without dividing by it', async () => {
  // Of what is signed: a rule of what is filled trips with the next tick, and is near nothing any more.
  const desk = await withRule({ token: 'WETH', limit: '0.5' });
  expect(await ask(desk, { makerAmount: `${(ETHER * 4n) / 10n}` })).toBe('order');
  expect(near(desk)).toMatchObject([{ percent: 80 }]);
  const set: Protection = { ...RULE, token: 'WETH', limit: '0.5' };
  const tiny = { ...set, limit: '0.0000000000000000001' };
  await desk.book.setProtections({ protections: [tiny], seen: [set], actor: 'mara' });
  await vi.waitFor(() => expect(near(desk)).toMatchObject([{ percent: 10_000 }]));
  desk.guard.tick();
  expect(near(desk)).toMatchObject([{ percent: 10_000 }]);
});
