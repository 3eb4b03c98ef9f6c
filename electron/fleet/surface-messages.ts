import { z } from 'zod';
import { counterpartySchema } from '../contract/desk-file.ts';
import { heartbeatSchema } from '../contract/desk-view.ts';
import { surfaceSwitchSchema } from '../contract/fleet.ts';
import { chainIdSchema } from '../contract/names.ts';
import { REFUSALS, type RefusalCode } from '../contract/refusal.ts';
import { addressSchema } from '../protocol/address.ts';
import { MAX_BODY_BYTES } from '../protocol/firm-request.ts';
import { pairSchema, priceEntrySchema, tokenSchema } from '../protocol/wire.ts';

/**
 * Where desk and surfaces speak: requests for quotes, "I am here" and where each is answered that, "hand nothing more over", and lines for
 * who listens to prices. The server lets a surface speak under its own name alone.
 */
export function subjectsOf({ names: { asked, inbox } }: { names: { asked: string; inbox: string } }) {
  return {
    firm: `${asked}.firm`,
    here: (name: string) => `${asked}.here.${name}`,
    answers: (name: string) => `${inbox}.surface.${name}.`,
    stop: `${asked}.stop`,
    say: `${asked}.say`,
  };
}

/** What stands in the bucket for surfaces: what the desk is, and what each of its chains serves. */
export const DESK_KEY = 'served.desk';
export const gridKey = (chainId: number) => `served.${chainId}`;
export const SERVED_KEYS = 'served.>';

/** A desk as its surfaces have to know it. `secrets`: the credentials of its counterparties by domain, sealed with the passphrase of the surfaces. */
export const servedDeskSchema = z.object({
  turn: z.int(),
  deadlineMs: z.int().positive(),
  surfaceNames: z.array(z.string()),
  counterparties: z.array(counterpartySchema),
  secrets: z.string(),
  chains: z.array(z.object({ chainId: chainIdSchema, basePath: z.string(), feedMaxAgeSeconds: z.number().min(0) })),
});
export type ServedDesk = z.infer<typeof servedDeskSchema>;

const refusalCodeSchema = z.custom<RefusalCode>((code) => typeof code === 'string' && Object.hasOwn(REFUSALS, code));

/** What one chain serves at one moment (PROTOCOL 6.2). */
export const servedGridSchema = z.object({
  turn: z.int(),
  closed: refusalCodeSchema.nullable(),
  grid: z.object({
    tokens: z.record(z.string(), tokenSchema),
    pairs: z.record(z.string(), pairSchema),
    prices: z.record(z.string(), priceEntrySchema),
    blacklist: z.array(addressSchema),
  }),
});

/** Chains of a desk, and endpoints of a chain. */
const MOST_CHAINS = 1_000;
const ENDPOINTS = 5;
/** Bytes of what stands before the body of a firm request. */
const MOST_LINE = 8_192;

const domainSchema = z.string().max(200);
const beatSchema = heartbeatSchema.extend({
  chainId: chainIdSchema,
  by: domainSchema.nullable(),
  skewMs: z.number().nullable(),
});
/** An address that is none cannot be told. */
const refusedAddressSchema = z.object({ domain: domainSchema, address: z.string().max(64).nullable().catch(null) });
export type RefusedAddress = z.infer<typeof refusedAddressSchema>;
/** So much of a kind is told at once; what is left is told with the next word. */
export const MOST_TOLD = 100;

