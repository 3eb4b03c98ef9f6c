import { z } from 'zod';
import { rawAmountSchema } from './amount.ts';
import { intentRouteSchema } from './intent-wire.ts';
import { bytesSchema } from './market-transaction.ts';
import { bpsSchema, swapSideSchema } from './market-wire.ts';
import { hash32Schema } from './order-record.ts';
import { spelledAddressSchema } from './route-token.ts';
import { typedDataSchema } from './typed-data.ts';

/** The five kinds of intent order by the names of their types (PROTOCOL 14.4). */
export const onChainOrderTypeSchema = z.enum([
  'Order',
  'ProductiveOrder',
  'ExternalOrder',
  'TWAPOrder',
  'TWAPBuyOrder',
]);
export type OnChainOrderType = z.infer<typeof onChainOrderTypeSchema>;

/**
 * The body of `POST /v2/intent/orders/build` (PROTOCOL 14.4). Amounts are raw units as text, `deadline` Unix seconds, `interval`
 * seconds, `limitAmount` the other amount of a limit order. Which field which kind needs is the service's to say.
 */
export const intentBuildBodySchema = z.object({
  side: swapSideSchema.optional(),
  route: intentRouteSchema,
  owner: spelledAddressSchema,
  beneficiary: spelledAddressSchema.optional(),
  deadline: z.int().positive(),
  nonce: rawAmountSchema.optional(),
  permit: bytesSchema.optional(),
  slippage: bpsSchema.optional(),
  limitAmount: rawAmountSchema.optional(),
  metadata: bytesSchema.optional(),
  partiallyFillable: z.boolean().optional(),
  partner: z.string().min(1).optional(),
  partnerAddress: spelledAddressSchema.optional(),
  partnerFeeBps: z.int().min(0).max(200).optional(),
  partnerTakesSurplus: z.boolean().optional(),
  capSurplus: z.boolean().optional(),
  orderType: onChainOrderTypeSchema.default('Order'),
  handler: spelledAddressSchema.optional(),
  data: bytesSchema.optional(),
  strategy: spelledAddressSchema.optional(),
  interval: z.int().nonnegative().optional(),
  numSlices: z.int().nonnegative().optional(),
  totalSrcAmount: rawAmountSchema.optional(),
  totalDestAmount: rawAmountSchema.optional(),
  maxSrcAmount: rawAmountSchema.optional(),
});
export type IntentBuildBody = z.input<typeof intentBuildBodySchema>;
/** The same as it was read. */
export type BuildAsk = z.output<typeof intentBuildBodySchema>;

/** What the build answers (PROTOCOL 14.4). */
export const intentBuildAnswerSchema = z.object({ toSign: typedDataSchema, orderHash: hash32Schema });
export type IntentBuildAnswer = z.infer<typeof intentBuildAnswerSchema>;

/** Market or limit, as an order is submitted and listed (PROTOCOL 12.5). */
export const intentKindSchema = z.enum(['MARKET', 'LIMIT']);

/** The body of `POST /v2/intent/orders` (PROTOCOL 14.4): `order` is the `value` of what was signed. */
export const intentSubmitBodySchema = z.object({
  chainId: z.int().positive(),
  order: z.record(z.string(), z.unknown()),
  signature: bytesSchema,
  partner: z.string().min(1).optional(),
  type: intentKindSchema.default('MARKET'),
  partiallyFillable: z.boolean().optional(),
});
export type IntentSubmitBody = z.input<typeof intentSubmitBodySchema>;

/** At most so many orders in one cancellation (PROTOCOL 18). */
export const MOST_CANCELLED = 100;

/** The body of `POST /v2/intent/orders/build/cancellation`, and its answer. */
export const cancelBuildBodySchema = z.object({ orderIds: z.array(z.string().min(1)).min(1) });
export const cancelBuildAnswerSchema = z.object({ toSign: typedDataSchema, hash: hash32Schema.optional() });

/** The body of `POST /v2/intent/orders/cancel` (PROTOCOL 14.4), and its answer: the ids, or that it was done. */
export const cancelBodySchema = cancelBuildBodySchema.extend({ signature: bytesSchema });
export const cancelAnswerSchema = z.union([
  z.object({ cancelled: z.array(z.string()) }),
  z.object({ success: z.literal(true) }),
]);
