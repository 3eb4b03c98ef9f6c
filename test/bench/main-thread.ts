import type { Browser, Page } from '@playwright/test';
import type { Line } from './row.ts';
import { percentile } from './statistics.ts';

/**
 * What the main thread of a page did in a span, milliseconds: its work between two frames, as it was busy itself and as
 * the clock went on, which counts the time that others took the processor from it; and its longest task by the clock.
 */
export interface MainThreadWork {
  frames: number[];
  clockFrames: number[];
  longestTask: number;
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  /** Of `dur`, what the thread itself ran. */
  tdur?: number;
  args?: { name?: string };
}

const TASKS = new Set(['RunTask', 'ThreadControllerImpl::RunTask']);
const CATEGORIES = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline', '__metadata'];

/** Traces the page while `act` runs. The page marks each of its frames, so that work can be told by frame. */
export async function mainThreadWork(browser: Browser, page: Page, act: () => Promise<void>): Promise<MainThreadWork> {
  await page.evaluate(() => {
    const marks = window as unknown as { marking?: boolean };
    marks.marking = true;
    const mark = () => {
      if (marks.marking) requestAnimationFrame(mark);
    };
    requestAnimationFrame(mark);
  });
  await browser.startTracing(page, { categories: CATEGORIES });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  await page.evaluate(() => {
    (window as unknown as { marking?: boolean }).marking = false;
  });
  return readTrace(traceEvents);
}

/** Of a trace, what the thread did that draws the frames. Throws when nothing was drawn. */
export function readTrace(events: readonly TraceEvent[]): MainThreadWork {
  const marks = events.filter(({ name }) => name === 'FireAnimationFrame');
  const [first] = marks;
  if (first === undefined) throw new Error('the page drew no frame while it was traced');
  const ofPage = (event: TraceEvent) => event.pid === first.pid && event.tid === first.tid;
  const frames = [...new Set(marks.filter(ofPage).map(({ ts }) => ts))].sort((a, b) => a - b);
  const tasks = events
    .filter((event) => ofPage(event) && event.ph === 'X' && TASKS.has(event.name))
    .sort((a, b) => a.ts - b.ts);
  const work = new Array<number>(Math.max(0, frames.length - 1)).fill(0);
  const clockWork = [...work];
  let [frame, ended, longest] = [0, 0, 0];
  for (const { ts, dur = 0, tdur = dur } of tasks) {
    if (ts < ended) continue; // inside of the one before
    ended = ts + dur;
    longest = Math.max(longest, dur / 1_000);
    while (frame < work.length && (frames[frame + 1] ?? 0) <= ts) frame += 1;
    if (frame >= work.length || ts < (frames[frame] ?? 0)) continue;
    work[frame] = (work[frame] ?? 0) + tdur / 1_000;
    clockWork[frame] = (clockWork[frame] ?? 0) + dur / 1_000;
  }
  return { frames: work, clockFrames: clockWork, longestTask: longest };
}

const TARGET = { frameMs: 10, gapMs: 30 };

/** How smooth a page was while it was traced for so many seconds, against what the design asks of it. */
export function framesLine(name: string, { frames, clockFrames, longestTask }: MainThreadWork, seconds: number): Line {
  const [p95 = Number.NaN, clockP95] = [frames, clockFrames].map((times) =>
    percentile(
      times.toSorted((a, b) => a - b),
      0.95,
    ),
  );
  const perSecond = frames.length / seconds;
  return {
    measured: `${name}: ${perSecond.toFixed(0)} frames/s, work p95 ${p95.toFixed(1)} ms (${clockP95?.toFixed(1)} ms by the clock), longest ${longestTask.toFixed(0)} ms`,
    baseline: '—',
    target: `frame p95 ≤ ${TARGET.frameMs} ms, no gap > ${TARGET.gapMs} ms`,
    met: p95 <= TARGET.frameMs && longestTask <= TARGET.gapMs,
    figures: { page: name, perSecond, p95, clockP95, longestTask },
  };
}
