import fc from 'fast-check';
import { BaseError, ContractFunctionRevertedError } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { INTENT_SETTLEMENT } from '../../../../electron/practice/chain/artifacts.ts';
import { signedIntent } from '../../../../electron/practice/intents/kinds/kinds.ts';
import type { SignedIntent } from '../../../../electron/practice/intents/kinds/signed-intent.ts';
import { keepsTo } from '../../../../electron/practice/intents/settle/fill-order.ts';
import {
  inputOf,
  isFilled,
  nextAmount,
  partOf,
  sliceOf,
} from '../../../../electron/practice/intents/settle/fill-part.ts';
import { DOLLAR, ETHER, type IntentFloor, openIntentFloor, partnerFee } from './intent-floor.ts';

let floor: IntentFloor;
beforeAll(async () => {
  floor = await openIntentFloor();
});
afterAll(() => floor?.close());

const amounts = fc.bigInt({ min: 1n, max: 2n ** 96n });
const slices = fc.integer({ min: 2, max: 1_000 });
const PARTLY = 4;

const twap = async (type: 'TWAPOrder' | 'TWAPBuyOrder') => {
  const { value } = await floor.order(type);
  return (total: bigint, most: bigint, count: number): SignedIntent => {
    const changes =
      type === 'TWAPOrder' ? { totalSrcAmount: `${total}` } : { totalDestAmount: `${total}`, maxSrcAmount: `${most}` };
    return signedIntent(type, { ...value, ...changes, numSlices: `${count}` });
  };
};

test('slices of any total are all alike, never more than the total, and leave less than one unit each', async () => {
  for (const type of ['TWAPOrder', 'TWAPBuyOrder'] as const) {
    const order = await twap(type);
    fc.assert(
      fc.property(amounts, amounts, slices, (total, most, count) => {
        fc.pre(total >= BigInt(count) && most >= BigInt(count));
        const intent = order(total, most, count);
        let filled = 0n;
        let paid = 0n;
        for (let fills = 0; fills < count; fills++) {
          expect(nextAmount(intent, { filled, fills })).toBe(sliceOf(intent));
          filled += sliceOf(intent);
          paid += inputOf(intent, sliceOf(intent));
        }
        expect(sliceOf(intent)).toBeGreaterThan(0n);
        expect(total - filled).toBeGreaterThanOrEqual(0n);
        expect(total - filled).toBeLessThan(BigInt(count));
        expect(paid).toBeLessThanOrEqual(type === 'TWAPOrder' ? total : most);
        expect(isFilled(intent, { filled, fills: count })).toBe(true);
        expect(nextAmount(intent, { filled, fills: count })).toBeNull();
      }),
      { numRuns: 40 },
    );
  }
});

test('parts of any size together give the owner at least what the whole would', async () => {
  const { value } = await floor.order('Order');
  const whole = fc.tuple(fc.constantFrom(0, 1), amounts, amounts, fc.array(fc.integer({ min: 1, max: 99 })));
  fc.assert(
    fc.property(whole, ([kind, srcAmount, destAmount, percents]) => {
      const intent = signedIntent('Order', { ...value, kind, srcAmount: `${srcAmount}`, destAmount: `${destAmount}` });
      let [filled, fills, limits] = [0n, 0, 0n];
      for (const percent of [...percents, 100]) {
        const left = nextAmount(intent, { filled, fills });
        if (left === null) break;
        const amount = (left * BigInt(percent) + 99n) / 100n;
        limits += partOf(intent, amount).limit;
        filled += amount;
        fills += 1;
      }
      expect(isFilled(intent, { filled, fills })).toBe(true);
      if (kind === 0) expect(limits).toBeGreaterThanOrEqual(destAmount);
      else expect(limits).toBeLessThanOrEqual(srcAmount);
    }),
  );
});

/** Whether the contract would take the fill; rejects when it refuses for anything but the price. */
async function isTaken(
  intent: SignedIntent,
  signature: `0x${string}`,
  amount: bigint,
  offer: bigint,
): Promise<boolean> {
  const { chain, addresses, solvers } = floor;
  try {
    await chain.client.simulateContract({
      account: solvers.swift.address,
      address: addresses.intents,
      abi: INTENT_SETTLEMENT.abi,
      functionName: 'fill',
      args: [intent, signature, { fills: 0n, amount, offer }],
    });
    return true;
  } catch (error) {
    const revert =
      error instanceof BaseError ? error.walk((one) => one instanceof ContractFunctionRevertedError) : null;
    const reason = revert instanceof ContractFunctionRevertedError ? revert.reason : null;
    if (reason === 'INSUFFICIENT_OUTPUT' || reason === 'Excessive input') return false;
    throw error;
  }
}

/** Where an offer is kept to and its neighbour is not. */
function worstOffer(intent: SignedIntent, amount: bigint): bigint {
  const isEnough = (offer: bigint) => keepsTo(intent, amount, offer) === (intent.kind === 0);
  let [low, high] = [0n, 2n * partOf(intent, amount).limit + 10n];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

test('solvers bid for exactly what the contract takes, whatever fee and flags say', async () => {
  const wish = fc.record({
    kind: fc.constantFrom(0, 1),
    srcAmount: fc.bigInt({ min: 1n, max: ETHER }),
    destAmount: fc.bigInt({ min: 1n, max: 3_000n * DOLLAR }),
    percent: fc.bigInt({ min: 95n, max: 102n }),
    feeBps: fc.integer({ min: 0, max: 200 }),
    flags: fc.constantFrom(0, 1, 3).map((flags) => flags | PARTLY),
    share: fc.bigInt({ min: 1n, max: 100n }),
  });
  await fc.assert(
    fc.asyncProperty(wish, async ({ kind, srcAmount, destAmount, percent, feeBps, flags, share }) => {
      const expectedAmount = ((kind === 0 ? destAmount : srcAmount) * percent) / 100n;
      const order = await floor.order('Order', {
        kind,
        srcAmount: `${srcAmount}`,
        destAmount: `${destAmount}`,
        expectedAmount: `${expectedAmount}`,
        partnerAndFee: partnerFee(feeBps, flags),
      });
      const intent = signedIntent('Order', order.value);
      const whole = kind === 0 ? srcAmount : destAmount;
      const amount = (whole * share + 99n) / 100n;
      const { limit } = partOf(intent, amount);
      const worst = worstOffer(intent, amount);
      for (const offer of [limit - 1n, limit, worst - 1n, worst, worst + 1n]) {
        if (offer <= 0n) continue;
        const taken = await isTaken(intent, order.signature, amount, offer);
        expect(keepsTo(intent, amount, offer), `${offer} for ${limit}`).toBe(taken);
      }
    }),
    { numRuns: 25 },
  );
});
