import { DeskError } from '../protocol/desk-error.ts';

const DAY_MS = 86_400_000;

/** A calendar day as times: from `since` on and before `until`, Unix milliseconds. */
export interface CalendarDay {
  date: string;
  zone: string;
  since: number;
  until: number;
}

/**
 * The times of a date (`2026-11-20`) in an IANA time zone: 23 or 25 hours where the clocks change. A day ends where the next one
 * begins, so that no moment is in two of them or in none. Throws DeskError `bad_time`.
 */
export function calendarDay(date: string, zone: string): CalendarDay {
  const dateIn = dateInZone(zone);
  const midnight = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  if (!(midnight >= DAY_MS) || new Date(midnight).toISOString().slice(0, 10) !== date) throw badDate();
  const since = startOf(midnight, dateIn);
  const until = startOf(midnight + DAY_MS, dateIn);
  if (since >= until) throw badDate();
  return { date, zone, since, until };
}

/** Returns what tells the date of a moment in an IANA time zone. Throws DeskError `bad_time`. */
export function dateInZone(zone: string): (time: number) => string {
  try {
    const parts = { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' } as const;
    const format = new Intl.DateTimeFormat('en-CA', parts);
    return (time) => format.format(time);
  } catch (cause) {
    throw new DeskError('bad_time', 'There is no such time zone.', {
      remedy: 'Give a name such as Europe/Zurich, or UTC.',
      cause,
    });
  }
}

/** The first moment of the date that is written as a UTC midnight. */
function startOf(midnight: number, dateIn: (time: number) => string): number {
  const date = new Date(midnight).toISOString().slice(0, 10);
  let before = midnight - DAY_MS;
  let from = midnight + DAY_MS;
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (dateIn(middle) < date) before = middle;
    else from = middle;
  }
  return from;
}

function badDate(): DeskError {
  return new DeskError('bad_time', 'There is no such day.', { remedy: 'Give a date such as 2026-11-20.' });
}
