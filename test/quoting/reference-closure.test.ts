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

  it('serves a pair dark as soon as its price is held back, and lit as soon as it is not any more', async () => {
    const desk = await openDesk(SIDES);
    hear(desk, { [PAIR]: 1, [OTHER]: 0 });
    expect(served(desk).lit).toEqual([PAIR, OTHER]);
    hear(desk, { [PAIR]: 0 }, 'it moved too far');
    expect(served(desk)).toEqual({ closed: null, lit: [OTHER] });
    hear(desk, { [PAIR]: 0 });
    expect(served(desk).lit).toEqual([PAIR, OTHER]);
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

describe('fences around the reference', () => {
  /** The farthest bid, 3412, is 2 bps from 3412.6825365…, and 10 bps from 3415.4154154…. */
  const say = (desk: OpenDesk, mid: string) => {
    desk.book.references.record(CHAIN, new Map([[PAIR, { mid, time: desk.now(), heldBack: null }]]));
    desk.quoter.tick();
    return Object.keys(desk.quoter.served(CHAIN).prices[PAIR] ?? {});
  };
  const open = (settings: Record<string, unknown>) =>
    openDesk({ chain: { ...SIDES.chain, offReferenceBps: 10_000, offReferenceCloses: 'none', ...settings } });
  const told = (desk: OpenDesk) => alertsOf(desk).find(({ code }) => code.startsWith('off reference'));
  const draftBid = async ({ book }: OpenDesk, price: string) => {
    const edit = { kind: 'set', side: 'bids', level: 1, field: 'price', value: price } as const;
    return (await book.edit(CHAIN, PAIR, [edit], 'mara')).version;
  };

  it('tell of a level past the soft one, and close nothing for it', async () => {
    const desk = await open({ fenceSoftBps: 2 });
    expect(say(desk, '3412.682536')).toEqual(['bids', 'asks']);
    expect(told(desk), 'at the fence').toBeUndefined();
    expect(say(desk, '3412.682537')).toEqual(['bids', 'asks']);
    expect(told(desk)).toMatchObject({
      level: 'look',
      title: `${PAIR}: a bid stands 2.0 bps from the reference`,
      detail: expect.stringContaining('It is quoted as it stands.'),
    });
  });

  it('close a side with any level past the hard one, the other side staying open, and open it again', async () => {
    const desk = await open({ fenceSoftBps: 5, fenceHardBps: 10 });
    expect(say(desk, '3415.415415')).toEqual(['bids', 'asks']);
    expect(say(desk, '3415.415416')).toEqual(['asks']);
    expect(told(desk)).toMatchObject({
      level: 'stop',
      detail: expect.stringContaining('Bids are closed while that lasts.'),
    });
    const bid = request({ makerAsset: USDC, takerAsset: WETH, makerAmount: undefined, takerAmount: `${ETHER / 10n}` });
    expect(await firm(desk, bid)).toMatchObject({ status: 409, code: 'off_reference' });
    expect((await firm(desk)).code).toBeUndefined();
    expect(say(desk, '3412.75')).toEqual(['bids', 'asks']);
    expect((await firm(desk, bid)).code).toBeUndefined();
  });

  it('close a pair whose reference is old, or that has none', async () => {
    const desk = await open({ fenceHardBps: 10 });
    expect(say(desk, '3412.75')).toEqual(['bids', 'asks']);
    desk.clock.ahead += 21_000;
    desk.chain.view = { ...desk.chain.view, seenAt: desk.now() } as typeof desk.chain.view;
    expect((await firm(desk)).code).toBe('reference_stale');
    const without = await openDesk({ chain: { fenceHardBps: 10 } });
    expect((await firm(without)).code).toBe('reference_stale');
    expect(alertsOf(without).find(({ code }) => code.startsWith('no reference'))).toMatchObject({
      level: 'stop',
      title: '2 pairs of Practice are closed: they have no reference',
    });
    expect((await firm(await openDesk({ chain: { fenceSoftBps: 10 } }))).code).toBeUndefined();
  });

  it('let nobody publish what is past the hard one, and whoever is within it', async () => {
    const desk = await open({ fenceSoftBps: 5, fenceHardBps: 10 });
    say(desk, '3412');
    const publish = (version: number) => desk.book.publish(CHAIN, PAIR, version, 'mara');
    const refused = await publish(await draftBid(desk, '3408.5')).then(
      () => null,
      (error: { faults?: unknown }) => error.faults,
    );
    expect(refused).toEqual([
      { path: 'bids[1][0]', message: 'is 10.2 bps from the reference 3412, and nothing is signed beyond 10' },
    ]);
    expect((await publish(await draftBid(desk, '3408.588'))).revision).toBe(2);
  });

  it('sign all of fifty requests that come at once at the hard one, and none a digit past it', async () => {
    const desk = await open({ fenceHardBps: 10 });
    const bid = request({
      makerAsset: USDC,
      takerAsset: WETH,
      makerAmount: undefined,
      takerAmount: `${ETHER / 1_000n}`,
    });
    const fifty = async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => firm(desk, bid)));
      return answers.map(({ code }) => code ?? 'order');
    };
    say(desk, '3415.415415415415');
    expect(await fifty()).toEqual(Array(50).fill('order'));
    say(desk, '3415.415415415416');
    expect(await fifty()).toEqual(Array(50).fill('off_reference'));
  });

  it('refuse an engine what is past the hard one, which leaves its last ladder', async () => {
    const desk = await open({ fenceHardBps: 10 });
    say(desk, '3410');
    const push = (sequence: number, ask: string) =>
      desk.book.pushed.push('alpha', CHAIN, {
        sequence,
        prices: { [PAIR]: { bids: [['3409', '0.5']], asks: [[ask, '0.5']] } },
      });
    expect(await push(1, '3413.41')).toMatchObject({ revisions: { [PAIR]: 2 }, refused: {} });
    expect(await push(2, '3413.411')).toEqual({
      sequence: 2,
      revisions: {},
      refused: {
        [PAIR]: {
          code: 'fenced',
          error: `${PAIR}: asks[0][0]: is 10.0 bps from the reference 3410, and nothing is signed beyond 10.`,
        },
      },
    });
    expect(desk.book.chain(CHAIN)?.pairs.get(PAIR)?.ladder.revision).toBe(2);
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
