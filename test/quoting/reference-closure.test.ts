import { describe, expect, it } from 'vitest';
import type { Reference } from '../../electron/book/references.ts';
import { CHAIN, DAI, USDC, WETH } from '../book/fixture.ts';
import { ETHER, firm, type OpenDesk, openDesk, quotes, request } from './open-desk.ts';

const PAIR = 'WETH/USDC';
const OTHER = 'DAI/USDC';
const SIDES = { chain: { referenceUrl: 'http://127.0.0.1:1/reference', referenceMaxAgeSeconds: 20 } };
const forDai = request({ makerAsset: DAI, takerAsset: USDC, makerAmount: `${10n * ETHER}` });

const nowOf = (desk: OpenDesk) => Date.now() + desk.clock.ahead;

/** The reference is heard: each pair with its age in seconds. */
function hear(desk: OpenDesk, ages: Record<string, number>, heldBack: string | null = null): void {
  const heard = Object.entries(ages).map(([pair, age]): [string, Reference] => [
    pair,
    { mid: '3412', time: nowOf(desk) - age * 1_000, heldBack },
  ]);
  desk.book.references.record(CHAIN, new Map(heard));
}

const served = (desk: OpenDesk) => {
  desk.quoter.tick();
  const { closed, prices } = desk.quoter.served(CHAIN);
  return { closed, lit: Object.keys(prices).filter((pair) => prices[pair]?.asks !== undefined) };
};

describe('a chain with a reference', () => {
  it('is closed until it was heard, quotes while it is fresh, and closes and opens again by itself', async () => {
    const desk = await openDesk(SIDES);
    expect(served(desk).closed).toBe('reference_stale');
    expect(await firm(desk)).toMatchObject({ status: 503, code: 'reference_stale' });
    hear(desk, { [PAIR]: 0, [OTHER]: 0 });
    expect(served(desk)).toEqual({ closed: null, lit: [PAIR, OTHER] });
    expect((await firm(desk)).code).toBeUndefined();
    desk.clock.ahead += 20_500;
    desk.chain.view = { ...desk.chain.view, seenAt: nowOf(desk) } as typeof desk.chain.view;
    expect(served(desk).closed).toBe('reference_stale');
    expect(await firm(desk)).toMatchObject({ status: 503, code: 'reference_stale' });
    expect(desk.guard.status()).toMatchObject({
      state: 'LIVE',
      chains: [{ state: 'LIVE', closed: 'reference_stale' }],
    });
    hear(desk, { [PAIR]: 0, [OTHER]: 0 });
    expect(served(desk).closed).toBeNull();
    expect((await firm(desk)).code).toBeUndefined();
  });

  it.each<[string, Record<string, number>]>([
    ['is missing', { [PAIR]: 0 }],
    ['is older than it may be', { [PAIR]: 0, [OTHER]: 21 }],
  ])('closes only the pair whose own price %s', async (_what, ages) => {
    const desk = await openDesk(SIDES);
    hear(desk, ages);
    expect(served(desk)).toEqual({ closed: null, lit: [PAIR] });
    expect((await firm(desk)).code).toBeUndefined();
    expect(await firm(desk, forDai)).toMatchObject({ status: 503, code: 'reference_stale' });
    hear(desk, { [OTHER]: 0 });
    expect(served(desk)).toEqual({ closed: null, lit: [PAIR, OTHER] });
    expect((await firm(desk, forDai)).code).toBeUndefined();
  });

  it('serves a pair dark as soon as its own price has become too old', async () => {
    const desk = await openDesk(SIDES);
    hear(desk, { [PAIR]: 0, [OTHER]: 15 });
    expect(served(desk).lit).toEqual([PAIR, OTHER]);
    desk.clock.ahead += 6_000;
    expect(served(desk).lit).toEqual([PAIR]);
  });

  it('closes a pair that must not be quoted where it stands, however fresh its price', async () => {
    const desk = await openDesk(SIDES);
    hear(desk, { [OTHER]: 0 });
    hear(desk, { [PAIR]: 0 }, 'too far away');
    expect(served(desk)).toEqual({ closed: null, lit: [OTHER] });
    expect((await firm(desk)).code).toBe('reference_stale');
  });

  it('never lets an older word take the place of a newer one', async () => {
    const desk = await openDesk(SIDES);
    hear(desk, { [PAIR]: 0 });
    hear(desk, { [PAIR]: 30 });
    expect((await firm(desk)).code).toBeUndefined();
  });
});

describe('a refusal that comes before the price', () => {
  it('names its pair and side all the same', async () => {
    const desk = await openDesk();
    await desk.guard.trading.halt({}, { actor: 'mara' });
    expect((await firm(desk)).code).toBe('halted');
    await expect
      .poll(async () => (await quotes(desk)).at(-1))
      .toMatchObject({ pair: PAIR, side: 'asks', code: 'halted' });
    const unknown = request({ makerAsset: WETH, takerAsset: `0x${'5'.repeat(40)}` });
    expect((await firm(desk, unknown)).code).toBe('halted');
    await expect.poll(async () => (await quotes(desk)).at(-1)).toMatchObject({ pair: null, code: 'halted' });
  });
});
