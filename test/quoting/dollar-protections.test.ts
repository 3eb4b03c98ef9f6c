import { describe, expect, it } from 'vitest';
import type { Reference } from '../../electron/book/references.ts';
import { CHAIN, chain, DAI, WETH } from '../book/fixture.ts';
import { filling } from './fills.ts';
import { DOLLAR, ETHER, firm, happens, type OpenDesk, openDesk, person, request, seen } from './open-desk.ts';

const MIDS: Record<string, string> = { 'WETH/USDC': '3412.75', 'DAI/USDC': '1', 'DAI/WETH': '0.000295' };

/** Three pairs, one of them priced in WETH, and a reference that says all of them. */
const ownChain = {
  referenceUrl: 'http://127.0.0.1:9/reference',
  referenceCoolDownSeconds: 0,
  pairs: { ...chain().pairs, 'DAI/WETH': { base: 'DAI', quote: 'WETH', liquidityUSD: 10_000 } },
  prices: { ...chain().prices, 'DAI/WETH': { bids: [['0.00029', '100000']], asks: [['0.0003', '100000']] } },
};

function rule(changes: Record<string, unknown> = {}) {
  return {
    name: 'worth',
    counts: 'signed',
    per: 'desk',
    usd: true,
    windowSeconds: 60,
    limit: '2047.65',
    freezeSeconds: 300,
    ...changes,
  };
}

async function withRule(changes: Record<string, unknown> = {}): Promise<OpenDesk> {
  const desk = await openDesk({ chain: ownChain, desk: { protections: [rule(changes)] } });
  heard(desk);
  return desk;
}

/** The reference says its mids, as of now, but for those that are silent. */
function heard({ book, now }: OpenDesk, silent: readonly string[] = []): void {
  const said = Object.entries(MIDS).filter(([pair]) => !silent.includes(pair));
  const reference = (mid: string): Reference => ({ mid, time: now(), heldBack: null });
  book.references.record(CHAIN, new Map(said.map(([pair, mid]) => [pair, reference(mid)])));
}

function passes(desk: OpenDesk, milliseconds: number): void {
  desk.clock.ahead += milliseconds;
  desk.chain.view = seen(desk.now());
}

/** A thousand DAI for 0.3 WETH, which is 1,023.825 dollars. */
const inWeth = { makerAsset: DAI, takerAsset: WETH, makerAmount: `${1_000n * ETHER}` };
const ask = async (desk: OpenDesk, changes: Record<string, unknown> = inWeth) =>
  (await firm(desk, request(changes))).code ?? 'order';

const rowOf = async (desk: OpenDesk) => (await desk.guard.protections.rows())[0];

