import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoteWalk } from '../../electron/desk/quote-walk.ts';
import { parseDecimal } from '../../electron/protocol/decimal.ts';
import { prepareLevels } from '../../electron/protocol/ladder.ts';
import { ladderDepth } from '../../electron/protocol/ladder-depth.ts';
import type { Side } from '../../electron/protocol/side.ts';
import type { Level, PriceEntry } from '../../electron/protocol/wire.ts';
import { CHAIN, USDC, WETH } from '../book/fixture.ts';
import { howOften } from '../how-often.ts';
import { firm, type OpenDesk, openDesk, person, quotes, request, seen } from './open-desk.ts';
import { LADDER, PAIR } from './session.ts';

const SIDES = ['bids', 'asks'] as const;
const GIVEN = ['makerAmount', 'takerAmount'] as const;
type Given = (typeof GIVEN)[number];

/** A desk whose ladder follows the reference, with more balance than all requests of a test take. */
async function followingDesk(changes: Record<string, unknown> = {}): Promise<OpenDesk> {
  const desk = await openDesk({
    chain: {
      referenceUrl: 'http://127.0.0.1:1/reference',
      follow: [PAIR],
      referenceMaxAgeSeconds: 3_600,
      prices: { [PAIR]: LADDER },
      balanceMaxAgeSeconds: 600,
      ...changes,
    },
  });
  await says(desk, '3412.75', 0);
  return desk;
}

/** The reference says this after so many seconds, and the ladder follows. */
async function says(desk: OpenDesk, mid: string, seconds = 1): Promise<void> {
  desk.clock.ahead += seconds * 1_000;
  const now = desk.now();
  desk.chain.view = seen(now, { [WETH]: 10n ** 30n, [USDC]: 10n ** 20n }, Math.floor(now / 1_000));
  desk.book.references.record(CHAIN, new Map([[PAIR, { mid, time: now, heldBack: null }]]));
  desk.quoter.tick();
  await desk.book.follow(CHAIN, new Map([[PAIR, mid]]));
}

const serves = (desk: OpenDesk): PriceEntry => desk.quoter.served(CHAIN).prices[PAIR] ?? {};

/** All that the service can route over a grid it holds, with what it asks for on top: +1 % of what is sold, +0.01 % of what is bought. */
function wholeDepth(grid: PriceEntry, side: Side, given: Given): bigint {
  const depth = depthOf(grid[side] ?? [], (side === 'asks') === (given === 'makerAmount') ? 'base' : 'quote');
  return given === 'takerAmount' ? (depth * 101n) / 100n : (depth * 10_001n) / 10_000n;
}

const depthOf = (levels: readonly Level[], unit: 'base' | 'quote') => ladderDepth(prepareLevels(levels, 18, 6), unit);

function ask(desk: OpenDesk, side: Side, given: Given, amount: bigint) {
  const [makerAsset, takerAsset] = side === 'asks' ? [WETH, USDC] : [USDC, WETH];
  return firm(desk, request({ makerAsset, takerAsset, makerAmount: undefined, [given]: `${amount}` }));
}

/** Base and quote of an order, raw. */
function sidesOf(order: { makerAmount: string; takerAmount: string } | undefined, side: Side): [bigint, bigint] {
  const [maker, taker] = [BigInt(order?.makerAmount ?? 0), BigInt(order?.takerAmount ?? 0)];
  return side === 'asks' ? [maker, taker] : [taker, maker];
}

/** `3412.75` moved by hundredths of a basis point. */
function moved(mid: string, by: number): string {
  const cents = (BigInt(mid.replace('.', '')) * BigInt(1_000_000 + by)) / 1_000_000n;
  return `${cents}`.replace(/(..)$/, '.$1');
}

