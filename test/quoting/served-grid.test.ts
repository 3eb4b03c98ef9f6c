import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDecimal } from '../../electron/protocol/decimal.ts';
import type { PriceEntry } from '../../electron/protocol/wire.ts';
import { CHAIN, chain, DAI, USDC, USER, WETH } from '../book/fixture.ts';
import { howOften } from '../how-often.ts';
import { DOLLAR, ETHER, firm, type OpenDesk, openDesk, person, request, seen } from './open-desk.ts';

const PAIR = 'WETH/USDC';
const published = {
  bids: [
    ['3412.5', '1'],
    ['3412', '2.5'],
  ],
  asks: [['3413', '1']],
};
const grid = (desk: OpenDesk) => desk.quoter.served(CHAIN);
const halt = (desk: OpenDesk, scope: object) => desk.guard.trading.halt(scope, person);
const drain = (desk: OpenDesk, scope: object) => desk.guard.trading.drain(scope, 60, person);
const buys = request();
const sells = request({ makerAsset: USDC, takerAsset: WETH, makerAmount: '1000000' });

type Row = [
  string,
  (desk: OpenDesk) => unknown,
  string | null,
  PriceEntry | undefined,
  [string | number, string | number],
];
const table: Row[] = [
  ['LIVE', () => {}, null, published as PriceEntry, [200, 200]],
  ['DRAIN', (desk) => drain(desk, {}), 'draining', undefined, [200, 200]],
  ['HALTED', (desk) => halt(desk, {}), 'halted', undefined, ['halted', 'halted']],
  ['with its chain in DRAIN', (desk) => drain(desk, { chainId: CHAIN }), 'draining', undefined, [200, 200]],
  ['with its chain HALTED', (desk) => halt(desk, { chainId: CHAIN }), 'halted', undefined, ['halted', 'halted']],
  ['with the pair in DRAIN', (desk) => drain(desk, { chainId: CHAIN, pair: PAIR }), null, {}, [200, 200]],
  [
    'with the pair off',
    (desk) => halt(desk, { chainId: CHAIN, pair: PAIR }),
    null,
    {},
    ['pair_disabled', 'pair_disabled'],
  ],
  [
    'with the bids off',
    (desk) => halt(desk, { chainId: CHAIN, pair: PAIR, side: 'bids' }),
    null,
    { asks: published.asks } as PriceEntry,
    [200, 'side_disabled'],
  ],
  [
    'with the asks in DRAIN',
    (desk) => drain(desk, { chainId: CHAIN, pair: PAIR, side: 'asks' }),
    null,
    { bids: published.bids } as PriceEntry,
    [200, 200],
  ],
  [
    'with the pair retired',
    (desk) => desk.book.retirePair(CHAIN, PAIR, 'mara'),
    null,
    {},
    ['pair_disabled', 'pair_disabled'],
  ],
];

