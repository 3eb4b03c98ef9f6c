import { z } from 'zod';
import { addressSchema } from '../protocol/address.ts';
import { rawAmountSchema } from '../protocol/amount.ts';
import { decimalSchema } from '../protocol/decimal.ts';
import { alertSettingsSchema } from './alert-settings.ts';
import { approvalsViewSchema } from './approvals.ts';
import { pairRowSchema } from './book.ts';
import { fleetViewSchema } from './fleet.ts';
import { chainIdSchema, pairIdSchema, timeSchema, tokenIdSchema, tokenNameSchema } from './names.ts';
import { consoleRightSchema, personRowSchema } from './rights.ts';
import { closureSchema, type Status, scopeSchema, statusSchema } from './trading.ts';

/**
 * Signed and still fillable, of one token. Raw units. `unlisted`: no token with this address is listed now, so that it is called by it, and
 * how many decimals it has is not known (0).
 */
export const exposureRowSchema = z.object({
  chainId: chainIdSchema,
  tokenId: tokenIdSchema,
  unlisted: z.literal(true).optional(),
  address: addressSchema,
  decimals: z.int(),
  live: rawAmountSchema,
  /** Firm quotes and orders signed by hand: all that can be filled and gives this token. */
  quotes: z.int(),
  /** When the last of it can no longer be filled; Unix milliseconds, null when nothing is live. */
  zeroAt: timeSchema.nullable(),
  balance: rawAmountSchema.nullable(),
  allowance: rawAmountSchema.nullable(),
  /** US dollars a token now, null where no dollar price of it is known or that is too old. */
  dollars: decimalSchema.nullable().optional(),
});
export type ExposureRow = z.infer<typeof exposureRowSchema>;

export const endpointSchema = z.enum(['tokens', 'pairs', 'prices', 'firm', 'blacklist', 'ws']);
export type Endpoint = z.infer<typeof endpointSchema>;

/** The last poll of an endpoint. */
export const heartbeatSchema = z.object({
  endpoint: endpointSchema,
  at: timeSchema,
  by: z.string().nullable(),
  status: z.int(),
  /** Since when every poll of it is answered so; what was so before a start of the desk is not known. */
  since: timeSchema.optional(),
});

export type Heartbeat = z.infer<typeof heartbeatSchema>;

/** One chain in the strip. */
export const chainRowSchema = z.object({
  chainId: chainIdSchema,
  name: z.string(),
  basePath: z.string(),
  block: z.int().nullable(),
  /** When the block was seen; Unix milliseconds. */
  blockSeenAt: timeSchema.nullable(),
  /** The block's own time, Unix milliseconds. */
  blockTime: timeSchema.nullable().optional(),
  /** How long the node took to say where it is, milliseconds. */
  nodeMs: z.int().nullable().optional(),
  closed: closureSchema.nullable(),
  /** Whether anything of it is quoted now. */
  quotes: z.boolean().optional(),
  /** What happened, what it means, what to do; null when well. */
  fault: z.string().nullable(),
  heartbeats: z.array(heartbeatSchema),
  webSockets: z.int(),
  /** Their clock minus ours on the last signed request; null before one came. */
  skewMs: z.number().nullable(),
  /** Firm requests answered in the last hour, refusals with them, and in what time 99 of 100 of them were; null where there was none. */
  answers: z.object({ count: z.int(), p99Ms: z.number() }).nullable().optional(),
});
export type Answers = NonNullable<z.infer<typeof chainRowSchema>['answers']>;
export type ChainRow = z.infer<typeof chainRowSchema>;

/** What mends it: the console draws the button. `page` is the name of a page of the console. */
export const attentionActionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('resume'), scope: scopeSchema }),
  z.object({
    kind: z.literal('page'),
    page: z.enum([
      'prices',
      'listings',
      'firm-log',
      'fills',
      'blacklist',
      'hedge',
      'protections',
      'service',
      'practice',
      'settings',
      'approvals',
      'fleet',
    ]),
  }),
  z.object({ kind: z.literal('pair'), chainId: chainIdSchema, pair: pairIdSchema }),
  z.object({ kind: z.literal('token'), chainId: chainIdSchema, tokenId: tokenIdSchema }),
  z.object({ kind: z.literal('acknowledge'), seqs: z.array(z.int()) }),
  /** The node has another chain in place of the known one: a person says that it really was begun anew. */
  z.object({ kind: z.literal('accept_chain'), chainId: chainIdSchema, genesis: z.string() }),
  /** A person says that they mind the desk. */
  z.object({ kind: z.literal('here') }),
  z.object({ kind: z.literal('approve'), chainId: chainIdSchema, tokenId: tokenIdSchema }),
]);
export type AttentionAction = z.infer<typeof attentionActionSchema>;

/** Something that is wrong, most urgent first. `code` tells two of the same kind apart. */
export const attentionSchema = z.object({
  code: z.string(),
  level: z.enum(['stop', 'look', 'note']),
  title: z.string(),
  detail: z.string(),
  action: attentionActionSchema.optional(),
  /** What it is about, where that may become more: whoever knows of these does not know of another one. */
  covers: z.array(z.string()).optional(),
  /** It is about prices of this chain: while that is halted nobody is quoted them, and nobody is called for it. */
  pricesOf: chainIdSchema.optional(),
});
export type Attention = z.infer<typeof attentionSchema>;

/** Whether something stands on the page only, and is no news to anybody: it is about prices that nobody is quoted. */
export function isQuiet({ pricesOf }: Attention, status: Status | null): boolean {
  if (pricesOf === undefined || status === null) return false;
  return status.state === 'HALTED' || status.chains.find(({ chainId }) => chainId === pricesOf)?.state === 'HALTED';
}

/**
 * The desk as the console sees it. The first message holds everything, later ones only the parts that changed; a console
 * that fell behind gets everything again. Where nothing changes, one without any part comes every second: it says that the
 * desk is there and that all of this holds.
 */
export const deskUpdateSchema = z.object({
  time: timeSchema,
  actor: z.string(),
  /** Whether this is everything: what is not in it is not there any more. */
  whole: z.boolean().optional(),
  /** What whoever watches may do; in a whole message only. */
  may: z.array(consoleRightSchema).optional(),
  /** In which record the commands of a console stand; in a whole message only, of a desk that runs. */
  record: z.uuid().optional(),
  status: statusSchema.optional(),
  chains: z.array(chainRowSchema).optional(),
  /** Rows that changed; in a whole message all. */
  pairs: z.array(pairRowSchema).optional(),
  removedPairs: z.array(z.object({ chainId: chainIdSchema, pair: pairIdSchema })).optional(),
  exposure: z.array(exposureRowSchema).optional(),
  attention: z.array(attentionSchema).optional(),
  alerts: alertSettingsSchema.optional(),
  surfaceUrl: z.string().nullable().optional(),
  people: z.array(personRowSchema).optional(),
  /** With which token whoever watches came, null for the user who runs the desk; in a whole message only. */
  token: tokenNameSchema.nullable().optional(),
  approvals: approvalsViewSchema.optional(),
  /** Null where the desk is in no fleet. */
  fleet: fleetViewSchema.nullable().optional(),
});
export type DeskUpdate = z.infer<typeof deskUpdateSchema>;
