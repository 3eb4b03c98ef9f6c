import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium, type Locator, type Page } from '@playwright/test';
import { PAGES as NAVIGATION } from '../../../renderer/state/pages.ts';
import { type BenchDesk, deskFolder, startBenchDesk } from '../bench-desk.ts';
import { BUSY_PAIRS, busyDeskFile } from '../busy-desk-file.ts';
import { openConsole } from '../console.ts';
import { mainThreadWork } from '../main-thread.ts';
import { publishAt, upAndDown } from '../publish-at.ts';
import type { Line, Row } from '../row.ts';
import { median, percentile } from '../statistics.ts';

const UPDATES_PER_SECOND = 10;
const TYPING_MS = 15_000;
const MEMORY_S = { short: 180, long: 3_600 };
const MEMORY_LOOKS = 12;
const WARM_MS = 10_000;
const TARGET = { frameMs: 16.7, gapMs: 50, pageMs: 100, growth: 1.1 };
/** A desk on one machine has no link to its fleet. */
const PAGES = NAVIGATION.filter(({ id }) => id !== 'fleet').map(({ name }) => name);
const ROUNDS = 7;

/** The console in a real browser on a desk of 500 pairs × 20 levels, of which ten change in a second. */
export const consoleRow: Row = {
  name: 'console',
  what: `console, ${BUSY_PAIRS} pairs × 20 levels, ${UPDATES_PER_SECOND} updates/s`,
  async run(bench) {
    const file = await busyDeskFile(await bench.chain());
    const { folder, remove } = await deskFolder(await bench.chain(), file);
    bench.later(remove);
    const desk = await startBenchDesk(folder, file);
    const publisher = await openConsole(desk.ready.console);
    const browser = await chromium.launch({ executablePath: process.env.MAKERDESK_BROWSER ?? '/usr/bin/chromium' });
    const updating = publishAt(publisher, file, UPDATES_PER_SECOND, upAndDown(BUSY_PAIRS));
    try {
      return await measured(browser, desk, bench.long ? MEMORY_S.long : MEMORY_S.short);
    } finally {
      await updating.stop();
      await browser.close();
      publisher.close();
      await desk.stop();
    }
  },
};

async function measured(browser: Browser, desk: BenchDesk, memorySeconds: number): Promise<Line[]> {
  const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
  await page.goto(desk.ready.console);
  await page.getByText('LIVE', { exact: true }).first().waitFor();
  await sleep(WARM_MS);
  const cell = await firstCell(page);
  const { frames, clockFrames, longestTask } = await mainThreadWork(browser, page, () =>
    typeFor(page, cell, TYPING_MS),
  );
  const openings = await pageOpenings(page);
  const heaps = await heapsOver(page, memorySeconds);
  const [p95 = Number.NaN, clockP95 = Number.NaN] = [frames, clockFrames].map((times) =>
    percentile(
      times.toSorted((a, b) => a - b),
      0.95,
    ),
  );
  const [slowest, slowestMs] = slowestOf(openings, median);
  const [first, firstMs] = slowestOf(openings, ([time]) => time ?? Number.NaN);
  const third = Math.ceil(heaps.length / 3);
  const growth = median(heaps.slice(-third)) / median(heaps.slice(0, third));
  const mb = (bytes: number) => (bytes / 1e6).toFixed(1);
  return [
    line(
      `p95 ${p95.toFixed(1)} ms of work (${clockP95.toFixed(1)} ms by the clock) over ${frames.length} frames`,
      `frame p95 ≤ ${TARGET.frameMs} ms`,
      p95 <= TARGET.frameMs,
      { p95, clockP95 },
    ),
    line(
      `${longestTask.toFixed(0)} ms longest while typing`,
      `no gap > ${TARGET.gapMs} ms`,
      longestTask <= TARGET.gapMs,
      { longestTask },
    ),
    line(
      `${slowestMs.toFixed(0)} ms (${slowest}); for the first time ${firstMs.toFixed(0)} ms (${first})`,
      `any page ≤ ${TARGET.pageMs} ms`,
      slowestMs <= TARGET.pageMs,
      openings,
    ),
    line(
      `${mb(heaps[0] ?? 0)} → ${mb(heaps.at(-1) ?? 0)} MB in ${memorySeconds} s`,
      `last third ≤ ${TARGET.growth} × first`,
      growth <= TARGET.growth,
      { heaps, growth },
    ),
  ];
}

function line(told: string, target: string, met: boolean, figures: Record<string, unknown>): Line {
  return { measured: told, baseline: '—', target, met, figures };
}

/** A page's name in the navigation. */
function pageLink(page: Page, name: string): Locator {
  return page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name });
}

/** The first cell of the first pair's ladder, open and chosen. */
async function firstCell(page: Page): Promise<Locator> {
  await pageLink(page, 'Prices').click();
  const cell = page.getByRole('gridcell', { name: /^Bid 1 price:/ });
  await cell.click();
  return cell;
}

/** Types into the ladder of a pair as a trader does: numbers, arrows, and back. Nothing is published. */
async function typeFor(page: Page, cell: Locator, ms: number): Promise<void> {
  await cell.focus();
  for (const until = Date.now() + ms; Date.now() < until; ) {
    await page.keyboard.type('99.87', { delay: 60 });
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowUp');
  }
}

/** From the press on a page's name until it is drawn with what it shows, for some openings of each; milliseconds. */
async function pageOpenings(page: Page): Promise<Record<string, number[]>> {
  const opened: Record<string, number[]> = {};
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of PAGES) {
      const took = await page.evaluate(async (wanted) => {
        const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
        const link = [...document.querySelectorAll<HTMLElement>('nav a')].find((a) =>
          a.textContent?.startsWith(wanted),
        );
        const began = performance.now();
        link?.click();
        const isThere = () =>
          link?.getAttribute('aria-current') === 'page' &&
          document.querySelector('main section') !== null &&
          document.querySelector('main [aria-label="Loading"]') === null;
        while (!isThere()) await frame();
        await frame();
        return performance.now() - began;
      }, name);
      opened[name] = [...(opened[name] ?? []), took];
      await sleep(300);
    }
  }
  return opened;
}

function slowestOf(openings: Record<string, number[]>, of: (times: number[]) => number): [page: string, ms: number] {
  const pages = Object.entries(openings).map(([page, times]): [string, number] => [page, of(times)]);
  return pages.sort(([, a], [, b]) => b - a)[0] ?? ['', Number.NaN];
}

/** What is in use on the heap after a collection, at even moments; the Desk page is open. Bytes. */
async function heapsOver(page: Page, seconds: number): Promise<number[]> {
  await pageLink(page, 'Desk').click();
  const inspector = await page.context().newCDPSession(page);
  await inspector.send('Performance.enable');
  const heaps: number[] = [];
  for (let look = 0; look < MEMORY_LOOKS; look += 1) {
    await sleep((seconds * 1_000) / MEMORY_LOOKS);
    await inspector.send('HeapProfiler.collectGarbage');
    const { metrics } = await inspector.send('Performance.getMetrics');
    heaps.push(metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN);
  }
  return heaps;
}
