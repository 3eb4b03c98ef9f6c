import { isoTime } from '../../../electron/contract/names.ts';

const MOMENT = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})(:\d{2})?Z?$/;

/** A moment in UTC as a person types it, such as `2026-11-23 14:05`, as ISO 8601; null for nothing, and with a fault for what is none. */
export function readMoment(typed: string): { iso: string | null; fault: string | null } {
  if (typed.trim() === '') return { iso: null, fault: null };
  const [whole, day, minute, second = ':00'] = MOMENT.exec(typed.trim()) ?? [];
  const time = whole === undefined ? Number.NaN : Date.parse(`${day}T${minute}${second}Z`);
  if (Number.isNaN(time)) return { iso: null, fault: 'Such as 2026-11-23 14:05.' };
  return { iso: new Date(time).toISOString(), fault: null };
}

/** The same the other way round, to the second. `time` is Unix milliseconds. */
export function typedMoment(time: number): string {
  return isoTime(time).slice(0, 19).replace('T', ' ');
}