describe('a desk that is', () => {
  it.each(table)(
    '%s serves and quotes as the table of trading states says',
    async (_, act, closed, entry, [asks, bids]) => {
      const desk = await openDesk();
      grid(desk);
      const acted = act(desk);
      // At once, in memory: the grid does not wait for the disk.
      expect(grid(desk).closed).toBe(closed);
      expect(grid(desk).prices[PAIR]).toEqual(entry);
      expect(Object.keys(grid(desk).tokens)).toEqual(['WETH', 'USDC', 'DAI']);
      expect(Object.keys(grid(desk).pairs)).toEqual([PAIR, 'DAI/USDC']);
      if (closed === null) expect(grid(desk).prices['DAI/USDC']).toEqual(chain().prices['DAI/USDC']);
      await acted;
      const said = async (body: unknown) => {
        const { code, status } = await firm(desk, body);
        return code ?? status;
      };
      expect([await said(buys), await said(sells)]).toEqual([asks, bids]);
    },
  );

  it('switching off sides serves them empty where the desk file asks for that', async () => {
    const desk = await openDesk({ chain: { deadSide: 'empty' } });
    await halt(desk, { chainId: CHAIN, pair: PAIR, side: 'bids' });
    await halt(desk, { chainId: CHAIN, pair: 'DAI/USDC' });
    expect(grid(desk).prices).toEqual({
      [PAIR]: { bids: [], asks: published.asks },
      'DAI/USDC': { bids: [], asks: [] },
    });
  });

  it('listing a pair whose ladder is too old serves it dark until it is published anew', async () => {
    const desk = await openDesk({ chain: { limits: { ladderMaxAgeSeconds: 10 } } });
    expect(grid(desk).prices[PAIR]).toEqual(published);
    desk.clock.ahead += 10_500;
    desk.chain.view = seen(desk.now());
    desk.quoter.tick();
    expect(grid(desk)).toMatchObject({ closed: null, prices: { [PAIR]: {} } });
    const edits = [{ kind: 'set', side: 'asks', level: 0, field: 'price', value: '3414' }] as const;
    const { version } = await desk.book.edit(CHAIN, PAIR, edits, 'mara');
    await desk.book.publish(CHAIN, PAIR, version, 'mara');
    expect(grid(desk).prices[PAIR]).toEqual({ ...published, asks: [['3414', '1']] });
    expect(grid(desk).prices['DAI/USDC']).toEqual({});
  });
});

describe('the grid', () => {
  it('is the same object until something of it changes, and its parts are where they did not', async () => {
    const desk = await openDesk();
    const told: number[] = [];
    desk.quoter.onServed((chainId) => told.push(chainId));
    const before = grid(desk);
    await firm(desk);
    desk.quoter.tick();
    expect(grid(desk)).toBe(before);
    expect(told).toEqual([]);
    await desk.book.blacklistAdd({ address: USER, actor: 'mara' });
    expect(grid(desk).blacklist).toEqual([USER]);
    expect(grid(desk).prices).toBe(before.prices);
    expect(grid(desk).tokens).toBe(before.tokens);
    expect(new Set(told)).toEqual(new Set([CHAIN]));
    await halt(desk, { chainId: CHAIN, pair: PAIR });
    expect(grid(desk).prices['DAI/USDC']).toBe(before.prices['DAI/USDC']);
    expect(grid(desk).pairs).toBe(before.pairs);
  });

  it('follows exposure every 250 ms, not with each quote', async () => {
    const desk = await openDesk();
    desk.chain.view = seen(desk.now(), { [WETH]: ETHER });
    desk.quoter.tick();
    const before = grid(desk);
    await firm(desk);
    await expect.poll(() => grid(desk) !== before).toBe(true);
    expect(depth(grid(desk).prices[PAIR], 'asks')).toBeLessThan(depth(before.prices[PAIR], 'asks'));
  });

  it('is not cut where the desk file does not want that', async () => {
    const desk = await openDesk({ chain: { clipToBalance: false } });
    desk.chain.view = seen(desk.now(), { [WETH]: 1n });
    desk.quoter.tick();
    expect(grid(desk).prices[PAIR]).toEqual(published);
  });

  it('never promises what the guard would refuse: the depth served, and the overfill on top, is quoted', async () => {
    // Whole wallets, and the last few raw units of one.
    const held = (max: bigint) => fc.oneof(fc.bigInt({ min: 0n, max }), fc.bigInt({ min: 0n, max: 9n }));
    const limit = fc.constantFrom('0', '0.3', '0.7');
    const desk = await openDesk({ chain: { overfillBps: 100 } });
    const property = fc.asyncProperty(
      fc.record({ weth: held(4n * ETHER), usdc: held(14_000n * DOLLAR) }),
      fc.record({ maxQuote: limit, maxOutstanding: fc.constantFrom('0', '0.9'), usdc: fc.constantFrom('0', '1500') }),
      fc.constantFrom('makerAmount' as const, 'takerAmount' as const),
      fc.constantFrom('bids' as const, 'asks' as const),
      async (balance, { maxQuote, maxOutstanding, usdc }, given, side) => {
        const limits = { maxQuote: { WETH: maxQuote, USDC: usdc }, maxOutstanding: { WETH: maxOutstanding } };
        await desk.book.setLimits(CHAIN, { ...limits, quotesPerUserPerMinute: 0, ladderMaxAgeSeconds: 0 }, 'mara');
        // Every order so far is over, so that only this one counts.
        desk.clock.ahead += 400_000;
        desk.chain.view = seen(desk.now(), { [WETH]: balance.weth, [USDC]: balance.usdc }, desk.clock.ahead);
        desk.quoter.tick();
        const levels = grid(desk).prices[PAIR]?.[side] ?? [];
        const ofBase = (side === 'asks') === (given === 'makerAmount');
        let sum = 0n;
        for (const [price, base] of levels) sum += ofBase ? raw(base, 18) : (raw(base, 18) * raw(price, 6)) / ETHER;
        const over = sum / 100n; // where that is less than a raw unit there is no overfill
        const asked = over === 0n ? sum : sum + over + 1n;
        if (levels.length === 0) return;
        const [makerAsset, takerAsset] = side === 'asks' ? [WETH, USDC] : [USDC, WETH];
        const answer = await firm(
          desk,
          request({ makerAsset, takerAsset, makerAmount: undefined, [given]: `${asked}` }),
        );
        // A few raw units of depth may be worth nothing of the other token.
        expect(['order', 'amount_too_small']).toContain(answer.code ?? 'order');
      },
    );
    const noLimits = { maxQuote: '0', maxOutstanding: '0', usdc: '0' } as const;
    const dust = [{ weth: 1n, usdc: 6n }, noLimits, 'makerAmount', 'bids'] as const;
    await fc.assert(property, { numRuns: howOften(25, 250), examples: [[...dust]] });
  });

  it('is cut to what the reserve and what is live leave, level by level from the back', async () => {
    const desk = await openDesk({ chain: { reserve: { USDC: '1000' }, overfillBps: 0 } });
    desk.chain.view = seen(desk.now(), { [USDC]: 5_412n * DOLLAR + 500_004n });
    desk.quoter.tick();
    // 4412.5 USDC and nothing more can be signed: one WETH at 3412.5, and 1000 USDC's worth at 3412.
    expect(grid(desk).prices[PAIR]?.bids).toEqual([
      ['3412.5', '1'],
      ['3412', '0.293083235638921453'],
    ]);
    await firm(desk, request({ makerAsset: USDC, takerAsset: WETH, makerAmount: `${1_000n * DOLLAR}` }));
    desk.quoter.tick();
    expect(grid(desk).prices[PAIR]?.bids).toEqual([['3412.5', '1']]);
  });
});

