import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { addressSchema } from '../protocol/address.ts';
import { decimalSchema } from '../protocol/decimal.ts';
import { pairSchema, tokenSchema } from '../protocol/wire.ts';
import { draftEditSchema, draftSchema, publishedLadderSchema } from './book.ts';
import { chainConfigSchema, deskFileSchema, limitsSchema } from './desk-file.ts';
import { deskUpdateSchema } from './desk-view.ts';
import { chainIdSchema, pairIdSchema, reasonSchema, timeSchema, tokenIdSchema } from './names.ts';
import { fillRowSchema, logFilterSchema, quoteDetailSchema, quoteRowSchema } from './quote-log.ts';
import { scopeSchema, statusSchema, stopAcknowledgementSchema } from './trading.ts';
import { transactionRowSchema } from './transactions.ts';

/**
 * What console, command line and desk say to each other. Every input is checked on the desk's side. A command that is
 * refused throws `REFUSED` with the desk error's code, its sentence as message, its remedy, and the path of each fault.
 */
const base = oc.errors({
  REFUSED: {
    data: z.object({
      code: z.string(),
      remedy: z.string(),
      faults: z.array(z.object({ path: z.string(), message: z.string() })),
    }),
  },
});

const pairKey = z.object({ chainId: chainIdSchema, pair: pairIdSchema });

export const consoleContract = {
  trading: {
    status: base.output(statusSchema),
    halt: base
      .input(z.object({ scope: scopeSchema, reason: reasonSchema.optional() }))
      .output(stopAcknowledgementSchema),
    drain: base
      .input(
        z.object({ scope: scopeSchema, seconds: z.int().min(1).max(600).default(10), reason: reasonSchema.optional() }),
      )
      .output(stopAcknowledgementSchema),
    resume: base.input(z.object({ scope: scopeSchema, reason: reasonSchema })).output(stopAcknowledgementSchema),
  },
  desk: {
    /** Everything once, then what changed, at most ten times a second. */
    watch: base.output(eventIterator(deskUpdateSchema)),
    /** The configuration of a chain; without secrets. */
    chain: base.input(z.object({ chainId: chainIdSchema })).output(chainConfigSchema),
    export: base.input(z.object({ withSecrets: z.boolean().default(false) })).output(deskFileSchema),
    /** Replaces the configuration whole; only while halted. */
    import: base.input(z.object({ desk: z.unknown() })).output(z.object({ chains: z.int(), pairs: z.int() })),
    backup: base.input(z.object({ file: z.string().min(1) })).output(z.object({ file: z.string(), bytes: z.int() })),
  },
  ladders: {
    published: base.input(pairKey).output(publishedLadderSchema),
    revisions: base
      .input(pairKey.extend({ limit: z.int().min(1).max(200).default(50) }))
      .output(z.array(publishedLadderSchema)),
    draft: base.input(pairKey).output(draftSchema),
    /** The draft now and after every edit of anybody; a publish or a discard starts it anew. */
    watchDraft: base.input(pairKey).output(eventIterator(draftSchema)),
    /**
     * All of the edits or none. With `seen`, the version the editor had before him, what somebody else wrote since then is
     * not overwritten: `draft_changed`.
     */
    edit: base
      .input(pairKey.extend({ edits: z.array(draftEditSchema).min(1).max(1_000), seen: z.int().optional() }))
      .output(draftSchema),
    /** With `seen`, only a draft that still is that version. */
    discard: base.input(pairKey.extend({ seen: z.int().optional() })).output(draftSchema),
    /** Publishes the draft if it still is `version` and stands on the revision that is live. */
    publish: base.input(pairKey.extend({ version: z.int() })).output(publishedLadderSchema),
  },
  listings: {
    saveToken: base
      .input(z.object({ chainId: chainIdSchema, tokenId: tokenIdSchema, token: tokenSchema }))
      .output(z.object({ seq: z.int() })),
    removeToken: base
      .input(z.object({ chainId: chainIdSchema, tokenId: tokenIdSchema }))
      .output(z.object({ seq: z.int() })),
    savePair: base.input(pairKey.extend({ definition: pairSchema })).output(z.object({ seq: z.int() })),
    retirePair: base.input(pairKey).output(z.object({ seq: z.int(), until: timeSchema })),
  },
  limits: {
    set: base.input(z.object({ chainId: chainIdSchema, limits: limitsSchema })).output(z.object({ seq: z.int() })),
  },
  blacklist: {
    list: base.input(z.object({ chainId: chainIdSchema })).output(
      z.array(
        z.object({
          address: addressSchema,
          reason: z.string().nullable(),
          until: timeSchema.nullable(),
          since: timeSchema,
          actor: z.string(),
        }),
      ),
    ),
    history: base.input(z.object({ chainId: chainIdSchema, limit: z.int().min(1).max(1_000).default(200) })).output(
      z.array(
        z.object({
          seq: z.int(),
          time: timeSchema,
          actor: z.string(),
          address: addressSchema,
          action: z.enum(['added', 'removed']),
          reason: z.string().nullable(),
          until: timeSchema.nullable(),
        }),
      ),
    ),
    add: base
      .input(
        z.object({
          chainId: chainIdSchema.optional(),
          address: addressSchema,
          reason: reasonSchema.optional(),
          until: timeSchema.optional(),
        }),
      )
      .output(z.object({ seq: z.int(), durable: z.boolean() })),
    remove: base
      .input(z.object({ chainId: chainIdSchema.optional(), address: addressSchema, reason: reasonSchema.optional() }))
      .output(z.object({ seq: z.int() })),
  },
  log: {
    /** Newest first; `before` is the last sequence number of the page before. */
    page: base
      .input(
        z.object({ filter: logFilterSchema, before: z.int().optional(), limit: z.int().min(1).max(500).default(100) }),
      )
      .output(z.object({ rows: z.array(quoteRowSchema), more: z.boolean() })),
    quote: base.input(z.object({ seq: z.int() })).output(quoteDetailSchema),
    /** Rows as they are written or change their state, in batches. */
    watch: base.output(eventIterator(z.array(quoteRowSchema))),
    /** Oldest first, in batches, to the end: the export. */
    all: base.input(z.object({ filter: logFilterSchema })).output(eventIterator(z.array(quoteRowSchema))),
    verify: base.output(
      eventIterator(
        z.object({
          checked: z.int(),
          total: z.int(),
          done: z.boolean(),
          firstBad: z.int().nullable(),
          detail: z.string().nullable(),
        }),
      ),
    ),
  },
  fills: {
    list: base
      .input(
        z.object({
          since: timeSchema.optional(),
          until: timeSchema.optional(),
          chainId: chainIdSchema.optional(),
          pair: pairIdSchema.optional(),
          limit: z.int().min(1).max(5_000).default(500),
        }),
      )
      .output(z.array(fillRowSchema)),
    /** Fills and raw base volume per pair and bucket. */
    volume: base.input(z.object({ since: timeSchema, until: timeSchema, bucketMs: z.int().min(1_000) })).output(
      z.array(
        z.object({
          chainId: chainIdSchema,
          pair: pairIdSchema,
          bucket: timeSchema,
          fills: z.int(),
          bought: z.string(),
          sold: z.string(),
        }),
      ),
    ),
    watch: base.output(eventIterator(z.array(fillRowSchema))),
  },
  onChain: {
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
  },
};
