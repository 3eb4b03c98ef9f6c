import { z } from 'zod';
import { decimalSchema } from '../../protocol/decimal.ts';
import { chainIdSchema, tokenIdSchema } from '../names.ts';
import { transactionRowSchema } from '../transactions.ts';
import { base } from './base.ts';

/** What the desk itself sends to a chain. */
export const onChainContract = {
  /** Cancels every live order, in chunks. Without `chainId` on every chain. */
  cancelOrders: base
    .input(z.object({ chainId: chainIdSchema.optional(), dryRun: z.boolean().default(false) }))
    .output(z.array(transactionRowSchema)),
  /** Sets what the RFQ contract may take of a token, in token units. */
  setAllowance: base
    .input(
      z.object({
        chainId: chainIdSchema.optional(),
        tokenId: tokenIdSchema,
        amount: decimalSchema,
        dryRun: z.boolean().default(false),
      }),
    )
    .output(z.array(transactionRowSchema)),
};
