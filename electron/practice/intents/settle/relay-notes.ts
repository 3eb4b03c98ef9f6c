import { z } from 'zod';
import type { Hex } from '../../../protocol/address.ts';
import { rawAmountSchema } from '../../../protocol/amount.ts';
import { hash32Schema } from '../../../protocol/order-record.ts';
import type { IntentRow } from '../intent-row.ts';

const rawTransactionSchema = z
  .string()
  .regex(/^0x[0-9a-f]+$/)
  .transform((text) => text as Hex);

/** A transaction that was signed, whether or not it was sent: kept before it goes out, so that no other takes its place. */
const attemptSchema = z.object({
  chainId: z.int().positive(),
  hash: hash32Schema,
  raw: rawTransactionSchema,
});
export type Attempt = z.infer<typeof attemptSchema>;

/** What lies in the bridge of one fill, raw units. */
const crossingSchema = z.object({
  id: hash32Schema,
  /** As much as arrives at the other end. */
  output: rawAmountSchema,
  /** Unix milliseconds. */
  since: z.int(),
  /** Once it is decided which way the tokens go, they never go the other way. */
  decided: z.enum(['release', 'refund']).nullable(),
  /** Which of the order's fills; the last one unless said. */
  fill: z.int().nonnegative().nullable().default(null),
});

const notesSchema = z.object({
  attempt: attemptSchema.nullable().default(null),
  crossing: crossingSchema.nullable().default(null),
  /** How often a fill could not be made, in a row. */
  failures: z.int().default(0),
  /** How the order ends once its input is out of its strategy. */
  ending: z.enum(['EXPIRED', 'FAILED']).nullable().default(null),
  /** The height of the order's chains when it had ended, by chain ID: see `watchEnded`. */
  endedAt: z.record(z.string(), z.int()).nullable().default(null),
  /** No reorganisation reaches back to its end any more. */
  final: z.boolean().default(false),
});
export type RelayNotes = z.infer<typeof notesSchema>;

/** What the relayer has noted with an order. */
export function notesOf({ bridgeState }: Pick<IntentRow, 'bridgeState'>): RelayNotes {
  return notesSchema.parse(bridgeState ?? {});
}

/** The patch that changes some of the notes and keeps the others. */
export function withNotes(row: Pick<IntentRow, 'bridgeState'>, changes: Partial<RelayNotes>) {
  return { bridgeState: { ...notesOf(row), ...changes } };
}
