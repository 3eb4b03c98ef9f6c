import type { HedgeStep } from '../../../contract/hedge-steps.ts';
import type { HedgeRecord } from '../../../journal/hedges/fold.ts';
import { lastStep, type SignedLeft } from '../../hedge-steps.ts';

/**
 * What an order may still take by what the chain confirmed of it; null where none was signed. What a bridge gave back is spent all
 * the same: its order cannot be taken again. Slices are of equal size, the rest is never sold.
 */
export function signedLeft(
  { opened: { way, side, amount }, received }: Pick<HedgeRecord, 'opened' | 'received'>,
  steps: readonly HedgeStep[],
): SignedLeft | null {
  const [built, signed] = [lastStep(steps, 'order_built'), lastStep(steps, 'order_signed')];
  if (built === null || signed === null) return null;
  const about = { orderHash: signed.orderHash, spender: built.spender, since: signed.block ?? null };
  // A way in slices says how many.
  const slices =
    typeof way.slices === 'number' && Number.isSafeInteger(way.slices) && way.slices > 0 ? BigInt(way.slices) : 1n;
  const whole = (raw: bigint) => raw - (raw % slices);
  if (side === 'BUY' && BigInt(received) >= whole(BigInt(amount))) return { ...about, left: 0n };
  const most = side === 'SELL' ? whole(BigInt(built.most)) : BigInt(built.most);
  const left = most - takenBy(steps);
  return { ...about, left: left > 0n ? left : 0n };
}

/** What its fills took of the source, as far as the chain confirms them. */
function takenBy(steps: readonly HedgeStep[]): bigint {
  return orderTransactions(steps).reduce(
    (sum, { kind, amount }) => sum + (kind === 'fill' ? BigInt(amount ?? 0) : 0n),
    0n,
  );
}

/** The transactions that an order is known to be filled or refunded by. */
export function orderTransactions(
  steps: readonly HedgeStep[],
): Extract<HedgeStep, { step: 'order_status' }>['transactions'] {
  const told = steps.findLast((step) => step.step === 'order_status' || step.step === 'filled_late');
  return told !== undefined && 'transactions' in told ? told.transactions : [];
}