describe('a window in dollars', () => {
  it('counts quote amounts at the reference, to the millionth, and trips at its limit and not one unit before', async () => {
    const desk = await withRule();
    expect([await ask(desk), await ask(desk)]).toEqual(['order', 'order']);
    expect(await rowOf(desk)).toMatchObject({ now: { used: '2047650000' }, decimals: 6, unpriced: false });
    const less = await withRule({ limit: '2047.649999' });
    expect([await ask(less), await ask(less)]).toEqual(['order', 'protection_tripped']);
    expect(less.guard.protections.standing()).toMatchObject([{ used: '1023825000', asked: '1023825000' }]);
  });

  it('rounds up what is less than a millionth', async () => {
    const desk = await withRule({ limit: '0.000001' });
    expect(await ask(desk, { makerAsset: DAI, takerAsset: WETH, makerAmount: '4000' })).toBe('order');
    expect(await rowOf(desk)).toMatchObject({ now: { used: '1' } });
    expect(await ask(desk, { makerAsset: DAI, takerAsset: WETH, makerAmount: '4000' })).toBe('protection_tripped');
  });

  it('takes a dollar token for a dollar, and adds pairs of all quote tokens up', async () => {
    const desk = await withRule({ limit: '1365.125' });
    expect([await ask(desk), await ask(desk, {})], '1,023.825 and 341.3').toEqual(['order', 'order']);
    expect(await rowOf(desk)).toMatchObject({ now: { used: '1365125000' } });
    expect(await ask(desk, { makerAmount: '1' })).toBe('protection_tripped');
  });

  it('lets exactly as many of fifty requests through that come at once as its limit allows', async () => {
    const desk = await withRule({ limit: `${1_023.825 * 17}` });
    const codes = await Promise.all(Array.from({ length: 50 }, () => ask(desk)));
    expect(codes.filter((code) => code === 'order')).toHaveLength(17);
    expect(codes.filter((code) => code === 'protection_tripped')).toHaveLength(33);
  });

  it('is closed without a fresh reference, and says so; pairs in a dollar token go on', async () => {
    const desk = await withRule();
    passes(desk, 20_001);
    heard(desk, ['WETH/USDC']);
    expect(await ask(desk)).toBe('protection_unpriced');
    const { prices } = desk.quoter.served(CHAIN);
    expect(prices, 'what would be refused is not served').toMatchObject({ 'DAI/WETH': {} });
    expect(prices['DAI/USDC']).toHaveProperty('asks');
    expect(desk.guard.status().chains[0]?.pairs).toMatchObject({ 'DAI/USDC': 'LIVE' });
    expect(desk.guard.pairClosure(...pairOf(desk, 'DAI/WETH'))?.sentence).toContain(
      'Protection worth counts US dollars, and no fresh reference says what WETH is worth',
    );
    expect(await ask(desk, { makerAsset: DAI, makerAmount: `${ETHER}` })).toBe('order');
    heard(desk);
    expect(await ask(desk)).toBe('order');
  });

  it('counts after a restart what it counted before, whatever the reference says then', async () => {
    const before = await withRule({ windowSeconds: 3_600 });
    expect([await ask(before), await ask(before)]).toEqual(['order', 'order']);
    await before.close();
    const after = await openDesk({ folder: before.folder, ahead: 60_000 });
    expect(await rowOf(after)).toMatchObject({ now: { used: '2047650000' }, unpriced: false });
    after.book.references.record(CHAIN, new Map([['WETH/USDC', { mid: '1', time: after.now(), heldBack: null }]]));
    heard(after, ['WETH/USDC']);
    after.guard.tick();
    expect(await rowOf(after)).toMatchObject({ now: { used: '2047650000' } });
  });

  it('counts after a restart what was signed of a pair that is listed no more', async () => {
    const own = { ...ownChain, retireHours: 0 };
    const before = await openDesk({ chain: own, desk: { protections: [rule({ windowSeconds: 3_600 })] } });
    heard(before);
    expect([await ask(before), await ask(before)]).toEqual(['order', 'order']);
    await before.book.retirePair(CHAIN, 'DAI/WETH', 'mara');
    passes(before, 1);
    await before.book.tick();
    expect(before.book.chain(CHAIN)?.pairs.has('DAI/WETH')).toBe(false);
    await before.close();
    const after = await openDesk({ folder: before.folder, ahead: 60_000 });
    expect(await rowOf(after)).toMatchObject({ now: { used: '2047650000' }, unpriced: false });
  });

  it('waits for a reference where what was signed before it has no price, and then counts that', async () => {
    const desk = await openDesk({ chain: ownChain });
    heard(desk);
    expect([await ask(desk), await ask(desk)]).toEqual(['order', 'order']);
    passes(desk, 20_001);
    heard(desk, ['WETH/USDC']);
    await desk.book.setProtections({ protections: [rule() as never], seen: [], actor: 'mara' });
    await expect.poll(async () => (await rowOf(desk))?.filling).toBe(false);
    desk.guard.tick();
    expect(await rowOf(desk)).toMatchObject({ now: null, unpriced: true });
    expect(await ask(desk, { makerAsset: DAI, makerAmount: `${ETHER}` })).toBe('protection_unpriced');
    expect(desk.quoter.served(CHAIN).prices, 'it is of the whole desk').toMatchObject({ 'DAI/USDC': {} });
    heard(desk);
    desk.guard.tick();
    expect(await rowOf(desk)).toMatchObject({ now: { used: '2047650000' }, unpriced: false });
    expect(await ask(desk)).toBe('protection_tripped');
  });
});

describe('a window on what is filled, in dollars', () => {
  it('counts fills at what their quotes were signed at, and trips at its limit', async () => {
    const desk = await withRule({ counts: 'filled', limit: '1535.7375' });
    expect([await ask(desk), await ask(desk)]).toEqual(['order', 'order']);
    await happens(desk, await filling(desk, 0, { place: 1 }));
    passes(desk, 30_000);
    await happens(desk, await filling(desk, 1, { place: 2, tenths: 4 }));
    await expect.poll(async () => (await rowOf(desk))?.now?.used).toBe('1433355000');
    heard(desk);
    expect(await ask(desk, { makerAmount: `${DOLLAR}` })).toBe('order');
    await happens(desk, await filling(desk, 1, { place: 3, tenths: 1 }));
    await expect.poll(() => desk.guard.protections.standing()).toMatchObject([{ used: '1535737500' }]);
    expect(await ask(desk)).toBe('protection_tripped');
    await desk.guard.protections.reset({ rule: 'worth' }, person);
    expect(await ask(desk)).toBe('order');
  });
});

describe('rules of a desk file', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['dollars of a token', { token: 'USDC' }, 'protections[0].usd: does not go with a token'],
    ['a part of a millionth', { limit: '1.0000001' }, 'protections[0].limit: has more than 6 decimals'],
    ['a net of dollars', { net: true }, 'protections[0].net: needs a token'],
  ])('are refused with %s', async (_, changes, fault) => {
    const desk = await openDesk();
    const file = { version: 1, chains: [chain()], protections: [rule(changes)] };
    const refused = await desk.book
      .importDesk(file, { actor: 'mara', keepSecrets: () => ({}) })
      .catch((error) => error);
    expect(refused.faults.map(({ path, message }: { path: string; message: string }) => `${path}: ${message}`)).toEqual(
      [fault],
    );
  });
});

function pairOf({ book }: OpenDesk, id: string) {
  const own = book.chain(CHAIN);
  const pair = own?.pairs.get(id);
  if (own === undefined || pair === undefined) throw new Error(`There is no pair ${id}.`);
  return [own, pair] as const;
}
