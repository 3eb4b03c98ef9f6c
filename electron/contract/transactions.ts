import { z } from 'zod';
import { addressSchema } from '../protocol/address.ts';
import { rawAmountSchema } from '../protocol/amount.ts';
import { chainIdSchema } from './names.ts';

/** One transaction of the maker: what it does, what it would cost, and what became of it. */
export const transactionRowSchema = z.object({
  chainId: chainIdSchema,
  /** In a person's words: "cancel 23 orders". */
  purpose: z.string(),
  /** In a dry run of a cancellation: how many orders it would cancel. */
  orders: z.int().optional(),
  to: addressSchema,
  data: z.string(),
  /** Null when the node could not estimate it, for example from a contract maker. */
  gas: rawAmountSchema.nullable(),
  feeWei: rawAmountSchema.nullable(),
  transactionHash: z.string().nullable(),
  /** `dry_run`: nothing was sent. `calldata`: the maker is a contract, so its owner has to send it. `sent`: no receipt came in time. */
  outcome: z.enum(['dry_run', 'calldata', 'sent', 'confirmed', 'failed']),
  /** Why it failed or is still open, or that an emergency offered less for gas than the node asked for; or null. */
  reason: z.string().nullable(),
  /** It was not sent, since an emergency came after it was asked for. */
  overtaken: z.literal(true).optional(),
});
export type TransactionRow = z.infer<typeof transactionRowSchema>;
