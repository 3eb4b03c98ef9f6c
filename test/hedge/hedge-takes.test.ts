import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { ChainView } from '../../electron/chain/chain-view.ts';
import type { Address } from '../../electron/protocol/address.ts';
import { type IntentMarket, openIntentMarket } from '../practice/intents/intent-market.ts';
import { type HedgingDesk, hedgeFolder, openHedgingDesk } from './hedging-desk.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

const CHAIN = 31337;
const ETHER = 10n ** 18n;
const DOLLAR = 10n ** 6n;
const HELD = { WETH: 10n * ETHER, USDC: 50_000n * DOLLAR };

let market: IntentMarket;
let home: ReturnType<typeof hedgeFolder>;
let desk: HedgingDesk;
const now = () => market.now() * 1_000;
/** When the chain was looked at last; null: at this moment. */
let seenAt: number | null = null;
const view = (): ChainView => ({
  block: { number: 1, hash: `0x${'1'.repeat(64)}`, timestamp: market.now() },
  seenAt: seenAt ?? now(),
  balances: new Map(
    (['WETH', 'USDC'] as const).map((symbol) => {
      return [market.token(symbol), { balance: HELD[symbol], allowance: 2n ** 255n }];
    }),
  ),
  unreadable: [],
  fault: null,
});
const open = () => openHedgingDesk(market, { ...home, now, view });
beforeAll(async () => {
  market = await openIntentMarket();
  market.start();
});
afterAll(() => market?.close());
beforeEach(async () => {
  home = hedgeFolder();
  desk = await open();
});
afterEach(async () => {
  await desk.close();
  home.remove();
});

/** What quotes may still be signed for. */
function spendable(symbol: 'WETH' | 'USDC'): bigint {
  const { book, guard } = desk.rooms;
  const chain = book.chain(CHAIN);
  if (chain === undefined) throw new Error('no chain');
  return guard.orders.of(CHAIN).spendable(chain, market.token(symbol));
}
const refused = (makerAmount: bigint) => {
  const { book, guard } = desk.rooms;
  const chain = book.chain(CHAIN);
  const nobody: Address = `0x${'9'.repeat(40)}`;
  const [makerAsset, takerAsset] = [market.token('WETH'), market.token('USDC')];
  const ask = { user: nobody, taker: nobody, makerAsset, takerAsset, makerAmount, takerAmount: 1n };
  return chain === undefined ? 'unknown_pair' : guard.refusal(chain, ask);
};

test('what an order under way may sell is quoted by nobody, also after a restart, until it ends', async () => {
  expect(spendable('WETH')).toBe(HELD.WETH - 1n);
  const wish = desk.wish({ way: { mode: 'limit', limitAmount: '900000' }, ask: { amount: '4' } });
  const order = await desk.place(wish);
  expect(spendable('WETH'), 'from the moment it is placed').toBe(HELD.WETH - 4n * ETHER - 1n);
  await desk.reached(order, 'submitted');
  expect(refused(7n * ETHER)).toBe('insufficient_balance');
  expect(refused(5n * ETHER)).toBeNull();
  expect(spendable('USDC')).toBe(HELD.USDC - 1n);
  await desk.close();
  desk = await open();
  expect(spendable('WETH')).toBe(HELD.WETH - 4n * ETHER - 1n);
  await desk.hedging.engine.cancel(order, 'trader');
  await desk.reached(order, 'cancelled');
  await vi.waitFor(() => expect(spendable('WETH')).toBe(HELD.WETH - 1n), 5_000);
});

test('what a purchase under way may spend at most is quoted by nobody', async () => {
  const [destToken, srcToken] = [market.token('WETH'), market.token('USDC')];
  const ask = { srcToken, destToken, side: 'BUY' as const, amount: '2' };
  const order = await desk.place(desk.wish({ way: { mode: 'limit', limitAmount: '30' }, ask }));
  await desk.reached(order, 'submitted');
  await vi.waitFor(() => expect(spendable('USDC')).toBe(HELD.USDC - 30n * DOLLAR - 1n));
  await desk.close();
  desk = await open();
  await vi.waitFor(() => expect(spendable('USDC')).toBe(HELD.USDC - 30n * DOLLAR - 1n));
});

test('a swap takes what it was placed for until it is mined and the chain was looked at after that', async () => {
  const swap = await desk.place(desk.wish({ ask: { amount: '1' } }));
  expect(spendable('WETH')).toBe(HELD.WETH - ETHER - 1n);
  seenAt = now();
  await desk.reached(swap, 'done');
  expect(spendable('WETH'), 'the balance that is known is from before').toBe(HELD.WETH - ETHER - 1n);
  seenAt = null;
  await vi.waitFor(() => expect(spendable('WETH')).toBe(HELD.WETH - 1n), 5_000);
});
