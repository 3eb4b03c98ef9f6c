import { useSyncExternalStore } from 'react';
import { isoTime } from '../../electron/contract/names.ts';
import { keptChoice } from './kept-choice.ts';

const DAY_MS = 86_400_000;
/** Clocks are put forward and back at quarters of an hour. */
const QUARTER_MS = 900_000;
/** Beyond the last year of four digits every zone is as it is then. */
const LAST_MS = Date.UTC(9999, 11, 31);

/** `UTC`, `local` (the zone of this computer), or a zone by its name, such as `Asia/Tokyo`. */
const choice = keptChoice<string>('makerdesk.zone', (kept) => (kept !== null && isZone(kept) ? kept : 'UTC'));
export const followTimeZone = choice.follow;

/** Writes every time on the screen in this zone from now on; one that this computer does not know changes nothing. */
export function setTimeZone(zone: string): void {
  if (isZone(zone)) choice.set(zone);
}

export function useTimeZone(): string {
  return useSyncExternalStore(choice.subscribe, choice.now);
}

/** The zone of this computer, by its name. */
export function localZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function isZone(zone: string): boolean {
  if (zone === 'UTC' || zone === 'local') return true;
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

interface ZoneFacts {
  name: string;
  /** Milliseconds that the zone is ahead of UTC. */
  ahead: number;
}

/** What was found of the zone in use, by quarters of an hour: asking costs too much for each row of a table. */
const found = new Map<number, ZoneFacts>();
const FOUND_AT_MOST = 20_000;
let foundOf = '';

function factsAt(time: number): ZoneFacts {
  const zone = choice.now();
  if (zone === 'UTC') return { name: 'UTC', ahead: 0 };
  if (zone !== foundOf || found.size > FOUND_AT_MOST) found.clear();
  foundOf = zone;
  const quarter = Math.floor(Math.min(time, LAST_MS) / QUARTER_MS);
  const known = found.get(quarter);
  if (known !== undefined) return known;
  const facts = readFacts(quarter * QUARTER_MS, zone === 'local' ? localZone() : zone);
  found.set(quarter, facts);
  return facts;
}

function readFacts(time: number, timeZone: string): ZoneFacts {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    timeZoneName: 'short',
  }).formatToParts(time);
  const text = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? '';
  const [year = 0, month = 1, day, hour, minute, second] = (
    ['year', 'month', 'day', 'hour', 'minute', 'second'] as const
  ).map((type) => Number(text(type)));
  return { name: text('timeZoneName'), ahead: Date.UTC(year, month - 1, day, hour, minute, second) - time };
}

/** What the zone is called at a moment (Unix milliseconds; now where none is given): `UTC`, `CEST`, `GMT+9`. */
export function zoneName(time = Date.now()): string {
  return factsAt(time).name;
}

/** The day and time that the clocks of the zone show at a moment: `2026-11-19T14:22:07.123`. Unix milliseconds. */
export function clockIn(time: number): string {
  return isoTime(time + factsAt(time).ahead).slice(0, 23);
}

/**
 * The moments at which the clocks of the zone show this, such as `2026-11-19T14:22:07.123`, in Unix milliseconds, earliest first:
 * one nearly always, none or two where clocks are put forward or back, none of what is no time.
 */
export function momentsOf(clock: string): number[] {
  const asUtc = utcOf(clock);
  if (asUtc === null) return [];
  const aheads = [factsAt(asUtc - DAY_MS).ahead, factsAt(asUtc + DAY_MS).ahead];
  const candidates = [...new Set(aheads)].map((ahead) => asUtc - ahead).sort((a, b) => a - b);
  return candidates.filter((time) => clockIn(time) === isoTime(asUtc).slice(0, 23));
}

/** Reads the one moment that a day and time mean, in Unix milliseconds; null where it is none, or two. With `utc` it was written with a Z. */
export function momentOf(clock: string, utc: boolean): number | null {
  if (utc) return utcOf(clock);
  const moments = momentsOf(clock);
  return moments.length === 1 ? (moments[0] ?? null) : null;
}

/** Where these are clocks in UTC. Null for a day or time that there is not: 31 February would be read as 3 March. */
function utcOf(clock: string): number | null {
  const time = Date.parse(`${clock}Z`);
  return !Number.isNaN(time) && isoTime(time).startsWith(clock) ? time : null;
}
