import { z } from 'zod';
import { statusSchema, stopAcknowledgementSchema } from './trading.ts';

/** A list of desks as a person writes it. Each row is looked at by itself: a wrong one keeps nobody from halting the others. */
export const deskListSchema = z.strictObject({ desks: z.array(z.unknown()).min(1).max(100) });

/** What a desk of a list is called there. */
export const deskNameSchema = z
  .string()
  .regex(/^[a-z0-9](-?[a-z0-9]){0,31}$/, 'must be small letters and digits, with a - between them');

/** One desk of the list; `url` is the address of its console. Its token stands elsewhere. */
export const listedDeskSchema = z.strictObject({ name: deskNameSchema, url: z.string() });

/**
 * What is believed of a desk elsewhere, which may be of another version or not tell the truth: no more than what is used of its
 * answers, and only in this form.
 */
export const heardHaltSchema = stopAcknowledgementSchema.extend({ status: statusSchema.pick({ state: true }) });
export type HeardHalt = z.infer<typeof heardHaltSchema>;

/** The same of what a desk says of its state. `state` of a chain may be one that this version does not know. */
export const heardStatusSchema = statusSchema
  .pick({ state: true, since: true, reason: true, actor: true })
  .extend({ chains: z.array(z.object({ chainId: z.int(), state: z.string().max(40) })).max(1_000) });

/** The same of the first message of `desk.watch`. `attention` is missing where the token does not show it. */
export const heardDeskSchema = z.object({ status: heardStatusSchema, attention: z.array(z.unknown()).optional() });
export type HeardDesk = z.infer<typeof heardDeskSchema>;