/** A surface says that it is there, four times a second, with who asked there since. `leaves`: for the last time. */
export const hereSchema = z.object({
  /** Of this run of it: two may have one name. */
  id: z.uuid(),
  name: z.string().min(1).max(64),
  url: z.string().max(500),
  version: z.string().max(100),
  startedAt: z.int(),
  switched: surfaceSwitchSchema,
  beats: z.array(beatSchema).max(ENDPOINTS * MOST_CHAINS),
  /** Whose keys of before were used there since, and what came since with somebody's keys from where they may not ask. */
  earlierUses: z.array(domainSchema).max(MOST_TOLD).optional(),
  refusedAddresses: z.array(refusedAddressSchema).max(MOST_TOLD).optional(),
  webSockets: z.int().min(0),
  /** The same by chain; a surface of an earlier version does not say it. */
  feeds: z
    .array(z.object({ chainId: chainIdSchema, open: z.int().min(0) }))
    .max(MOST_CHAINS)
    .optional(),
  /** Firm requests since it started, and how many of them no answer came for in time. */
  asked: z.int().min(0),
  unanswered: z.int().min(0),
  /** Whether it serves what this desk serves: it hears the desk, and has all that the desk has put into the bucket. */
  serves: z.boolean(),
  perSecond: z.number().min(0),
  p99Ms: z.number().min(0).nullable(),
  leaves: z.boolean(),
});
export type Here = z.infer<typeof hereSchema>;

/** How often this turn's desk was halted: an order that was answered before the newest halt is handed over by nobody. */
const moment = { turn: z.int(), stops: z.int() };
const momentSchema = z.object(moment);
export type Moment = z.infer<typeof momentSchema>;

/** Whether one moment of a desk, or of those that wrote in its place, lies before another. */
export function isBefore(one: Moment, other: Moment): boolean {
  return one.turn < other.turn || (one.turn === other.turn && one.stops < other.stops);
}

/** A halt, as the surfaces are told of it. */
export const stopSchema = momentSchema;

/**
 * The desk's answer: it is there, at which moment, what its clock that never jumps says (milliseconds), and as which revision each thing
 * stands in the bucket that it has put there.
 */
export const heardSchema = z.object({
  ...moment,
  at: z.number(),
  revisions: z.record(z.string(), z.int()),
});
export type Heard = z.infer<typeof heardSchema>;

/** A firm request as a surface hands it on: who may ask was judged there, everything else is judged by the desk. */
const firmAskSchema = z.object({
  chainId: chainIdSchema,
  counterparty: domainSchema.nullable(),
  signature: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  traceparent: z.string().max(512).optional(),
  /** In which turn the desk is that it is for, and by that desk's clock when it came, as far as a surface can tell: no later than it did. */
  turn: z.int(),
  at: z.number(),
});
export type FirmAsk = z.infer<typeof firmAskSchema> & { body: Buffer };

/** What the desk answers it; the body is JSON already. */
export interface FarAnswer {
  status: number;
  body: string;
}

export const sayingSchema = z.object({ chainId: chainIdSchema.nullable(), line: z.string() });

/** One line of JSON, and behind it the body, byte for byte as it came. */
export function firmAskBytes({ body, ...ask }: FirmAsk): Uint8Array {
  return Buffer.concat([Buffer.from(`${JSON.stringify(ask)}\n`), body]);
}

/** Throws where it is none, or larger than a surface takes it. */
export function readFirmAsk(bytes: Uint8Array): FirmAsk {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = all.indexOf(0x0a);
  if (end < 0) throw new Error('a firm request without its first line');
  if (end > MOST_LINE || all.length - end - 1 > MAX_BODY_BYTES) throw new Error('a firm request that is too large');
  return { ...firmAskSchema.parse(JSON.parse(all.toString('utf8', 0, end))), body: all.subarray(end + 1) };
}

/** The moment of the answer, its status, and behind them the body. */
export function firmAnswerText({ turn, stops }: Moment, { status, body }: FarAnswer): string {
  return `${turn}.${stops} ${status} ${body}`;
}

/** Throws where it is none. */
export function readFirmAnswer(text: string): { moment: Moment; answer: FarAnswer } {
  const [, turn, stops, status, body] = /^(\d+)\.(\d+) ([2-5]\d\d) (\{.*)$/s.exec(text) ?? [];
  if (status === undefined || body === undefined) throw new Error('an answer without its status');
  return { moment: { turn: Number(turn), stops: Number(stops) }, answer: { status: Number(status), body } };
}
