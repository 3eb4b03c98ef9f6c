import { WireRefused } from '../../wire-refused.ts';
import { type IntentKind, slicedValue } from './kind.ts';
import { isBuy, type SignedIntent } from './signed-intent.ts';

/** Below these a TWAP is none (PROTOCOL 18). Seconds, and slices. */
const SHORTEST_INTERVAL = 60;
const FEWEST_SLICES = 2;

/** Sells a total in equal slices, one an interval; `destAmount` and `expectedAmount` are of one slice. */
export const TWAP: IntentKind = {
  name: 'TWAPOrder',
  value: slicedValue(['totalSrcAmount', 'destAmount']),
  mark: 'totalSrcAmount',
  needs: { fields: ['interval', 'numSlices', 'totalSrcAmount'], fault: 'InvalidTWAPParams' },
  side: 'SELL',
  isSliced: true,
  dueAt: dueSlice,
  tuple: ({ totalSrcAmount }) => ({ srcAmount: totalSrcAmount, kind: 0 }),
  checkBuild({ interval = 0, numSlices = 0, totalSrcAmount, route: { origin } }) {
    if (!isTwap(interval, numSlices)) throw new WireRefused('InvalidTWAPParams');
    if (isSlice(origin.input.amount, totalSrcAmount, numSlices)) return;
    throw new WireRefused('InvalidTWAPSrcAmount');
  },
  checkSigned(intent, now) {
    if (!isTwap(intent.interval, intent.numSlices)) throw new WireRefused('InvalidTWAPParams');
    checkSlices(intent, now);
  },
};

/** Buys a total in equal slices; `maxSrcAmount` is of all of them, `expectedAmount` of one. */
export const TWAP_BUY: IntentKind = {
  name: 'TWAPBuyOrder',
  value: slicedValue(['totalDestAmount', 'maxSrcAmount']),
  mark: 'totalDestAmount',
  needs: { fields: ['interval', 'numSlices', 'totalDestAmount', 'maxSrcAmount'], fault: 'InvalidTWAPBuyParams' },
  side: 'BUY',
  isSliced: true,
  dueAt: dueSlice,
  tuple: ({ totalDestAmount, maxSrcAmount }) => ({ srcAmount: maxSrcAmount, destAmount: totalDestAmount, kind: 1 }),
  checkBuild({ interval = 0, numSlices = 0, totalDestAmount, route: { origin, destination } }) {
    if (!isTwap(interval, numSlices)) throw new WireRefused('InvalidTWAPBuyParams');
    if (isSlice((origin.output ?? destination.output).amount, totalDestAmount, numSlices)) return;
    throw new WireRefused('InvalidTWAPBuyDestAmount');
  },
  checkSigned(intent, now) {
    if (!isTwap(intent.interval, intent.numSlices)) throw new WireRefused('InvalidTWAPBuyParams');
    checkSlices(intent, now);
  },
};

/** Long enough apart, and more than one. `interval` in seconds. */
function isTwap(interval: number | bigint, numSlices: number | bigint): boolean {
  return interval >= SHORTEST_INTERVAL && numSlices >= FEWEST_SLICES;
}

/** The first slice comes at once, each other one an interval after the last. */
function dueSlice({ interval }: SignedIntent, { fills, lastFillAt }: { fills: number; lastFillAt: number }): number {
  return fills === 0 ? 0 : lastFillAt + Number(interval);
}

/** Whether an amount is one slice of the total; what remains of the total is meant to remain. */
function isSlice(amount: string, total = '0', numSlices: number): boolean {
  return BigInt(amount) === BigInt(total) / BigInt(numSlices);
}

function checkSlices(intent: SignedIntent, now: bigint): void {
  const { interval, numSlices, deadline, srcAmount, destAmount } = intent;
  if (deadline <= now + numSlices * interval) {
    throw new WireRefused('InvalidDeadline', 'deadline must allow enough time for all slices to execute');
  }
  const totals = isBuy(intent)
    ? ([
        ['totalDestAmount', destAmount],
        ['maxSrcAmount', srcAmount],
      ] as const)
    : ([['totalSrcAmount', srcAmount]] as const);
  const short = totals.find(([, total]) => total < numSlices);
  if (short) throw new WireRefused('AmountTooSmall', `${short[0]} must be >= numSlices`);
}
