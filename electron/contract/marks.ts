import { z } from 'zod';

/** The bound of a mark: a figure of this size, with either sign, means that much or more. 100,000 bps. */
export const MOST_TENTH_BPS = 1_000_000;

/** Tenths of a basis point, cut down: `-12` is −1.2 bps. + is good for us. */
export const tenthBpsSchema = z.int().min(-MOST_TENTH_BPS).max(MOST_TENTH_BPS);

/** Tenths of a basis point in basis points, as programs read it: `-12` is `-1.2`. */
export function bpsText(tenthBps: number): string {
  return (tenthBps / 10).toFixed(1);
}

/** The same with its sign, as a person reads it: `+2.4`, `-0.3`, `0.0`; at the bound and beyond `> +100k`. */
export function signedBpsText(tenthBps: number): string {
  if (Math.abs(tenthBps) >= MOST_TENTH_BPS) return tenthBps > 0 ? '> +100k' : '< -100k';
  return `${tenthBps > 0 ? '+' : ''}${bpsText(tenthBps)}`;
}

/** Tenths of a basis point; `not_yet` before its time has come, null without a reference at that time. */
const markSchema = tenthBpsSchema.or(z.literal('not_yet')).nullable();
export type Mark = z.infer<typeof markSchema>;

/**
 * When a trade is held against the reference, in the order of time: how long after it, milliseconds, and how a column says so.
 * The edge is held against the reference when its quote was decided, as in the firm log, so that one quote has one edge. Columns, queries and sums are made from this list. `spare`: left out where there is little room.
 */
export const MARKS = {
  edge: { afterMs: 0, text: 'Edge', spare: false },
  after10s: { afterMs: 10_000, text: '10 s', spare: true },
  after1m: { afterMs: 60_000, text: '1 min', spare: false },
  after5m: { afterMs: 300_000, text: '5 min', spare: false },
} as const;
export type MarkName = keyof typeof MARKS;
export const MARK_NAMES = Object.keys(MARKS) as MarkName[];
/** The marks after the trade itself: its markout. */
export const MARKOUT_NAMES = MARK_NAMES.filter((name): name is Exclude<MarkName, 'edge'> => name !== 'edge');
/** The one whose time comes last: until then a markout still changes. */
export const LAST_MARK: MarkName = MARKOUT_NAMES.at(-1) ?? 'edge';

/** Something for each mark. */
export function byMark<T>(make: (name: MarkName) => T): Record<MarkName, T> {
  const made = {} as Record<MarkName, T>;
  for (const name of MARK_NAMES) made[name] = make(name);
  return made;
}

/** What a trade was worth against the reference at each of these times. */
export const marksSchema = z.object(byMark(() => markSchema));
