import { z } from 'zod';
import { addressSchema } from '../protocol/address.ts';
import { signedDecimalSchema } from '../protocol/decimal.ts';
import { sideSchema } from '../protocol/side.ts';
import type { NamesOf } from './given-names.ts';
import { fillCoverSchema } from './hedge.ts';
import { csvLine } from './log-text.ts';
import { bpsText, byMark, MARK_NAMES, MARKOUT_NAMES, MARKS, type MarkName, tenthBpsSchema } from './marks.ts';
import { chainIdSchema, isoTime, pairIdSchema, timeSchema } from './names.ts';

/**
 * What a result is made of: the edge, what each mark changed since the one before it, and the others. They add up to the net.
 * `inventory` is what prices did since the newest mark that is known, also before a mark whose time has not come.
 */
export type PartName = MarkName | 'inventory' | 'hedge' | 'gas' | 'fees';
export const PART_NAMES: readonly PartName[] = [...MARK_NAMES, 'inventory', 'hedge', 'gas', 'fees'];

/** How a row of the sum says what it is: `Edge earned`, `Markout to 10 s`, `10 s to 1 min`. */
export function partText(name: PartName): string {
  if (name === 'inventory') return 'Inventory since';
  if (name === 'hedge') return 'Hedge costs';
  if (name === 'gas') return 'Gas';
  if (name === 'fees') return 'Fees';
  if (name === 'edge') return 'Edge earned';
  const before = MARKOUT_NAMES[MARKOUT_NAMES.indexOf(name) - 1];
  return before === undefined ? `Markout to ${MARKS[name].text}` : `${MARKS[before].text} to ${MARKS[name].text}`;
}

/** Something for each part. */
export function byPart<T>(make: (name: PartName) => T): Record<PartName, T> {
  return {
    ...byMark(make),
    inventory: make('inventory'),
    hedge: make('hedge'),
    gas: make('gas'),
    fees: make('fees'),
  };
}

/** US dollars, decimal with sign, cut down to the cent from the exact sum: never better than it was. */
const dollarsSchema = signedDecimalSchema;
/** The same; `not_yet` before its time has come, null where no reference says it. */
const partSchema = dollarsSchema.or(z.literal('not_yet')).nullable();
export type PartFigure = z.infer<typeof partSchema>;

/**
 * Why a fill has no net: nothing says what its quote token was worth in dollars when it was filled; what is open of it has no
 * price; a hedge of it ended in another token than the pair's; or nothing says what the gas of its hedge was worth.
 */
const unpricedSchema = z.enum(['no_dollars', 'no_reference', 'other_token', 'no_gas']);
export type Unpriced = z.infer<typeof unpricedSchema>;

/** Why, as the end of a sentence. */
export const UNPRICED_WORDS: Readonly<Record<Unpriced, string>> = {
  no_dollars: 'nothing says what its quote token was worth in dollars when it was filled',
  no_reference: 'what is open of it has no price',
  other_token: 'a hedge of it ended in another token than the pair has',
  no_gas: 'nothing says what the gas of its hedge was worth',
};

/** What fills came to. Fills without a net are in `fills` and `unpriced` alone. */
const resultSchema = z.object({
  fills: z.int(),
  unpriced: z.int(),
  /** Rows that cannot be read; they are in no other figure. */
  unreadable: z.int(),
  /** In US dollars as of each fill; null where no fill has a net. */
  volume: dollarsSchema.nullable(),
  parts: z.object(byPart(() => partSchema)),
  /** Fills in which a part is not known: it counts in the next one that is. */
  missing: z.object(byPart(() => z.int())),
  /** All marks after the trade together. */
  markout: partSchema,
  /** Hedge costs, gas and fees together; null as the net is. */
  costs: dollarsSchema.nullable(),
  /** Null where no fill has one. */
  net: dollarsSchema.nullable(),
  /** Of the volume. */
  netBps: tenthBpsSchema.nullable(),
  /** Fills of which something is not hedged. */
  open: z.int(),
  /** When the oldest of the prices was said that open parts are valued at. */
  valuedAt: timeSchema.nullable(),
  /** Fills with a mark whose time has not come, and their net: it still moves. */
  young: z.object({ fills: z.int(), net: dollarsSchema }),
});
export type Result = z.infer<typeof resultSchema>;

/** Whose result. What a row is not about is null; a counterparty is null too where the request named none. */
const resultKeySchema = z.object({
  chainId: chainIdSchema.nullable(),
  pair: pairIdSchema.nullable(),
  user: addressSchema.nullable(),
  counterparty: z.string().nullable(),
});
export type ResultKey = z.infer<typeof resultKeySchema>;

export const resultRowSchema = resultSchema.extend(resultKeySchema.shape).extend({
  /** The net as it grew, at the ends of equal steps of the time. */
  curve: z.array(dollarsSchema),
});
export type ResultRow = z.infer<typeof resultRowSchema>;

/** How the sums grew: at `since` nothing, and at the end of each step after it what the fills until then came to. */
const resultCurveSchema = z.object({
  since: timeSchema,
  until: timeSchema,
  points: z.array(
    z.object({
      edge: dollarsSchema,
      markout: dollarsSchema,
      inventory: dollarsSchema,
      costs: dollarsSchema,
      net: dollarsSchema,
    }),
  ),
});
export type ResultCurve = z.infer<typeof resultCurveSchema>;

/**
 * What was paid in a time and is in the result of no fill: gas of the desk's own transactions (cancels, approvals), and gas and fees
 * of hedges that are for no fill or for one that was taken back.
 */
