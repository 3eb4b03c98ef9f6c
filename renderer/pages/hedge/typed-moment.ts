import { clockIn, momentOf } from '../../state/time-zone.ts';

const MOMENT = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})(:\d{2})?(Z?)$/;

/** A moment in the viewer’s time zone, in UTC with a Z, as a person types it, such as `2026-11-23 14:05`, as ISO 8601; null for nothing, and with a fault for what is none. */
export function readMoment(typed: string): { iso: string | null; fault: string | null } {
  if (typed.trim() === '') return { iso: null, fault: null };
  const [whole, day, minute, second = ':00', z] = MOMENT.exec(typed.trim()) ?? [];
  const time = whole === undefined ? null : momentOf(`${day}T${minute}${second}`, z === 'Z');
  if (time === null) return { iso: null, fault: 'Such as 2026-11-23 14:05; with a Z after it in UTC.' };
  return { iso: new Date(time).toISOString(), fault: null };
}

/** The same the other way round, to the second. `time` is Unix milliseconds. */
export function typedMoment(time: number): string {
  return clockIn(time).slice(0, 19).replace('T', ' ');
}
