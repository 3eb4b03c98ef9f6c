import { z } from 'zod';
import { rawAmountSchema } from '../protocol/amount.ts';
import { fromRaw, levelNumberSchema } from '../protocol/decimal.ts';
import {
  actorSchema,
  chainIdSchema,
  reasonSchema,
  timeSchema,
  tokenIdSchema,
  tokenNameSchema,
  utcText,
} from './names.ts';

/** What a window is kept for, each by itself. */
export const PROTECTED = ['pair', 'user', 'counterparty', 'desk'] as const;

/** What a rule counts: what the desk signed, what the chain says was filled of that, or what those fills lost. */
export const COUNTED = ['signed', 'filled', 'lost'] as const;

/** How many rules a desk may have. */
export const MOST_PROTECTIONS = 64;

const DAY_SECONDS = 86_400;

/**
 * A rule of the desk file: what may be signed or filled in any window of so many seconds. `limit`: token units of `token` that orders
 * give or get, with `usd` US dollars (the quote amount at the reference of a pair in a dollar token, rounded up), or with neither the
 * number of orders or fills. With `net` it is what the desk has more or less of the token by its
 * fills; of what is signed, where one way alone may be filled, the larger of what orders give and what they get. A rule of what is
 * signed refuses the quote that would pass its limit; one of what is filled trips as soon as its limit is reached. What is `lost` is in
 * dollars, less what was gained: of each fill its edge, and from each markout on that one. Without `chains` it
 * holds for all of them, and what a user, a counterparty or the desk comes to on several is one sum. `freezeSeconds` 0: what it trips
 * for stays frozen until a person resets it, and the desk halts. `warnPercent`: from so much of the limit on people are told; nothing
 * is refused for it.
 */
export const protectionSchema = z.strictObject({
  name: tokenNameSchema,
  counts: z.enum(COUNTED),
  per: z.enum(PROTECTED),
  chains: z.array(chainIdSchema).min(1).max(50).optional(),
  token: tokenIdSchema.optional(),
  net: z.literal(true).optional(),
  usd: z.literal(true).optional(),
  windowSeconds: z.int().min(10).max(DAY_SECONDS),
  limit: levelNumberSchema,
  warnPercent: z.int().min(1).max(99).optional(),
  freezeSeconds: z
    .int()
    .min(0)
    .max(30 * DAY_SECONDS),
});
export type Protection = z.infer<typeof protectionSchema>;

/** All rules of a desk. */
export const protectionsSchema = z.array(protectionSchema).max(MOST_PROTECTIONS);

/**
 * What a window is of: `chainId` of a pair only; `who` is the pair, the user's address, the counterparty's domain (none of a surface
 * without counterparties), or nothing for the desk.
 */
export const subjectSchema = z.object({ chainId: chainIdSchema.nullable(), who: z.string().max(200) });
export type Subject = z.infer<typeof subjectSchema>;

/**
 * How a rule came to trip. `used` of the window, `asked` by the quote that would have passed the limit (0 where fills reached it):
 * both in raw units of `decimals`. `until`: Unix milliseconds; null until a person resets it.
 */
export const trippedSchema = subjectSchema.extend({
  rule: protectionSchema,
  used: rawAmountSchema,
  asked: rawAmountSchema,
  decimals: z.int().min(0).max(77),
  until: timeSchema.nullable(),
});

/** A trip and what ended it before its time. `at` is Unix milliseconds. */
export const tripSchema = trippedSchema.extend({
  at: timeSchema,
  reset: z.object({ at: timeSchema, actor: actorSchema, reason: z.string() }).nullable(),
});
export type Trip = z.infer<typeof tripSchema>;

const useSchema = subjectSchema.extend({ used: rawAmountSchema, at: timeSchema });

/** A rule as it stands: the window that is fullest now, the fullest of the last 24 hours, and what is frozen by it. Raw units of `decimals`. */
export const protectionRowSchema = z.object({
  rule: protectionSchema,
  decimals: z.int(),
  limit: rawAmountSchema,
  /** Its windows are being remade from the journal: meanwhile nothing it holds for is signed. */
  filling: z.boolean(),
  /** A rule in dollars of which something has no price yet, for want of a fresh reference: what it is of is closed meanwhile. */
  unpriced: z.boolean(),
  now: useSchema.nullable(),
  peak: useSchema.nullable(),
  standing: z.array(tripSchema),
  /** The newest trip there ever was; null where there was none. */
  last: tripSchema.nullable(),
});
export type ProtectionRow = z.infer<typeof protectionRowSchema>;

