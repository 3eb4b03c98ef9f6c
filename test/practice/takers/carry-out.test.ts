import { expect, test } from 'vitest';
import { carryOut, type Market } from '../../../electron/practice/takers/carry-out.ts';
import type { HabitWish } from '../../../electron/practice/takers/habits.ts';
import { openTally } from '../../../electron/practice/takers/tally.ts';
import type { OrderState } from '../../../electron/protocol/order-record.ts';
import type { SignedOrder } from '../../../electron/protocol/wire.ts';
import { CACHED } from './practice-view.ts';

const EXPIRY = 1_000;
const HASH = `0x${'ab'.repeat(32)}` as const;
const [WETH, USDC] = [CACHED.tokens.WETH, CACHED.tokens.USDC];

/** A market that quotes everything, in which the service says `state` of each order and the newest block is of `seconds`. */
function marketOf(state: OrderState | null, seconds: number | null) {
  const sent: unknown[] = [];
  const wallet = {
    address: `0x${'1'.repeat(40)}` as const,
    send: async (call: unknown) => {
      sent.push(call);
      return HASH;
    },
    forgetNonce: () => {},
  };
  const order = {
    nonceAndMeta: '1',
    expiry: EXPIRY,
    makerAmount: '2000',
    takerAmount: '1000',
    signature: '0x11',
    makerAsset: USDC?.address,
    takerAsset: WETH?.address,
    maker: wallet.address,
    taker: wallet.address,
  } as SignedOrder;
  const market = {
    consumer: { firm: async () => ({ kind: 'order', order, hash: HASH }) },
    executor: wallet.address,
    wallets: { retail: wallet },
    blocks: { mined: async () => ({ block: 7n, success: true }), seconds: () => seconds },
    orderState: () => state,
    tally: openTally(() => wallet.address),
    signal: new AbortController().signal,
  } as unknown as Market;
  return { market, sent };
}

const wish = {
  habit: 'retail',
  exact: 'in',
  slippageBps: 50,
  ending: 'fill',
  hops: [{ pairId: 'WETH/USDC', direction: 'sell', takerToken: WETH, makerToken: USDC, given: 1_000n, got: 2_000n }],
} as unknown as HabitWish;

test.each<[string, OrderState, number | null]>([
  ['PENDING before its expiry', 'PENDING', EXPIRY - 1],
  ['PENDING in its expiry second, in which the contract still fills it', 'PENDING', EXPIRY],
  ['PENDING while no block was seen yet', 'PENDING', null],
])('a taker fills an order that is %s', async (_what, state, seconds) => {
  const { market, sent } = marketOf(state, seconds);
  expect(await carryOut(wish, market, false)).toMatchObject({ kind: 'filled' });
  expect(sent).toHaveLength(1);
});

test.each<[OrderState | null, number, string]>([
  ['PENDING', EXPIRY + 1, 'has expired'],
  ['SUSPENDED', EXPIRY, 'is SUSPENDED'],
  ['CANCELLED', EXPIRY, 'is CANCELLED'],
  ['FULFILLED', EXPIRY, 'is FULFILLED'],
  [null, EXPIRY, 'is not known to the service'],
])('a taker looks again before it fills: %s at %i s is not sent', async (state, seconds, why) => {
  const { market, sent } = marketOf(state, seconds);
  expect(await carryOut(wish, market, false)).toEqual({ kind: 'lost', why: `order ${HASH} ${why}` });
  expect(sent).toEqual([]);
  const row = market.tally.counts().find(({ habit }) => habit === 'retail');
  expect(row).toMatchObject({ asked: 1, quoted: 1, lost: 1, filled: 0 });
});
