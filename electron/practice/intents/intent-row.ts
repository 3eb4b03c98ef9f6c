import { z } from 'zod';
import { addressSchema } from '../../protocol/address.ts';
import { rawAmountSchema } from '../../protocol/amount.ts';
import { intentKindSchema, onChainOrderTypeSchema } from '../../protocol/intent-build.ts';
import { intentStatusSchema } from '../../protocol/intent-order-record.ts';
import { bytesSchema } from '../../protocol/market-transaction.ts';
import { swapSideSchema } from '../../protocol/market-wire.ts';
import { hash32Schema } from '../../protocol/order-record.ts';

/** ISO 8601, always in UTC with milliseconds, so that text compares as time does. */
const timeSchema = z.iso.datetime({ precision: 3 });
/** Unix milliseconds. */
const momentSchema = z.int().nonnegative();

/** What is asked for, what was expected of it, and what has moved so far; raw units. */
const endSchema = z.object({
  chainId: z.int().positive(),
  token: addressSchema,
  amount: rawAmountSchema,
  expectedAmount: rawAmountSchema,
  executedAmount: rawAmountSchema,
});

/** A fill; `destinationTx` is null until the other chain has it, and always for an order of one chain. */
const fillSchema = z.object({
  originTx: hash32Schema,
  destinationTx: hash32Schema.nullable(),
  filledPercent: z.number().min(0).max(100),
  spentAmount: rawAmountSchema,
  receivedAmount: rawAmountSchema,
});

const refundSchema = z.object({
  tx: hash32Schema,
  chainId: z.int().positive(),
  token: addressSchema,
  amount: rawAmountSchema,
});

/** What everybody sees of an order (PROTOCOL 12.5). */
export const intentRecordSchema = z.object({
  id: z.uuid(),
  status: intentStatusSchema,
  side: swapSideSchema,
  type: intentKindSchema,
  onChainOrderType: onChainOrderTypeSchema,
  input: endSchema,
  output: endSchema,
  owner: addressSchema,
  beneficiary: addressSchema,
  orderHash: hash32Schema,
  partner: z.string(),
  /** The signed value as it was submitted. */
  order: z.record(z.string(), z.unknown()),
  transactions: z.array(fillSchema),
  refunds: z.array(refundSchema),
  createdAt: timeSchema,
  updatedAt: timeSchema,
  expiresAt: timeSchema,
});

/** An order as the service keeps it: its record, and what only relayer and bridge need to know. */
export const intentRowSchema = intentRecordSchema.extend({
  /** Where it is signed for and spends. */
  chainId: z.int().positive(),
  /** Where it ends; null for an order of one chain. */
  destChainId: z.int().positive().nullable(),
  signature: bytesSchema,
  /** A cancellation came while an auction was running, and waits for its end. */
  cancelAskedAt: momentSchema.nullable(),
  auctionStartedAt: momentSchema.nullable(),
  nextSliceAt: momentSchema.nullable(),
  /** What the bridge notes for itself, as JSON. */
  bridgeState: z.json(),
});
export type IntentRow = z.infer<typeof intentRowSchema>;