/**
 * What rules would have done over a stretch of the past, Unix milliseconds. `requests`: firm requests against which nothing else spoke.
 * What is frozen until a person resets it stays so, but where one reset a rule of that name then.
 */
export const triedSchema = z.object({
  since: timeSchema,
  until: timeSchema,
  requests: z.int(),
  rules: z.array(
    z.object({
      rule: protectionSchema,
      decimals: z.int(),
      limit: rawAmountSchema,
      trips: z.int(),
      first: tripSchema.nullable(),
      /** The trip with the most in its window, with what was asked. */
      largest: tripSchema.nullable(),
      /** The fullest window in the last 24 hours of the stretch. */
      peak: useSchema.nullable(),
    }),
  ),
  /** The first trips of all rules, in their order. */
  trips: z.array(tripSchema),
  /**
   * What was signed then and would not have been. Dollars are millionths: `dollars` of the quotes, `gain` of their fills by the newest
   * mark of each; what no reference says is not in them.
   */
  notSigned: z.object({ quotes: z.int(), dollars: rawAmountSchema, fills: z.int(), gain: z.string() }),
  /** Turned away by the rules of then, and would have been signed; or nobody knows, for its amounts were not worked out. */
  signed: z.int(),
  unknown: z.int(),
  /** Would have been turned away for want of a dollar price. */
  unpriced: z.int(),
  /** Rows of the journal that cannot be read. */
  unread: z.int(),
});
export type Tried = z.infer<typeof triedSchema>;

/** A window that is near its limit: `percent` of it is used, rounded down. Raw units of `decimals`. */
export interface NearLimit extends Subject {
  readonly rule: Protection;
  readonly decimals: number;
  readonly used: string;
  readonly percent: number;
}

/** How the dead-man switch on people stands. Times are Unix milliseconds; `haltsAt` is null while the desk is halted. */
export const deadManStateSchema = z.object({
  minutes: z.int(),
  /** From so many minutes on it calls somebody. */
  warnsAfter: z.number(),
  lastSign: timeSchema,
  haltsAt: timeSchema.nullable(),
  /** It halts soon unless a person gives a sign. */
  isNear: z.boolean(),
});
export type DeadManState = z.infer<typeof deadManStateSchema>;

const standingPeakSchema = z.object({ used: z.number(), where: z.string(), at: timeSchema });
export type StandingPeak = z.infer<typeof standingPeakSchema>;

/**
 * A protection that is no rule on amounts: what it limits, the worst now (`used` of `unit`, null where nothing is known), its limits, and
 * the worst of the last day as far as the desk ran in it; what it does and what to do, in words.
 */
export const standingRowSchema = z.object({
  kind: z.enum(['fence', 'reference', 'engine', 'people', 'unsigned']),
  chainId: chainIdSchema.nullable(),
  name: z.string(),
  limits: z.string(),
  unit: z.enum(['bps', 's', 'min', 'fills']),
  where: z.string(),
  used: z.number().nullable(),
  soft: z.number().nullable(),
  limit: z.number().nullable(),
  peak: standingPeakSchema.nullable(),
  state: z.enum(['off', 'fine', 'near', 'tripped']),
  does: z.string(),
  todo: z.string(),
});
export type StandingRow = z.infer<typeof standingRowSchema>;

/** Which trips of a rule a person resets: those of one subject, or without one all that stand. `seen`: when the one tripped that they decided on. */
export const resetProtectionSchema = z.object({
  rule: tokenNameSchema,
  subject: subjectSchema.optional(),
  seen: timeSchema.optional(),
  reason: reasonSchema,
});

/** Whether a trip still freezes what it is of at a moment, Unix milliseconds. */
export function stands({ until, reset }: Pick<Trip, 'until' | 'reset'>, at: number): boolean {
  return reset === null && (until === null || until > at);
}

