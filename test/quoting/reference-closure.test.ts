import { describe, expect, it } from 'vitest';
import type { Reference } from '../../electron/book/references.ts';
import { CHAIN, DAI, USDC, WETH } from '../book/fixture.ts';
import { alertsOf } from '../desk/alerts-of.ts';
import { ETHER, firm, type OpenDesk, openDesk, quotes, request } from './open-desk.ts';

const PAIR = 'WETH/USDC';
const OTHER = 'DAI/USDC';
const MIDS: Record<string, string> = { [PAIR]: '3412.75', [OTHER]: '1' };
const SIDES = { chain: { referenceUrl: 'http://127.0.0.1:1/reference', referenceMaxAgeSeconds: 20 } };
const forDai = request({ makerAsset: DAI, takerAsset: USDC, makerAmount: `${10n * ETHER}` });

/** The reference is heard: each pair with its age in seconds. */
function hear(desk: OpenDesk, ages: Record<string, number>, heldBack: string | null = null): void {
  const heard = Object.entries(ages).map(([pair, age]): [string, Reference] => [
    pair,
    { mid: MIDS[pair] ?? '1', time: desk.now() - age * 1_000, heldBack },
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
    desk.chain.view = { ...desk.chain.view, seenAt: desk.now() } as typeof desk.chain.view;
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

describe('a ladder that stands off a fresh reference', () => {
  /** The reference says `mid` of WETH/USDC, which stands at 3412.5 / 3413. */
  const say = (desk: OpenDesk, mid: string) => {
    desk.book.references.record(CHAIN, new Map([[PAIR, { mid, time: desk.now(), heldBack: null }]]));
    desk.quoter.tick();
    const { prices } = desk.quoter.served(CHAIN);
    return Object.keys(prices[PAIR] ?? {});
  };
  const offOf = (desk: OpenDesk) => {
    const chain = desk.book.chain(CHAIN);
    const pair = chain?.pairs.get(PAIR);
    return chain && pair && desk.guard.offReference(chain, pair);
  };
  const open = (settings: Record<string, unknown> = {}) => openDesk({ chain: { ...SIDES.chain, ...settings } });

  it('quotes no ask under the reference, goes on with the bids, and opens again by itself', async () => {
    const desk = await open();
    expect(say(desk, '3412.75')).toEqual(['bids', 'asks']);
    expect((await firm(desk)).code).toBeUndefined();
    expect(say(desk, '3413.01')).toEqual(['bids']);
    expect(await firm(desk)).toMatchObject({ status: 409, code: 'off_reference' });
    expect(offOf(desk)).toEqual({
      bids: { kind: 'far', tenthBps: 14, closed: false },
      asks: { kind: 'through', tenthBps: 0, closed: true },
    });
    expect(say(desk, '3413')).toEqual(['bids', 'asks']);
    expect((await firm(desk)).code).toBeUndefined();
  });

  it('quotes no bid over the reference', async () => {
    const desk = await open();
    expect(say(desk, '3412.49')).toEqual(['asks']);
    expect(offOf(desk)?.bids).toEqual({ kind: 'through', tenthBps: 0, closed: true });
    expect(say(desk, '3412.5')).toEqual(['bids', 'asks']);
  });

  it.each<[string, Record<string, unknown>, string, string[]]>([
    ['closes both sides where what is too far off is to close too', { offReferenceCloses: 'far' }, '3420.4', []],
    ['closes nothing where it is only to tell', { offReferenceCloses: 'none' }, '3420.4', ['bids', 'asks']],
    ['takes the limit that is set', { offReferenceBps: 2, offReferenceCloses: 'far' }, '3413.1', ['bids']],
  ])('%s', async (_what, settings, mid, sides) => {
    expect(say(await open(settings), mid)).toEqual(sides);
  });

  it('is told of on the screen, with the side, the distance and what mends it', async () => {
    const desk = await open();
    say(desk, '3420.4');
    const told = () => alertsOf(desk).find(({ code }) => code.startsWith('off reference'));
    expect(told()).toMatchObject({
      level: 'stop',
      title: `${PAIR}: the best ask is 21.6 bps under the reference`,
      detail: expect.stringContaining('Asks are closed while that lasts.'),
      action: { kind: 'pair', chainId: CHAIN, pair: PAIR },
    });
    say(desk, '3412.75');
    expect(told()).toBeUndefined();
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
