import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leastFill, shareOf, stateOf } from '../../../electron/practice/orders/share-balance.ts';

const anAmount = fc.oneof(fc.bigInt({ min: 1n, max: 40n }), fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }));
const aCover = fc.oneof(fc.bigInt({ min: 0n, max: 90n }), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }));

/** What an order has still to give: anything from nothing to all of it. */
const anOrder = fc
  .record({
    makerAmount: anAmount,
    takerAmount: anAmount,
    isCancelled: fc.boolean(),
    expiry: fc.constantFrom(0, 9, 10, 11),
  })
  .chain((order) => fc.bigInt({ min: 0n, max: order.makerAmount }).map((fillable) => ({ ...order, fillable })));

const NOW = 10;

/** The same, told as a story: orders come one after another and take what they still want out of one purse. */
function served(
  orders: { makerAmount: bigint; takerAmount: bigint; fillable: bigint; pending: boolean }[],
  cover: bigint,
) {
  let purse = cover;
  return orders.map(({ fillable, pending }) => {
    const makerBalance = purse;
    // One that is suspended is filled by nobody.
    const taken = !pending ? 0n : fillable < purse ? fillable : purse;
    purse -= taken;
    return { makerBalance, taken };
  });
}

function shares(orders: Parameters<typeof stateOf>[0][], cover: bigint) {
  let older = 0n;
  return orders.map((facts) => {
    const state = stateOf(facts, cover, NOW);
    const share = shareOf({ ...facts, state }, cover, older);
    if (state === 'PENDING') older += facts.fillable;
    return { ...facts, state, ...share };
  });
}

describe('orders on one balance', () => {
  it('are served oldest first, as if each took its part out of one purse', () => {
    const property = fc.property(fc.array(anOrder, { maxLength: 12 }), aCover, (orders, cover) => {
      const got = shares(orders, cover);
      const model = served(
        got.map((order) => ({ ...order, pending: order.state === 'PENDING' })),
        cover,
      );
      expect(got.map(({ makerBalance }) => makerBalance)).toEqual(model.map(({ makerBalance }) => makerBalance));
      expect(got.map(({ reservedBalance }) => reservedBalance)).toEqual(model.map(({ taken }) => taken));
    });
    fc.assert(property, { numRuns: 3_000 });
  });

  it('never have more to swap together than the balance covers, nor one of them more than it has left', () => {
    const property = fc.property(fc.array(anOrder, { maxLength: 12 }), aCover, (orders, cover) => {
      const got = shares(orders, cover);
      expect(got.reduce((sum, { swappableBalance }) => sum + swappableBalance, 0n) <= cover).toBe(true);
      for (const order of got) {
        expect(order.swappableBalance <= order.reservedBalance).toBe(true);
        expect(order.reservedBalance <= order.fillable && order.reservedBalance <= order.makerBalance).toBe(true);
        if (order.state !== 'PENDING') expect([order.reservedBalance, order.swappableBalance]).toEqual([0n, 0n]);
      }
    });
    fc.assert(property, { numRuns: 3_000 });
  });
});

describe('the least fill', () => {
  it('is the least that the contract’s rounding gives for any amount of the taker asset', () => {
    const small = fc.bigInt({ min: 1n, max: 60n });
    const property = fc.property(small, small, (makerAmount, takerAmount) => {
      const gives = Array.from(
        { length: Number(takerAmount) },
        (_, index) => (BigInt(index + 1) * makerAmount) / takerAmount,
      );
      const [least] = gives.filter((give) => give > 0n).sort((a, b) => Number(a - b));
      expect(leastFill({ makerAmount, takerAmount })).toBe(least);
    });
    fc.assert(property, { numRuns: 2_000 });
  });
});

describe('the state', () => {
  const order = { makerAmount: 100n, takerAmount: 7n, fillable: 100n, isCancelled: false, expiry: 10 };

  it.each([
    ['an open order that is covered, in its expiry second', 'PENDING', {}, 100n, 10],
    ['one second later', 'EXPIRED', {}, 100n, 11],
    ['an order without expiry', 'PENDING', { expiry: 0 }, 100n, 11],
    ['a cover below the order', 'SUSPENDED', {}, 99n, 10],
    ['a cover of all that is left', 'PENDING', { fillable: 99n }, 99n, 10],
    ['an order both expired and short of cover', 'EXPIRED', {}, 99n, 11],
    ['nothing left, long ago', 'FULFILLED', { fillable: 0n }, 0n, 11],
    ['dust left', 'FULFILLED', { fillable: 13n }, 100n, 10],
    ['one least fill left', 'PENDING', { fillable: 14n }, 100n, 10],
    ['a cancelled order, long ago', 'CANCELLED', { isCancelled: true }, 100n, 11],
    ['an order cancelled when partly filled', 'CANCELLED', { fillable: 40n, isCancelled: true }, 0n, 10],
  ] as const)('of %s is %s', (_what, state, change, cover, seconds) => {
    expect(stateOf({ ...order, ...change }, cover, seconds)).toBe(state);
  });
});