const noFillCostsSchema = z.object({
  /** Transactions and hedges. */
  count: z.int(),
  /** Of these, those whose gas is not known, in wei or in dollars: they are in no figure. */
  unpriced: z.int(),
  gas: dollarsSchema,
  fees: dollarsSchema,
  /** Both together. */
  costs: dollarsSchema,
});
export type NoFillCosts = z.infer<typeof noFillCostsSchema>;

/** What fills of a time came to. */
export const resultsSchema = z.object({
  /** The moment that open parts are valued at. */
  now: timeSchema,
  /** Most volume first. */
  rows: z.array(resultRowSchema),
  /** How many rows were left out: they are in the sum of all. */
  more: z.int(),
  all: resultSchema,
  /** Null of the fills of one pair, user or counterparty: these costs are nobody's. They are in the costs of the curve. */
  noFill: noFillCostsSchema.nullable(),
  /** The net of all less those costs; null as the net of all is. */
  netOfTime: dollarsSchema.nullable(),
  curve: resultCurveSchema,
});
export type Results = z.infer<typeof resultsSchema>;

/** By what results are told apart. */
export const resultBySchema = z.enum(['pair', 'user', 'counterparty']);
export type ResultBy = z.infer<typeof resultBySchema>;

/** The same with the rows of each of these: all of them are of one moment, so that no figure of the whole is another one beside them. */
export const sumsSchema = resultsSchema
  .omit({ rows: true, more: true })
  .extend({ rowsBy: z.record(resultBySchema, resultsSchema.pick({ rows: true, more: true })) });
export type Sums = z.infer<typeof sumsSchema>;

/** The results told by one of these; sums that were asked for by it alone are that already. */
export function resultsBy(sums: Sums | Results, by: ResultBy): Results {
  if (!('rowsBy' in sums)) return sums;
  const { rowsBy, ...whole } = sums;
  return { ...whole, ...rowsBy[by] };
}

/** One fill with what it came to. */
export const fillResultSchema = z.object({
  seq: z.int(),
  time: timeSchema,
  chainId: chainIdSchema,
  pair: pairIdSchema.nullable(),
  side: sideSchema.nullable(),
  quoteSeq: z.int().nullable(),
  user: addressSchema.nullable(),
  counterparty: z.string().nullable(),
  cover: fillCoverSchema,
  volume: dollarsSchema.nullable(),
  parts: z.object(byPart(() => partSchema)),
  markout: partSchema,
  /** Inventory, hedge costs, gas and fees together; null without a net. */
  rest: dollarsSchema.nullable(),
  net: dollarsSchema.nullable(),
  /** Why there is no net. */
  unpriced: unpricedSchema.nullable(),
  /** When the price was said that its open part is valued at. */
  valuedAt: timeSchema.nullable(),
  /** Why it cannot be shown; then only its place and time mean anything. */
  unreadable: z.string().optional(),
});
export type FillResult = z.infer<typeof fillResultSchema>;

const CSV_HEAD = [
  'chainId',
  'pair',
  'user',
  'counterparty',
  'fills',
  'unpriced',
  'unreadable',
  'volumeUsd',
  ...PART_NAMES.map((name) => `${name}Usd`),
  'netUsd',
  'netBps',
  'openFills',
  'valuedAt',
  'userName',
  'counterpartyName',
  'line',
  'netOfTimeUsd',
];

/**
 * Results as comma-separated values with a head. `line` says what a line without a key is: how many rows were left out, with their
 * fills; what was paid for no fill; and, the last line, all of them together, with the net of the time, which has those costs.
 */
export function resultsCsv(
  { rows, all, more, noFill, netOfTime }: Pick<Results, 'rows' | 'all' | 'more' | 'noFill' | 'netOfTime'>,
  names: NamesOf,
): string {
  const line = (key: ResultKey, result: Partial<Result>, what = '', net: string | null = null) =>
    csvLine([
      key.chainId,
      key.pair,
      key.user,
      key.counterparty,
      result.fills ?? null,
      result.unpriced ?? null,
      result.unreadable ?? null,
      result.volume ?? null,
      ...PART_NAMES.map((name) => result.parts?.[name] ?? null),
      result.net ?? null,
      typeof result.netBps === 'number' ? bpsText(result.netBps) : null,
      result.open ?? null,
      typeof result.valuedAt === 'number' ? isoTime(result.valuedAt) : null,
      names.user(key.user) ?? null,
      names.counterparty(key.counterparty) ?? null,
      what,
      net,
    ]);
  const nobody = { chainId: null, pair: null, user: null, counterparty: null };
  const leftOut = (of: 'fills' | 'unpriced' | 'unreadable' | 'open') =>
    rows.reduce((count, row) => count - row[of], all[of]);
  const lines = rows.map((row) => line(row, row));
  if (more > 0) {
    const counts = { fills: leftOut('fills'), unpriced: leftOut('unpriced'), unreadable: leftOut('unreadable') };
    lines.push(line(nobody, { ...counts, open: leftOut('open') }, `and ${more} more`));
  }
  if (noFill !== null && noFill.count > 0) {
    const parts = { ...byPart(() => null), gas: noFill.gas, fees: noFill.fees };
    lines.push(line(nobody, { unpriced: noFill.unpriced, parts, net: noFill.costs }, 'paid for no fill'));
  }
  return [csvLine(CSV_HEAD), ...lines, line(nobody, all, 'all', netOfTime)].join('');
}
