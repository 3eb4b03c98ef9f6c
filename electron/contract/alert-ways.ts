import { z } from 'zod';
import { isLoopback, isSafeFromOthers } from '../protocol/loopback.ts';
import { alertKindSchema } from './alert-settings.ts';
import { actorSchema, timeSchema, tokenNameSchema } from './names.ts';

/** What is told outside the console; a lost line is a console's own. */
export const callKindSchema = alertKindSchema.exclude(['line']);
export type CallKind = z.infer<typeof callKindSchema>;

/** What the way of the program is called that a desk was started with. */
export const COMMAND_WAY = 'command';
/** Ways of one desk. */
export const MOST_WAYS = 20;

const told = z.strictObject({
  name: tokenNameSchema,
  /** What is told there. */
  kinds: z.array(callKindSchema).max(callKindSchema.options.length),
  /** Told there once it has stood for so long and nobody has taken it; 0: at once. */
  afterMinutes: z.int().min(0).max(1_440),
});

/** The program of the desk's owner: which one is said when the desk is started, and nowhere else. */
const commandSchema = told.extend({ how: z.literal('command') });

const webhookSchema = told.extend({
  how: z.literal('webhook'),
  /** Sealed as a whole wherever it is shown or kept: who knows it may write there. */
  url: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .refine(
      (url) => !URL.canParse(url) || isSafeFromOthers(url),
      'must be https, or http on this machine: others could read it on the way',
    )
    .refine((url) => !URL.canParse(url) || new URL(url).username === '', 'must have no user in it'),
});

const mailSchema = told
  .extend({
    how: z.literal('mail'),
    host: z.hostname().or(z.ipv4()).or(z.ipv6()),
    port: z.int().min(1).max(65_535),
    /** `tls` from the first byte, `starttls` before anything is said, `plain` on this machine alone. */
    security: z.enum(['tls', 'starttls', 'plain']),
    /** Who logs in; null: nobody does. */
    user: z.string().min(1).max(200).nullable(),
    from: z.email().max(200),
    to: z.array(z.email().max(200)).min(1).max(20),
  })
  .refine(({ security, host }) => security !== 'plain' || isLoopback(host), {
    path: ['security'],
    message: 'must be TLS: others could read it on the way',
  });

/** Where alerts are told, beside the console. Nothing of it is secret once its URL is sealed; a password is kept elsewhere. */
export const alertWaySchema = z
  .discriminatedUnion('how', [commandSchema, webhookSchema, mailSchema])
  .refine(({ how, name }) => (how === 'command') === (name === COMMAND_WAY), {
    path: ['name'],
    message: `must not be “${COMMAND_WAY}”: that is the program’s`,
  });
export type AlertWay = z.infer<typeof alertWaySchema>;
export type MailWay = Extract<AlertWay, { how: 'mail' }>;

const minuteOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 22:00');

/** When what is not urgent waits, by the clock of a zone; from 22:00 until 07:00 goes over midnight. */
export const quietHoursSchema = z
  .strictObject({
    from: minuteOfDay,
    until: minuteOfDay,
    zone: z.string().max(64).refine(isZone, 'is no time zone such as Europe/Zurich or UTC'),
  })
  .refine(({ from, until }) => from !== until, { path: ['until'], message: 'must not be when they begin' });
export type QuietHours = z.infer<typeof quietHoursSchema>;

/** What logs in to a mailbox. */
export const passwordSchema = z.string().min(1).max(1_000);

/** The ways and the quiet hours as the desk file has them. */
export const alertsFileSchema = z.strictObject({
  ways: z
    .array(alertWaySchema)
    .max(MOST_WAYS)
    .refine((ways) => new Set(ways.map(({ name }) => name)).size === ways.length, 'must each have a name of its own')
    .default([]),
  quietHours: quietHoursSchema.optional(),
  /** Passwords of mailboxes, by the name of their way. Only in an export with secrets. */
  passwords: z.record(tokenNameSchema, passwordSchema).optional(),
});
export type AlertsFile = z.infer<typeof alertsFileSchema>;

/** What became of the ways: a fault stands until something was told there again. */
export const wayStateSchema = z.object({
  /** When something was told there last, Unix milliseconds, and what the other side answered. */
  toldAt: timeSchema.nullable(),
  answered: z.string().nullable(),
  fault: z.string().nullable(),
  waiting: z.int().nonnegative(),
});
export type WayState = z.infer<typeof wayStateSchema>;

/** An alert that was told, or will be once it has stood for long enough. */
export const openCallSchema = z.object({
  code: z.string(),
  kind: callKindSchema,
  title: z.string(),
  since: timeSchema,
  /** The ways on which it was told. */
  told: z.array(z.string()),
  /** Who looks after it: it goes no further by itself. */
  takenBy: actorSchema.nullable(),
});
export type OpenCall = z.infer<typeof openCallSchema>;

export const waysViewSchema = z.object({
  ways: z.array(z.object({ way: alertWaySchema, state: wayStateSchema })),
  quiet: quietHoursSchema.nullable(),
  open: z.array(openCallSchema),
});

/** Whether it is quiet at a moment, Unix milliseconds. */
export function isQuietHour({ from, until, zone }: QuietHours, now: number): boolean {
  const clock = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: zone,
  });
  const time = clock.format(now);
  return from < until ? from <= time && time < until : from <= time || time < until;
}

/** Where a way leads, as a person reads it. */
export function placeOf(way: AlertWay): string {
  if (way.how === 'command') return 'the program that the desk was started with';
  if (way.how === 'webhook') return new URL(way.url).origin;
  return `${way.to.join(', ')} by ${way.host}:${way.port}`;
}

/** What a way tells and where, in words. */
export function wayText(way: AlertWay): string {
  const kinds = way.kinds.length === 0 ? 'nothing' : way.kinds.join(', ');
  return `${kinds} to ${placeOf(way)}${way.afterMinutes === 0 ? '' : ` after ${way.afterMinutes} min`}`;
}

export function quietText({ from, until, zone }: QuietHours): string {
  return `${from} to ${until}, ${zone}`;
}

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: zone });
    return zone !== '';
  } catch {
    return false;
  }
}
