import { clockIn } from '../../state/time-zone.ts';
import { countText } from './counts.ts';

/** Keeps a figure and its unit on one line. */
const NO_BREAK = '\u00a0';
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** How old something is: `9 s`, `4 min`, `3 h`, `2 d`, `1,204 d`. */
export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 120) return `${seconds}${NO_BREAK}s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)}${NO_BREAK}min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3_600)}${NO_BREAK}h`;
  return `${countText(Math.floor(seconds / 86_400))}${NO_BREAK}d`;
}

/** What is left: `2:27`, from an hour on `1:02:27`. A started second counts whole, so `0:00` is really over. */
export function countdownText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const tail = String(s).padStart(2, '0');
  return h > 0 ? `${h}:${String(m).padStart(2, '0')}:${tail}` : `${m}:${tail}`;
}

/** Time of day in the viewer’s time zone, 24 h: `14:22:07`. */
export function clockText(ms: number): string {
  return clockIn(ms).slice(11, 19);
}

/** Time of day with milliseconds, where a second is too long. */
export function preciseClockText(ms: number): string {
  return clockIn(ms).slice(11, 23);
}

const MINUTE = 60_000;

/** Time of day beside another moment: with milliseconds where less than a minute lies between. */
export function clockTextBeside(ms: number, other: number | null): string {
  return other !== null && Math.abs(other - ms) < MINUTE ? preciseClockText(ms) : clockText(ms);
}

/** `19 Nov`. */
export function dayText(ms: number): string {
  const [, month, day] = clockIn(ms).split(/[-T]/).map(Number);
  return `${day} ${MONTHS[(month ?? 1) - 1]}`;
}

/** The day, with its year where that is not the one of `now`: `31 Dec 2025`. */
export function datedText(ms: number, now: number): string {
  const year = clockIn(ms).slice(0, 4);
  return year === clockIn(now).slice(0, 4) ? dayText(ms) : `${dayText(ms)} ${year}`;
}

/** Day and time, for what may be older than a day: `19 Nov 14:22:07`. */
export function stampText(ms: number): string {
  return `${dayText(ms)} ${clockText(ms)}`;
}

/** The time alone for today, with its day for any other. */
export function momentText(ms: number, now: number): string {
  return dayText(ms) === dayText(now) && now - ms < 86_400_000 ? clockText(ms) : stampText(ms);
}

const DAY = 86_400_000;
const SECONDS_UNDER = 300_000;

/** A time below an axis that shows so many milliseconds: the day of a long one, seconds too of a short one. */
export function timeTickText(ms: number, span: number): string {
  return span > DAY ? dayText(ms) : clockText(ms).slice(0, span < SECONDS_UNDER ? 8 : 5);
}
