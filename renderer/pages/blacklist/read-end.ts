/** When an entry ends, as typed: for good, at a time in Unix milliseconds, or why it cannot be read. */
export type End = { kind: 'never' } | { kind: 'at'; time: number } | { kind: 'wrong'; reason: string };

/** Ends that are offered; the empty one is for good. */
export const END_CHOICES = ['1 h', '24 h', '7 d', ''].map((value) => ({ value, text: value || 'for good' }));

const UNITS: Record<string, number> = { min: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads `24 h`, `7 d`, `2026-12-24` or `2026-12-24 18:00`, all UTC. */
export function readEnd(text: string, now: number): End {
  const typed = text.trim();
  if (typed === '') return { kind: 'never' };
  const [, count, unit] = /^([0-9]{1,6})\s*(min|h|d)$/.exec(typed) ?? [];
  if (count !== undefined && unit !== undefined)
    return { kind: 'at', time: Math.floor(now + Number(count) * (UNITS[unit] ?? 0)) };
  const [, day, clock = '00:00'] = /^([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[ T]([0-9]{2}:[0-9]{2}))?Z?$/.exec(typed) ?? [];
  const time = day === undefined ? Number.NaN : Date.parse(`${day}T${clock}:00Z`);
  if (Number.isNaN(time))
    return { kind: 'wrong', reason: 'Write 24 h, 7 d, or a day and time such as 2026-12-24 18:00.' };
  if (time <= now) return { kind: 'wrong', reason: 'This is over already.' };
  return { kind: 'at', time };
}
