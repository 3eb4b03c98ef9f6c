import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { addressSchema } from '../../protocol/address.ts';
import {
  autoHedgeRowSchema,
  contractPinSchema,
  fillCoverSchema,
  hedgeDetailSchema,
  hedgedFillSchema,
  hedgeQuoteSchema,
  hedgeRoutesSchema,
  hedgeRowSchema,
  positionSchema,
  preparationSchema,
} from '../hedge.ts';
import { hedgeEntrySchema } from '../hedge-steps.ts';
import { autoHedgeSchema, hedgeAskSchema, hedgeCorrectionSchema, hedgeWishSchema } from '../hedge-terms.ts';
import { chainIdSchema, pairIdSchema, timeSchema } from '../names.ts';
import { venueHereSchema } from '../venue.ts';
import { may, pairKey } from './base.ts';

const bySeq = z.object({ seq: z.int() });

/**
 * What the desk was filled on, and how it gets rid of it. While the desk is halted only what closes a position is sent (else
 * `halted`), and only with `confirmed`: without it `place` and `send` refuse with `halted_unconfirmed`.
 */
export const hedgeContract = {
  /** Net position per token, the largest in dollars first. Without `chainId` of every chain. */
  positions: may('look')
    .input(z.object({ chainId: chainIdSchema.optional() }))
    .output(z.array(positionSchema)),
  /** Fills with their hedges, newest first; `before` is the last fill of the page before. */
  fills: may('look')
    .input(
      z.object({
        chainId: chainIdSchema.optional(),
        pair: pairIdSchema.optional(),
        cover: z.array(fillCoverSchema).min(1).optional(),
        before: z.int().optional(),
        limit: z.int().min(1).max(500).default(100),
      }),
    )
    .output(z.array(hedgedFillSchema)),
  /** What would hedge these fills, of one pair: source, destination, side and amount; refuses where nothing is open. */
  askFor: may('look')
    .input(pairKey.extend({ fillSeqs: z.array(z.int()).min(1).max(500) }))
    .output(hedgeAskSchema.extend({ amountRaw: z.string() })),
  /** Where hedges can be done, with their kinds and forms. */
  venues: may('look').output(z.array(venueHereSchema)),
  /** What the services have a route for at all; what they do not say is null, and rules nothing out. */
  routes: may('look').output(hedgeRoutesSchema),
  /** Whether the service takes intent orders of a token; null when it does not say. */
  tokenSupport: may('look')
    .input(z.object({ chainId: chainIdSchema, token: addressSchema }))
    .output(z.object({ supported: z.boolean().nullable() })),
  /** Asks every venue that gives prices; the service takes a question a second, so this may take a few. Nothing is placed. */
  quote: may('trade').input(hedgeAskSchema).output(hedgeQuoteSchema),
  /** What placing it would mean; asks chain and service, does nothing. */
  prepare: may('trade').input(hedgeWishSchema).output(preparationSchema),
  /** Opens a hedge and carries it out behind this call: `watch` and `get` tell how it goes. */
  place: may('trade')
    .input(hedgeWishSchema.extend({ confirmed: z.boolean().default(false) }))
    .output(hedgeRowSchema),
  /** Newest first; `before` is the last row of the page before. */
  list: may('look')
    .input(
      z.object({
        chainId: chainIdSchema.optional(),
        open: z.boolean().optional(),
        before: z.int().optional(),
        limit: z.int().min(1).max(500).default(100),
      }),
    )
    .output(z.object({ rows: z.array(hedgeRowSchema), more: z.boolean() })),
  get: may('look').input(bySeq).output(hedgeDetailSchema),
  /** Ends a hedge of which nothing was signed, or asks the service to cancel its order; answers when that is asked. */
  cancel: may('trade').input(bySeq).output(hedgeRowSchema),
  /** Ends a hedge of which nobody can tell what becomes of it; what it moved stays booked. Refuses with `cannot_give_up`. */
  giveUp: may('trade')
    .input(bySeq.extend({ reason: z.string().trim().min(1).max(500) }))
    .output(hedgeRowSchema),
  /** The transaction by which the owner of a contract maker sent the calldata; refuses with `not_mined`, `not_this_hedge`. */
  sentBy: may('trade')
    .input(bySeq.extend({ hash: z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'must be the hash of a transaction') }))
    .output(hedgeRowSchema),
  /**
   * Corrects a hedge that was entered by hand, or strikes it out; refuses with `not_correctable`. With `seen`, only where that is still
   * what counts of it, else `changed_meanwhile`.
   */
  correct: may('trade')
    .input(bySeq.extend(hedgeCorrectionSchema.shape).extend({ seen: hedgeEntrySchema.optional() }))
    .output(hedgeRowSchema),
  /** Lets a hedge go on that is held because the desk is halted. */
  send: may('trade')
    .input(bySeq.extend({ confirmed: z.boolean().default(false) }))
    .output(hedgeRowSchema),
  /** A person has compared the address: from now on the service's router, or its intent contract, may be given tokens there. */
  pin: may('settings')
    .input(contractPinSchema)
    .output(z.object({ seq: z.int() })),
  /** Every pair, whether it is hedged automatically or not; with `set` only those that are, or would be in a dry run. */
  auto: may('look')
    .input(z.object({ set: z.literal(true).optional() }).optional())
    .output(z.array(autoHedgeRowSchema)),
  /** With `seen`, only where that is still how the pair is set, else `changed_meanwhile`. */
  setAuto: may('trade')
    .input(pairKey.extend({ settings: autoHedgeSchema, seen: autoHedgeSchema.optional() }))
    .output(z.array(autoHedgeRowSchema)),
  /** Hedges as they change, in batches; `positions` says that positions, fills or automatic hedging look different now. */
  watch: may('look').output(
    eventIterator(z.object({ at: timeSchema, rows: z.array(hedgeRowSchema), positions: z.boolean() })),
  ),
};
