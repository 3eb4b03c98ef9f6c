import { z } from 'zod';
import { rawAmountSchema } from './amount.ts';
import { intentKindSchema, onChainOrderTypeSchema } from './intent-build.ts';
import { swapSideSchema } from './market-wire.ts';
import { queryIntSchema, queryListSchema } from './query-fields.ts';
import { spelledAddressSchema } from './route-token.ts';

/** The whole life of an intent order in one field (PROTOCOL 13). */
export const intentStatusSchema = z.enum([
  'PENDING',
  'AWAITING_SIGNATURE',
  'ACTIVE',
  'SUSPENDED',
  'CANCELLING',
  'BRIDGING',
  'COMPLETED',
  'FAILED',
  'EXPIRED',
  'REFUNDING',
  'CANCELLED',
  'REFUNDED',
]);
export type IntentStatus = z.infer<typeof intentStatusSchema>;

/** From these an order may be cancelled (PROTOCOL 13). */
export const CANCELLABLE_STATUSES: ReadonlySet<string> = new Set<IntentStatus>([
  'PENDING',
  'AWAITING_SIGNATURE',
  'ACTIVE',
  'SUSPENDED',
]);

/** After these nothing comes, and nobody needs to ask again (PROTOCOL 13). */
export const ENDED_STATUSES: ReadonlySet<string> = new Set<IntentStatus>([
  'COMPLETED',
  'FAILED',
  'EXPIRED',
  'CANCELLED',
  'REFUNDED',
]);

/** One end of an order (PROTOCOL 12.5). Amounts are raw units. */
const orderEndSchema = z.object({
  chainId: z.int().positive(),
  token: z.string(),
  amount: rawAmountSchema,
  expectedAmount: rawAmountSchema.nullish(),
  executedAmount: rawAmountSchema.nullish(),
});

const orderTransactionSchema = z.object({
  originTx: z.string().nullish(),
  destinationTx: z.string().nullish(),
  filledPercent: z.number().nullish(),
  spentAmount: rawAmountSchema.nullish(),
  receivedAmount: rawAmountSchema.nullish(),
});

const refundSchema = z.object({
  tx: z.string(),
  chainId: z.int().positive(),
  token: z.string(),
  amount: rawAmountSchema,
});

/**
 * An intent order as the service keeps it (PROTOCOL 12.5). Only what an order is followed by is required; a status that nobody
 * knows is no fault. Times are ISO 8601.
 */
export const intentOrderRecordSchema = z.object({
  id: z.string().min(1),
  status: z.string().min(1),
  side: swapSideSchema.optional(),
  type: z.string().optional(),
  onChainOrderType: z.string().optional(),
  input: orderEndSchema.nullish(),
  output: orderEndSchema.nullish(),
  owner: spelledAddressSchema.nullish(),
  beneficiary: spelledAddressSchema.nullish(),
  orderHash: z.string().nullish(),
  partner: z.string().nullish(),
  order: z.unknown().optional(),
  transactions: z.array(orderTransactionSchema).nullish(),
  refunds: z.array(refundSchema).nullish(),
  createdAt: z.string().nullish(),
  updatedAt: z.string().nullish(),
  expiresAt: z.string().nullish(),
});
export type IntentOrderRecord = z.infer<typeof intentOrderRecordSchema>;

const statusListSchema = queryListSchema.pipe(z.array(intentStatusSchema));

/** The query of `GET /v2/intent/orders` (PROTOCOL 14.4), as text. `chainId` and `status` are lists. */
export const intentListQuerySchema = z.object({
  userAddress: spelledAddressSchema,
  page: queryIntSchema.pipe(z.int().min(1)).default(1),
  limit: queryIntSchema.pipe(z.int().min(1).max(1_000)).default(100),
  chainId: queryListSchema.pipe(z.array(queryIntSchema)).optional(),
  type: intentKindSchema.optional(),
  status: statusListSchema.optional(),
  onChainOrderType: onChainOrderTypeSchema.optional(),
});

/** A page of orders (PROTOCOL 14.4). */
export const intentListSchema = z.object({
  data: z.array(intentOrderRecordSchema),
  total: z.int().nonnegative(),
  page: z.int().positive(),
  limit: z.int().positive(),
  hasMore: z.boolean(),
});
export type IntentList = z.infer<typeof intentListSchema>;