describe('a ladder that follows the reference', () => {
  it('signs all that it served in the last seconds, polled once a second and once in five: 1,000 requests', async () => {
    const random = fc.sample(fc.integer({ min: -2_000, max: 2_000 }), { seed: 7, numRuns: 126 });
    const desk = await followingDesk();
    let mid = '3412.75';
    let everySecond = serves(desk);
    let inFive = everySecond;
    const refused: string[] = [];
    let asked = 0;
    for (const [second, step] of random.entries()) {
      // Some seconds of chance, then some that all go one way: 20 bps a second down, then up.
      const by = [step, -2_000, step, 2_000][Math.floor(second / 8) % 4] ?? 0;
      mid = moved(mid, by);
      await says(desk, mid);
      for (const grid of [everySecond, inFive]) {
        for (const side of SIDES) {
          for (const given of GIVEN) {
            asked += 1;
            const { code } = await ask(desk, side, given, wholeDepth(grid, side, given));
            if (code !== undefined) refused.push(`${second} s, ${side} by ${given}: ${code}`);
          }
        }
      }
      everySecond = serves(desk);
      if (second % 5 === 4) inFive = everySecond;
    }
    expect(refused).toEqual([]);
    expect(asked).toBeGreaterThan(1_000);
    expect(desk.book.chain(CHAIN)?.pairs.get(PAIR)?.ladder.revision).toBeGreaterThan(80);
  });

  it('never signs more base than it served and one percent, nor at a better price than the present ladder gives', async () => {
    const desk = await followingDesk({ overfillBps: 100 });
    let mid = '3412.75';
    const property = fc.asyncProperty(
      fc.array(fc.integer({ min: -9_000, max: 9_000 }), { minLength: 1, maxLength: 5 }),
      fc.constantFrom(...SIDES),
      fc.constantFrom(...GIVEN),
      fc.bigInt({ min: 9_800n, max: 10_400n }),
      async (steps, side, given, part) => {
        await says(desk, mid, 7);
        const before = serves(desk);
        const held = wholeDepth(before, side, given);
        for (const step of steps) {
          mid = moved(mid, step);
          await says(desk, mid);
        }
        const present = serves(desk)[side] ?? [];
        const { order, code } = await ask(desk, side, given, (held * part) / 10_000n);
        if (order === undefined) {
          expect(code).toBe('insufficient_depth');
          return;
        }
        const [base, quote] = sidesOf(order, side);
        const most = (depthOf(present, 'base') * 101n) / 100n + 1n;
        expect(base <= most).toBe(true);
        const [, worth] = worthOf(present, base);
        expect(side === 'asks' ? quote >= worth : quote <= worth).toBe(true);
      },
    );
    await fc.assert(property, { numRuns: howOften(25, 250) });
  });

  it('gives for quote that bought all of the base then one percent more base than that, however far it fell', async () => {
    const desk = await followingDesk({ overfillBps: 100 });
    const before = serves(desk);
    await says(desk, '3310.00');
    const { order } = await ask(desk, 'asks', 'takerAmount', wholeDepth(before, 'asks', 'takerAmount'));
    expect(BigInt(order?.makerAmount ?? 0)).toBe((depthOf(before.asks ?? [], 'base') * 101n) / 100n);
  });

  it('signs over the present depth as long as the service may hold the old grid, and no longer', async () => {
    const desk = await followingDesk({ overfillBps: 0 });
    const whole = depthOf(serves(desk).bids ?? [], 'quote');
    await says(desk, '3400.00');
    expect((await ask(desk, 'bids', 'makerAmount', whole)).code).toBeUndefined();
    desk.clock.ahead += 5_900;
    expect((await ask(desk, 'bids', 'makerAmount', whole)).code).toBeUndefined();
    expect((await ask(desk, 'bids', 'makerAmount', whole + 1n)).code).toBe('insufficient_depth');
    desk.clock.ahead += 1_000;
    expect((await ask(desk, 'bids', 'makerAmount', whole)).code).toBe('insufficient_depth');
  });

  it.each([
    ['asks', 'takerAmount', 100],
    ['bids', 'makerAmount', 50],
  ] as const)(
    'explains such an order of the %s by %s with the revision it was priced on',
    async (side, given, overfillBps) => {
      const desk = await followingDesk({ overfillBps });
      const before = serves(desk);
      await says(desk, '3385.00');
      await ask(desk, side, given, wholeDepth(before, side, given));
      const quote = await desk.journal.read.quote((await quotes(desk)).at(-1)?.seq ?? 0);
      const [revision] = await desk.journal.read.revisions(CHAIN, PAIR, 1);
      const book = desk.book.chain(CHAIN);
      if (quote === null || revision === undefined || book === undefined) throw new Error('nothing to explain');
      expect(quote).toMatchObject({ ladderRevision: revision.revision, code: null });
      const walk = quoteWalk(quote, revision, book);
      expect(walk?.matches).toBe(true);
      expect(walk?.levels.at(-1)?.over).toBe(true);
    },
  );
});

