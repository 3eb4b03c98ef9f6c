import { z } from 'zod';
import { addressSchema, ZERO_ADDRESS } from '../../../protocol/address.ts';
import { rawAmountSchema } from '../../../protocol/amount.ts';
import type { BuildAsk, OnChainOrderType } from '../../../protocol/intent-build.ts';
import { INTENT_ORDER_TYPES } from '../../../protocol/intent-order.ts';
import { bytesSchema } from '../../../protocol/market-transaction.ts';
import type { SwapSide } from '../../../protocol/market-wire.ts';
import type { ServiceErrorType } from '../../wire-refused.ts';
import { bridgeSchema, type SignedIntent, sideFlagSchema } from './signed-intent.ts';

/** A kind of intent order (PROTOCOL 14.4): what is signed, what a build needs, and the rules that no other kind has. */
export interface IntentKind {
  /** Of its EIP-712 type. */
  readonly name: OnChainOrderType;
  /**
   * The value that is signed and kept, its fields in the order of the EIP-712 type. A build takes each from the request's field
   * of this name, or from what every order has.
   */
  readonly value: z.ZodObject;
  /** A field that values of no other kind have; the plain order has none. */
  readonly mark: string | null;
  /** What a build cannot do without, and how PROTOCOL 17 says that it is missing. */
  readonly needs: { readonly fields: readonly (keyof BuildAsk)[]; readonly fault: ServiceErrorType } | null;
  /** The side, where the kind says it by its name. */
  readonly side?: SwapSide;
  /** Filled slice by slice, each in its time. */
  readonly isSliced: boolean;
  /** What the contract's tuple calls otherwise than the value. */
  tuple?(value: Record<string, unknown>): Record<string, unknown>;
  /** From when on its next fill may be, Unix seconds by the chain's clock, 0 at once; `order` is the value. Without it, at once. */
  dueAt?(
    intent: SignedIntent,
    state: { fills: number; lastFillAt: number },
    order: Readonly<Record<string, unknown>>,
  ): number;
  /** @throws WireRefused with the texts of PROTOCOL 17 */
  checkBuild?(ask: BuildAsk): void;
  /** `now` is Unix seconds. @throws WireRefused with the texts of PROTOCOL 17 */
  checkSigned?(intent: SignedIntent, now: bigint): void;
}

const ENDS = { owner: addressSchema, beneficiary: addressSchema, srcToken: addressSchema, destToken: addressSchema };
const QUOTED = { expectedAmount: rawAmountSchema, deadline: rawAmountSchema };
const TERMS = { nonce: rawAmountSchema, partnerAndFee: rawAmountSchema, permit: bytesSchema, metadata: bytesSchema };

/** The value of a kind that goes by `srcAmount` and `destAmount`; `own` fields stand before `bridge`. */
export function plainValue(own: z.ZodRawShape): z.ZodObject {
  const amounts = { srcAmount: rawAmountSchema, destAmount: rawAmountSchema };
  return z.object({ ...ENDS, ...amounts, ...QUOTED, kind: sideFlagSchema, ...TERMS, ...own, bridge: bridgeSchema });
}

/** The value of a kind that goes by slices, with the names of its two amounts; `interval` in seconds. */
export function slicedValue(amounts: readonly [string, string]): z.ZodObject {
  const own = Object.fromEntries(amounts.map((name) => [name, rawAmountSchema]));
  const slices = { interval: rawAmountSchema, numSlices: rawAmountSchema };
  return z.object({ ...ENDS, ...own, ...QUOTED, ...slices, ...TERMS, bridge: bridgeSchema });
}

/** The types that fields of a value have: in EIP-712, and what the contract's tuple has where an order has no such field. */
const FIELD_TYPES = new Map<unknown, { solidity: string; none: unknown }>([
  [addressSchema, { solidity: 'address', none: ZERO_ADDRESS }],
  [rawAmountSchema, { solidity: 'uint256', none: 0n }],
  [bytesSchema, { solidity: 'bytes', none: '0x' }],
  [sideFlagSchema, { solidity: 'uint8', none: 0 }],
  [bridgeSchema, { solidity: 'Bridge', none: null }],
]);

function typeOf({ name }: IntentKind, field: string, schema: unknown) {
  const type = FIELD_TYPES.get(schema);
  if (type === undefined) throw new Error(`the field ${field} of ${name} is of no type that is signed`);
  return type;
}

/** The EIP-712 types of a kind. */
export function typesOf(kind: IntentKind) {
  const { name, value } = kind;
  const fields = Object.entries(value.shape).map(([field, schema]) => {
    return { name: field, type: typeOf(kind, field, schema).solidity };
  });
  return { [name]: fields, Bridge: INTENT_ORDER_TYPES.Bridge };
}

/** The fields of a kind for the contract's tuple: of this order, numbers as bigint, or as nothing where it is of another kind. */
export function tupleFields(
  kind: IntentKind,
  order: Readonly<Record<string, unknown>> | null,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(kind.value.shape).map(([field, schema]) => {
      const { none } = typeOf(kind, field, schema);
      if (order === null) return [field, none];
      return [field, typeof none === 'bigint' ? BigInt(String(order[field])) : order[field]];
    }),
  );
}
