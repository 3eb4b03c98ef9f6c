import { z } from 'zod';
import { attentionSchema, exposureRowSchema } from './desk-view.ts';
import { eventGroupSchema, eventRowSchema } from './journal.ts';
import { actorSchema, chainIdSchema, timeSchema } from './names.ts';
import { resultRowSchema, resultsSchema } from './results.ts';
import { tradingStateSchema } from './trading.ts';

/** Something that was done, with what it is about; null of a kind that this program does not know. */
const deedSchema = eventRowSchema.extend({ group: eventGroupSchema.nullable() });
export type Deed = z.infer<typeof deedSchema>;

/** How often somebody did something, by what it was about. */
const doerSchema = z.object({
  actor: z.string(),
  count: z.int(),
  groups: z.array(z.object({ group: eventGroupSchema, count: z.int() })),
});
export type Doer = z.infer<typeof doerSchema>;

/** What is live, switched off and wrong at a moment, whichever day is told. */
const openSchema = z.object({
  at: timeSchema,
  state: tradingStateSchema,
  reason: z.string().nullable(),
  actor: actorSchema.nullable(),
  since: timeSchema,
  /** Tokens of which something is signed and can still be filled. */
  exposure: z.array(exposureRowSchema),
  /** Most urgent first. */
  attention: z.array(attentionSchema),
  /** Pairs that are not quoted, such as `WETH/USDC on 1`; none of a desk that is halted, which quotes none of them. */
  off: z.array(z.string()),
});

/** A day of the desk: what the command line tells, and the page of the console. */
export const handoverSchema = z.object({
  /** Such as `2026-11-20`, from midnight to midnight of a time zone. */
  date: z.string(),
  zone: z.string(),
  since: timeSchema,
  until: timeSchema,
  chains: z.array(z.object({ chainId: chainIdSchema, name: z.string() })),
  /** Firm requests that were answered with an order. */
  signed: z.int(),
  /** The others by their code, most first. */
  refused: z.array(z.object({ code: z.string(), count: z.int() })),
  /** Of the others, those for which an order was signed and then not given out. */
  withheld: z.int(),
  results: resultsSchema.omit({ curve: true }).extend({ rows: z.array(resultRowSchema.omit({ curve: true })) }),
  /** What people did, and every stop and start, oldest first; of more than can be told the newest. */
  done: z.array(deedSchema),
  leftOut: z.int(),
  /** Those who did something, most first; of very many the first. What the program did by itself is not in it. */
  doers: z.array(doerSchema),
  /** Those made on the day, and the first after it, which is the one that has all of the day. */
  seals: z.array(eventRowSchema),
  open: openSchema,
});
export type Handover = z.infer<typeof handoverSchema>;
