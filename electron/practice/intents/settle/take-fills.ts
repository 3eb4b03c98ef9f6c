import { ENDED_STATUSES } from '../../../protocol/intent-order-record.ts';
import type { IntentPatch, IntentRow } from '../intent-store.ts';
import { isBuy, isSliced, type SignedIntent } from '../kinds/signed-intent.ts';
import { isFilled, percentOf, sliceOf } from './fill-part.ts';
import type { ChainFill, OrderState } from './intent-chain.ts';
import { withNotes } from './relay.ts';

/** What an order becomes by a fill that the chain has and its row has not. */
export function afterFill(
  row: IntentRow,
  fill: ChainFill,
  { intent, state, now }: { intent: SignedIntent; state: OrderState; now: number },
): IntentPatch {
  const { lock, spent, received, transactionHash } = fill;
  const arrived = lock === null ? received : 0n;
  const entry = {
    originTx: transactionHash,
    destinationTx: null,
    filledPercent: percentOf(intent, exactPart(intent, fill)),
    spentAmount: `${spent}`,
    receivedAmount: `${arrived}`,
  };
  const crossing =
    lock === null ? null : { id: lock.id, output: `${lock.output}`, since: now, decided: null, fill: null };
  const status = lock === null ? afterDelivery(row, intent, state) : ('BRIDGING' as const);
  return {
    status,
    transactions: [...row.transactions, entry],
    input: { ...row.input, executedAmount: `${BigInt(row.input.executedAmount) + spent}` },
    output: { ...row.output, executedAmount: `${BigInt(row.output.executedAmount) + arrived}` },
    auctionStartedAt: null,
    nextSliceAt: nextSliceAt(intent, state),
    ...withNotes(row, { crossing, failures: 0, endedAt: null }),
  };
}

/** What an order becomes when its chain has taken back fills, with the block that they were in. */
export function withoutFills(row: IntentRow, fills: number): IntentPatch {
  const gone = row.transactions.slice(fills);
  const less = (amount: string, key: 'spentAmount' | 'receivedAmount') =>
    `${gone.reduce((left, one) => left - BigInt(one[key]), BigInt(amount))}`;
  const isCancelled = /^CANCEL/.test(row.status) || (ENDED_STATUSES.has(row.status) && row.cancelAskedAt !== null);
  return {
    status: isCancelled ? 'CANCELLING' : fills === 0 ? 'PENDING' : 'ACTIVE',
    transactions: row.transactions.slice(0, fills),
    // It was of the last fill, and later than it on the same chain.
    refunds: [],
    input: { ...row.input, executedAmount: less(row.input.executedAmount, 'spentAmount') },
    output: { ...row.output, executedAmount: less(row.output.executedAmount, 'receivedAmount') },
    nextSliceAt: null,
    // What was locked by a fill that is gone is not locked; where it was paid already, the same lock is not paid again.
    ...withNotes(row, { crossing: null, endedAt: null }),
  };
}

/** Where an order stands once a fill of it has arrived: a cancellation that waited for it is carried out now. */
export function afterDelivery(
  { cancelAskedAt }: Pick<IntentRow, 'cancelAskedAt'>,
  intent: SignedIntent,
  state: OrderState,
): 'COMPLETED' | 'CANCELLING' | 'ACTIVE' {
  if (isFilled(intent, state)) return 'COMPLETED';
  return cancelAskedAt === null ? 'ACTIVE' : 'CANCELLING';
}

/** Unix milliseconds; null when there is none. */
function nextSliceAt(intent: SignedIntent, state: OrderState): number | null {
  if (!isSliced(intent) || isFilled(intent, state)) return null;
  return (state.lastFillAt + Number(intent.interval)) * 1000;
}

/** As much as was filled of the side that is exact. A bridge, or a token that keeps a part, does not change what a slice is. */
function exactPart(intent: SignedIntent, { spent, received }: ChainFill): bigint {
  if (isSliced(intent)) return sliceOf(intent);
  return isBuy(intent) ? received : spent;
}