describe('one bad pair', () => {
  it('removes only itself from what is served', async () => {
    const desk = await openDesk();
    const book = desk.book.chain(CHAIN);
    const weth = book?.pairs.get(PAIR);
    if (book === undefined || weth === undefined) throw new Error('no pair');
    const poisoned = {
      ...weth,
      get asks(): never {
        throw new Error('a bit fell over');
      },
    };
    const pairs = new Map([...book.pairs, [PAIR, poisoned]]);
    desk.book.chain = () => ({ ...book, pairs });
    desk.book.chains = () => [{ ...book, pairs }];
    expect(grid(desk).prices).toEqual({ [PAIR]: {}, 'DAI/USDC': chain().prices['DAI/USDC'] });
    expect(desk.guard.status()).toMatchObject({
      state: 'LIVE',
      chains: [{ state: 'LIVE', pairs: { [PAIR]: 'HALTED', 'DAI/USDC': 'LIVE' } }],
    });
    expect((await firm(desk, request({ makerAsset: DAI, makerAmount: `${ETHER}` }))).status).toBe(200);
  });
});

function raw(text: string, decimals: number): bigint {
  const { n, d } = parseDecimal(text);
  return (n * 10n ** BigInt(decimals)) / d;
}

function depth(entry: PriceEntry | undefined, side: 'bids' | 'asks'): number {
  return (entry?.[side] ?? []).reduce((sum, [, amount]) => sum + Number(amount), 0);
}
