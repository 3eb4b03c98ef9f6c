import { z } from 'zod';
import { addressSchema, type Hex, ZERO_ADDRESS } from '../../../protocol/address.ts';
import { rawAmountSchema } from '../../../protocol/amount.ts';
import { unpackPartnerAndFee } from '../../../protocol/intent-order.ts';
import { bytesSchema } from '../../../protocol/market-transaction.ts';

const selectorSchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{8}$/)
  .transform((text) => text as Hex);

/**
 * How an order crosses chains; `destinationChainId` 0 is not at all. `destToken` is then what enters the bridge on the
 * source chain, and `destAmount` and `expectedAmount` are counted in it. `protocolData` is the bridge's fee in raw units of
 * that token, one word, or empty for none: see `bridgeOutput` for what arrives as `outputToken`.
 */
export const bridgeSchema = z.object({
  protocolSelector: selectorSchema,
  destinationChainId: rawAmountSchema,
  outputToken: addressSchema,
  scalingFactor: z.int().min(-128).max(127),
  protocolData: bytesSchema,
});

/** 0 sells exactly `srcAmount` for at least `destAmount`, 1 buys exactly `destAmount` for at most `srcAmount`. */
export const sideFlagSchema = z.union([z.literal(0), z.literal(1)]);

const uint = rawAmountSchema.transform(BigInt);

/**
 * An order as the contract takes it, as far as the service acts on it: one tuple for all kinds, fields that a kind does not have are
 * empty. The other fields of the tuple come from the kinds' values. Raw units, Unix seconds.
 */
export const signedIntentSchema = z.object({
  /** The kind's number in the contract. */
  orderType: z.int(),
  owner: addressSchema,
  beneficiary: addressSchema,
  srcToken: addressSchema,
  destToken: addressSchema,
  /** Of all slices for the TWAP kinds. */
  srcAmount: uint,
  /** Of one slice for TWAPOrder, of all for TWAPBuyOrder. */
  destAmount: uint,
  expectedAmount: uint,
  deadline: uint,
  kind: sideFlagSchema,
  nonce: uint,
  partnerAndFee: uint,
  permit: bytesSchema,
  metadata: bytesSchema,
  strategy: addressSchema.default(ZERO_ADDRESS),
  /** Seconds. */
  interval: uint.default(0n),
  numSlices: uint.default(0n),
  bridge: bridgeSchema.extend({ destinationChainId: uint }),
});
export type SignedIntent = z.output<typeof signedIntentSchema>;

/**
 * What the flags of `partnerAndFee` mean to the contract. Without the first one the owner keeps what is better than
 * `expectedAmount`; with the second the partner's part of it ends at 1 % of `expectedAmount`; without the third an order is
 * filled whole or not at all (TWAP kinds go by slices whatever it says); with the fourth the fee vault is passed by.
 */
export const INTENT_FLAGS = { takeSurplus: 1, capSurplus: 2, partiallyFillable: 4, directFee: 8 } as const;

export function hasFlag({ partnerAndFee }: SignedIntent, flag: keyof typeof INTENT_FLAGS): boolean {
  return (unpackPartnerAndFee(partnerAndFee).flags & INTENT_FLAGS[flag]) !== 0;
}

export function isSliced({ numSlices }: SignedIntent): boolean {
  return numSlices > 0n;
}

/** True when `destAmount` is exact, false when `srcAmount` is. */
export function isBuy({ kind }: SignedIntent): boolean {
  return kind === 1;
}

export function isProductive({ strategy }: SignedIntent): boolean {
  return strategy !== ZERO_ADDRESS;
}

/** The chain that the bridge leads to; null without one. */
export function destinationOf({ bridge }: SignedIntent): number | null {
  return bridge.destinationChainId === 0n ? null : Number(bridge.destinationChainId);
}
