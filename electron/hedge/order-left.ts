import type { HedgeStep } from '../contract/hedge-steps.ts';
import { isoTime } from '../contract/names.ts';
import type { HedgeRecord } from '../journal/hedges/fold.ts';
import type { Address } from '../protocol/address.ts';

/** A signed order as its chain may still take it. */
export interface SignedLeft {
  orderHash: string;
  /** The contract that takes it. */
  spender: Address;
  /** What it may still take of its source, raw units. */
  left: bigint;
  /** The newest block when it was signed; nothing of it lies before. Null in older journals. */
  since: number | null;
}

/**
 * What an order may still take by what the chain confirmed of it; null where none was signed. What a bridge gave back is spent all
 * the same: its order cannot be taken again. Slices are of equal size, the rest is never sold.
 */
export function signedLeft(
  { opened: { way, side }, received }: Pick<HedgeRecord, 'opened' | 'received'>,
  steps: readonly HedgeStep[],
): SignedLeft | null {
  const built = steps.findLast((step) => step.step === 'order_built');
  const signed = steps.findLast((step) => step.step === 'order_signed');
  if (built?.step !== 'order_built' || signed?.step !== 'order_signed') return null;
  const about = { orderHash: signed.orderHash, spender: built.spender, since: signed.block ?? null };
  // A way in slices says how many.
  const slices =
    typeof way.slices === 'number' && Number.isSafeInteger(way.slices) && way.slices > 0 ? BigInt(way.slices) : 1n;
  const whole = (amount: bigint) => amount - (amount % slices);
  if (side === 'BUY' && BigInt(received) >= whole(BigInt(built.least))) return { ...about, left: 0n };
  const most = side === 'SELL' ? whole(BigInt(built.most)) : BigInt(built.most);
  const left = most - takenBy(steps);
  return { ...about, left: left > 0n ? left : 0n };
}

/** What its fills took of the source, as far as the chain confirms them. */
function takenBy(steps: readonly HedgeStep[]): bigint {
  const told = steps.findLast((step) => step.step === 'order_status');
  if (told?.step !== 'order_status') return 0n;
  return told.transactions.reduce((sum, { kind, amount }) => sum + (kind === 'fill' ? BigInt(amount ?? 0) : 0n), 0n);
}

/** What is added to the end of a hedge while its chain may still take what it signed, by our clock; nothing where it cannot. */
export function goodUntilWords(hedge: HedgeRecord, steps: readonly HedgeStep[], now: number): string {
  const order = signedLeft(hedge, steps);
  const until = hedge.opened.deadline * 1_000;
  if (order === null || order.left === 0n || until < now) return '';
  return ` Its signature is good until ${isoTime(until).slice(0, 19).replace('T', ' ')} UTC, and counts until then.`;
}
