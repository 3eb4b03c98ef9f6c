import { useEffect, useState } from 'react';
import { momentText } from '../../components/figures/times.ts';
import { useConsole } from '../../state/console.tsx';
import type { Span } from '../fills/fill-ranges.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const LOOK_EVERY = 1_000;

/** How far back the page looks: so many milliseconds, or since the beginning of the day in UTC. */
export const RESULT_RANGES = [
  { value: '15 min', text: '15 min', ms: 15 * MINUTE },
  { value: '1 h', text: '1 h', ms: 60 * MINUTE },
  { value: 'today', text: 'Today', ms: null },
  { value: '7 d', text: '7 d', ms: 7 * DAY },
] as const;
export type ResultRange = (typeof RESULT_RANGES)[number]['value'];

/** The figures are asked for anew when a span has moved by this part of it, not with every second. */
const STEPS = 60;

/** A range as a span at a moment; it goes on with the clock. */
export function spanOf(range: ResultRange, now: number): Span {
  const ms = RESULT_RANGES.find(({ value }) => value === range)?.ms ?? null;
  if (ms === null) return { since: Math.floor(now / DAY) * DAY, until: null };
  const step = ms / STEPS;
  return { since: Math.floor(now / step) * step - ms, until: null };
}

/** The span that the page shows: one that was picked, or a range as the clock goes on. */
export function useResultSpan(range: ResultRange, picked: Span | null): Span {
  const { desk } = useConsole();
  const [span, setSpan] = useState(() => spanOf(range, desk.now()));
  useEffect(() => {
    const look = () =>
      setSpan((old) => {
        const next = spanOf(range, desk.now());
        return next.since === old.since ? old : next;
      });
    look();
    const timer = setInterval(look, LOOK_EVERY);
    return () => clearInterval(timer);
  }, [range, desk]);
  return picked ?? span;
}

/** `13:22:00 – 14:22:07`, with days where they are others than today. */
export function spanText({ since }: Span, until: number, now: number): string {
  const [from, to] = [momentText(since, now), momentText(until, now)];
  const sameDay = to.slice(0, -8) === from.slice(0, -8);
  return `${from} – ${sameDay ? to.slice(-8) : to}`;
}
