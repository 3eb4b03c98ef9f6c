import { z } from 'zod';
import { decimalSchema } from '../../protocol/decimal.ts';
import { hash32Schema } from '../../protocol/order-record.ts';
import { chainIdSchema, tokenIdSchema } from '../names.ts';
import { cancelledIntentsSchema, stillLiveSchema } from '../still-live.ts';
import { transactionRowSchema } from '../transactions.ts';
import { may } from './base.ts';

const everywhere = z.object({ chainId: chainIdSchema.optional(), dryRun: z.boolean().default(false) });

/** What the desk itself sends to a chain. */
export const onChainContract = {
  /**
   * Everything signed that somebody can still use, asked of the chains now: firm quotes, intent orders, permits, transactions
   * on their way, and what contracts may take. Without `chainId` of every chain.
   */
  stillLive: may('look')
    .input(z.object({ chainId: chainIdSchema.optional() }))
    .output(stillLiveSchema),
  /** Asks the service to cancel every intent order that may be cancelled, 100 with one signature. Only of a running desk. */
  cancelIntents: may('trade').input(everywhere).output(z.array(cancelledIntentsSchema)),
  /** Sets to zero what any contract may take of any token, and uses up permits of tokens that are out. */
  zeroAllowances: may('trade').input(everywhere).output(z.array(transactionRowSchema)),
  /** Cancels every live order, in chunks, or the one of a hash. Without `chainId` on every chain. */
  cancelOrders: may('trade')
    .input(everywhere.extend({ orderHash: hash32Schema.optional() }))
    .output(z.array(transactionRowSchema)),
  /** Sets what the RFQ contract may take of a token, in token units. */
  setAllowance: may('settings')
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