/** `WETH/USDC on chain 1`, `user 0x…`, `the desk`. */
export function subjectText({ per }: Pick<Protection, 'per'>, { chainId, who }: Subject): string {
  if (per === 'desk') return 'the desk';
  if (per === 'pair') return `${who} on chain ${chainId}`;
  if (per === 'counterparty') return who === '' ? 'callers without a name' : `counterparty ${who}`;
  return `user ${who}`;
}

/** `signed per user in any 60 s: at most 50000 USDC, warns from 80 %`, `filled net per pair in any 10 min: trips at 5 WETH`. */
export function ruleText(rule: Protection): string {
  const { counts, per, windowSeconds, limit, warnPercent, chains } = rule;
  const where = chains === undefined ? '' : `, on chain ${chains.join(', ')}`;
  const warns = warnPercent === undefined ? '' : `, warns from ${warnPercent} %`;
  const most = counts === 'signed' ? 'at most' : 'trips at';
  return `${countsText(rule)} ${per === 'desk' ? 'by the desk' : `per ${per}`} in any ${secondsText(windowSeconds)}: ${most} ${limit} ${unitText(rule, limit)}${warns}${where}`;
}

/** `signed`, `filled`, `filled net`, `signed one way`. */
export function countsText({ counts, net }: Pick<Protection, 'counts' | 'net'>): string {
  if (net === undefined) return counts;
  return counts === 'filled' ? 'filled net' : 'signed one way';
}

/** What so much of a rule is of: `USDC`, `USD`, `quote`, `fills`. */
export function unitText({ counts, token, usd }: Pick<Protection, 'counts' | 'token' | 'usd'>, count: string): string {
  if (usd !== undefined) return 'USD';
  if (token !== undefined) return token;
  const one = counts === 'signed' ? 'quote' : 'fill';
  return count === '1' ? one : `${one}s`;
}

/** `freezes the user for 1 h`, `halts until reset`. */
export function thenText({ per, freezeSeconds }: Pick<Protection, 'per' | 'freezeSeconds'>): string {
  if (freezeSeconds === 0) return per === 'desk' ? 'halts until reset' : `freezes the ${per} until reset`;
  return `freezes the ${per} for ${secondsText(freezeSeconds)}`;
}

/** How a screen writes the parts of a trip's sentence; without, they stand in full. `figure` takes raw units. */
interface TripWords {
  subject?: string;
  figure?: (raw: string) => string;
  limit?: string;
}

/** Which figures made a rule trip. */
export function tripText(
  { rule, used, asked, decimals, ...of }: Omit<Trip, 'reset' | 'at' | 'until'>,
  words: TripWords = {},
): string {
  const {
    subject = subjectText(rule, of),
    figure = (raw) => fromRaw(BigInt(raw), decimals),
    limit = rule.limit,
  } = words;
  const amount = (raw: string) => `${figure(raw)} ${unitText(rule, raw)}`;
  const isNumber = rule.token === undefined && rule.usd === undefined;
  const were = isNumber && used === '1' ? 'was' : 'were';
  const what = rule.counts === 'filled' && isNumber ? 'seen' : countsText(rule);
  const had = `${amount(used)} ${were} ${what} for ${subject} in ${secondsText(rule.windowSeconds)}`;
  if (rule.counts !== 'signed') return `${had}, and the limit is ${limit}.`;
  return `${had}; ${amount(asked)} more would have passed the limit of ${limit}.`;
}

/** How near a window is to its limit. */
export function nearText({ rule, used, decimals, percent, ...of }: NearLimit): string {
  const most = rule.counts === 'signed' ? 'its limit' : 'where it trips';
  return `${fromRaw(BigInt(used), decimals)} ${unitText(rule, used)} ${countsText(rule)} for ${subjectText(rule, of)} in ${secondsText(rule.windowSeconds)}: ${percent} % of ${most}, ${rule.limit}.`;
}

/** Until when nothing is signed. */
export function frozenText({ until }: Pick<Trip, 'until'>): string {
  if (until === null) return 'Frozen until a person resets it.';
  return `Frozen until ${utcText(until)}.`;
}

/** `10 s`, `5 min`, `1 h`. */
export function secondsText(seconds: number): string {
  if (seconds % 3_600 === 0) return `${seconds / 3_600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
