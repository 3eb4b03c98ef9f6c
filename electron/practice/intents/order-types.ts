import { z } from 'zod';
import { type Address, addressSchema } from '../../protocol/address.ts';
import { rawAmountSchema } from '../../protocol/amount.ts';
import type { OnChainOrderType } from '../../protocol/intent-build.ts';
import { INTENT_DOMAIN_VERSION, INTENT_ORDER_TYPES } from '../../protocol/intent-order.ts';
import { bytesSchema } from '../../protocol/market-transaction.ts';
import type { ToSign } from '../../protocol/typed-data.ts';

/** Name of the practice intent contract's EIP-712 domain. */
const INTENT_DOMAIN_NAME = 'Practice Intents';

/**
 * What the flags of `partnerAndFee` mean to the contract. Without the first one the owner keeps what is better than
 * `expectedAmount`; with the second the partner's part of it ends at 1 % of `expectedAmount`; without the third an order is
 * filled whole or not at all (TWAP kinds go by slices whatever it says); with the fourth the fee vault is passed by.
 */
export const INTENT_FLAGS = { takeSurplus: 1, capSurplus: 2, partiallyFillable: 4, directFee: 8 } as const;

type Fields = { name: string; type: string }[];

const { Order: ORDER, Bridge: BRIDGE } = INTENT_ORDER_TYPES;

/** The plain order's fields with others between `metadata` and `bridge`. */
const withFields = (...more: Fields): Fields => [...ORDER.slice(0, -1), ...more, ...ORDER.slice(-1)];

const uints = (...names: string[]): Fields => names.map((name) => ({ name, type: 'uint256' }));
const addresses = (...names: string[]): Fields => names.map((name) => ({ name, type: 'address' }));

const twapFields = (...amounts: string[]): Fields => [
  ...addresses('owner', 'beneficiary', 'srcToken', 'destToken'),
  ...uints(...amounts, 'expectedAmount', 'deadline', 'interval', 'numSlices', 'nonce', 'partnerAndFee'),
  { name: 'permit', type: 'bytes' },
  { name: 'metadata', type: 'bytes' },
  { name: 'bridge', type: 'Bridge' },
];

/** EIP-712 types of the five kinds (PROTOCOL 14.4), by the name of the outer one. */
export const INTENT_TYPES: Record<OnChainOrderType, Record<string, Fields>> = {
  Order: { Order: ORDER, Bridge: BRIDGE },
  ExternalOrder: {
    ExternalOrder: withFields(...addresses('handler'), { name: 'data', type: 'bytes' }),
    Bridge: BRIDGE,
  },
  ProductiveOrder: { ProductiveOrder: withFields(...addresses('strategy')), Bridge: BRIDGE },
  TWAPOrder: { TWAPOrder: twapFields('totalSrcAmount', 'destAmount'), Bridge: BRIDGE },
  TWAPBuyOrder: { TWAPBuyOrder: twapFields('totalDestAmount', 'maxSrcAmount'), Bridge: BRIDGE },
};

/**
 * How an order crosses chains; `destinationChainId` 0 is not at all. `destToken` is then what enters the bridge on the
 * source chain, and `destAmount` and `expectedAmount` are counted in it. `protocolData` is the bridge's fee in raw units of
 * that token, one word, or empty for none: see `bridgeOutput` for what arrives as `outputToken`.
 */
const bridgeSchema = z.object({
  protocolSelector: z.string().regex(/^0x[0-9a-fA-F]{8}$/),
  destinationChainId: rawAmountSchema,
  outputToken: addressSchema,
  scalingFactor: z.int().min(-128).max(127),
  protocolData: bytesSchema,
});

/** Amounts are raw units as text, `deadline` Unix seconds as text. */
const commonFields = {
  owner: addressSchema,
  beneficiary: addressSchema,
  srcToken: addressSchema,
  destToken: addressSchema,
  expectedAmount: rawAmountSchema,
  deadline: rawAmountSchema,
  nonce: rawAmountSchema,
  partnerAndFee: rawAmountSchema,
  permit: bytesSchema,
  metadata: bytesSchema,
  bridge: bridgeSchema,
};

/** `kind` is 0 for SELL and 1 for BUY. SELL: exactly `srcAmount` for at least `destAmount`; BUY: at most for exactly. */
const plainFields = {
  ...commonFields,
  srcAmount: rawAmountSchema,
  destAmount: rawAmountSchema,
  kind: z.union([z.literal(0), z.literal(1)]),
};

/** `interval` in seconds. */
const slicedFields = { ...commonFields, interval: rawAmountSchema, numSlices: rawAmountSchema };

/** The `value` of each kind as it is signed and kept, with addresses in lower case once parsed. */
export const INTENT_VALUE_SCHEMAS = {
  Order: z.object(plainFields),
  ExternalOrder: z.object({ ...plainFields, handler: addressSchema, data: bytesSchema }),
  ProductiveOrder: z.object({ ...plainFields, strategy: addressSchema }),
  /** `destAmount` and `expectedAmount` are of one slice. */
  TWAPOrder: z.object({ ...slicedFields, totalSrcAmount: rawAmountSchema, destAmount: rawAmountSchema }),
  /** `maxSrcAmount` is of all slices, `expectedAmount` of one. */
  TWAPBuyOrder: z.object({ ...slicedFields, totalDestAmount: rawAmountSchema, maxSrcAmount: rawAmountSchema }),
} satisfies Record<OnChainOrderType, z.ZodType>;

/** What kind of order a value is, told by the fields that only this kind has. */
export function orderTypeOf(value: Readonly<Record<string, unknown>>): OnChainOrderType {
  if ('totalSrcAmount' in value) return 'TWAPOrder';
  if ('totalDestAmount' in value) return 'TWAPBuyOrder';
  if ('handler' in value) return 'ExternalOrder';
  return 'strategy' in value ? 'ProductiveOrder' : 'Order';
}

/** What everything is signed under that is for the intent contract of a chain. */
export function intentDomain({ chainId, intents }: { chainId: number; intents: Address }): ToSign['domain'] {
  return { name: INTENT_DOMAIN_NAME, version: INTENT_DOMAIN_VERSION, chainId, verifyingContract: intents };
}

/** The typed data that an owner signs, for the intent contract of the source chain. */
export function intentTypedData(
  contract: { chainId: number; intents: Address },
  type: OnChainOrderType,
  value: Record<string, unknown>,
): ToSign {
  return { domain: intentDomain(contract), types: INTENT_TYPES[type], value };
}
