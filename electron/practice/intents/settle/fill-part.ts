import { ZERO_ADDRESS } from '../../../protocol/address.ts';
import { unpackPartnerAndFee } from '../../../protocol/intent-order.ts';
import { shareOf, WHOLE_BPS } from '../../basis-points.ts';
import { hasFlag, isBuy, isSliced, type SignedIntent } from '../kinds/signed-intent.ts';

/** How far an order is filled on chain. */
export interface FillState {
  /** Of the side that is exact, raw units. */
  filled: bigint;
  fills: number;
}

/** What one fill moves, raw units. */
export interface FillPart {
  /** Of the side that is exact. */
  amount: bigint;
  /** The least of the output when the order sells, the most of the input when it buys. */
  limit: bigint;
  /** Of the other side, as quoted. */
  expected: bigint;
}

/** Of the side that is exact, all slices together; a TWAP's remainder belongs to it and is never filled. */
export function wholeOf(intent: SignedIntent): bigint {
  return isBuy(intent) ? intent.destAmount : intent.srcAmount;
}

/** One slice: floor(total / numSlices) (PROTOCOL 14.4). */
export function sliceOf(intent: SignedIntent): bigint {
  return wholeOf(intent) / intent.numSlices;
}

export function isFilled(intent: SignedIntent, { filled, fills }: FillState): boolean {
  return isSliced(intent) ? BigInt(fills) >= intent.numSlices : filled >= wholeOf(intent);
}

/** The most that the next fill may be, null when nothing is left. */
export function nextAmount(intent: SignedIntent, state: FillState): bigint | null {
  if (isFilled(intent, state)) return null;
  return isSliced(intent) ? sliceOf(intent) : wholeOf(intent) - state.filled;
}

/** What a fill of `amount` must keep to, rounded for the owner as the contract does. */
export function partOf(intent: SignedIntent, amount: bigint): FillPart {
  const { srcAmount, destAmount, expectedAmount, numSlices } = intent;
  if (isSliced(intent)) {
    const limit = isBuy(intent) ? srcAmount / numSlices : destAmount;
    return { amount, limit, expected: expectedAmount };
  }
  const whole = wholeOf(intent);
  const limit = isBuy(intent) ? (srcAmount * amount) / whole : (destAmount * amount + whole - 1n) / whole;
  return { amount, limit, expected: (expectedAmount * amount) / whole };
}

/** What the owner's token must cover at the most for such a fill. */
export function inputOf(intent: SignedIntent, amount: bigint): bigint {
  return isBuy(intent) ? partOf(intent, amount).limit : amount;
}

/**
 * What comes of a solver's offer after the partner's part: SELL: what is delivered of what they give; BUY: what the owner
 * pays when they want so much.
 */
export function afterFees(intent: SignedIntent, offer: bigint, expected: bigint): bigint {
  const { partner, feeBps } = unpackPartnerAndFee(intent.partnerAndFee);
  if (partner === ZERO_ADDRESS) return offer;
  const fee = shareOf(offer, feeBps);
  const own = isBuy(intent) ? offer + fee : offer - fee;
  const better = isBuy(intent) ? expected - own : own - expected;
  if (better <= 0n || !hasFlag(intent, 'takeSurplus')) return own;
  const most = hasFlag(intent, 'capSurplus') ? expected / 100n : better;
  const surplus = better > most ? most : better;
  return isBuy(intent) ? own + surplus : own - surplus;
}

/** How much of the order a fill of `amount` is, percent to two decimals; a slice counts as a slice. */
export function percentOf(intent: SignedIntent, amount: bigint): number {
  if (isSliced(intent)) return Number(WHOLE_BPS / intent.numSlices) / 100;
  return Number((amount * WHOLE_BPS) / wholeOf(intent)) / 100;
}