describe('a size that a person cut', () => {
  const cuts: [string, (desk: OpenDesk) => Promise<unknown>][] = [
    ['by an edit', (desk) => publish(desk, { kind: 'set', side: 'bids', level: 1, field: 'amount', value: '1' })],
    ['by removing a level', (desk) => publish(desk, { kind: 'remove', side: 'bids', level: 1 })],
  ];
  it.each(cuts)('%s binds from the next request on, and after the ladder follows again', async (_how, cut) => {
    const desk = await followingDesk();
    const whole = depthOf(serves(desk).bids ?? [], 'quote');
    await says(desk, '3411.00');
    const cutting = cut(desk);
    await cutting;
    expect((await ask(desk, 'bids', 'makerAmount', whole)).code).toBe('insufficient_depth');
    await desk.book.setFollow({ chainId: CHAIN, pair: PAIR, on: true, actor: 'mara' });
    await says(desk, '3409.00');
    const now = depthOf(serves(desk).bids ?? [], 'quote');
    expect((await ask(desk, 'bids', 'makerAmount', whole)).code).toBe('insufficient_depth');
    expect((await ask(desk, 'bids', 'makerAmount', now)).code).toBeUndefined();
  });

  it('is not served again by a stop: what was served before it holds no more', async () => {
    const desk = await followingDesk({ overfillBps: 0 });
    const whole = depthOf(serves(desk).bids ?? [], 'quote');
    await says(desk, '3400.00');
    const side = { chainId: CHAIN, pair: PAIR, side: 'bids' } as const;
    await desk.guard.trading.halt(side, person);
    await desk.guard.trading.resume(side, person);
    expect((await ask(desk, 'bids', 'makerAmount', whole)).code).toBe('insufficient_depth');
  });

  it('holds for a limit as well: the depth that was served does not lift it', async () => {
    const desk = await followingDesk();
    const whole = depthOf(serves(desk).bids ?? [], 'quote');
    await says(desk, '3400.00');
    const limits = {
      maxQuote: { USDC: '5000' },
      maxOutstanding: {},
      quotesPerUserPerMinute: 0,
      ladderMaxAgeSeconds: 0,
    };
    const lowered = desk.book.setLimits(CHAIN, limits, 'mara');
    expect((await ask(desk, 'bids', 'makerAmount', whole)).code).toBe('quote_limit');
    await lowered;
  });
});

async function publish(desk: OpenDesk, edit: Parameters<OpenDesk['book']['edit']>[2][number]): Promise<void> {
  const { version } = await desk.book.edit(CHAIN, PAIR, [edit], 'mara');
  await desk.book.publish(CHAIN, PAIR, version, 'mara');
}

/** What an amount of base is worth along these levels, the last one going on; raw base and raw quote, rounded towards the taker. */
function worthOf(levels: readonly Level[], base: bigint): [bigint, bigint] {
  let left = base;
  let quote = 0n;
  for (const [index, [price, amount]] of levels.entries()) {
    const { n, d } = parseDecimal(price);
    const size = parseDecimal(amount);
    const room = (size.n * 10n ** 18n) / size.d;
    const taken = index === levels.length - 1 || left < room ? left : room;
    quote += (taken * n) / d;
    left -= taken;
  }
  return [base, quote / 10n ** 12n];
}
