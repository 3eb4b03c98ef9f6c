import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Page } from '@playwright/test';
import type { DeskFile } from '../../../electron/contract/desk-file.ts';
import { deskFolder, startBenchDesk } from '../bench-desk.ts';
import { BUSY_PAIRS, busyDeskFile } from '../busy-desk-file.ts';
import { openConsole } from '../console.ts';
import { framesLine, mainThreadWork } from '../main-thread.ts';
import { publishAt, upAndDown } from '../publish-at.ts';
import type { Line, Row } from '../row.ts';

const UPDATES_PER_SECOND = 50;
/** So many publish at once, each pairs of its own: one after the other would wait for each other's commit. */
const PUBLISHERS = 5;
const WARM_MS = 5_000;
const SPAN_S = 15;
/** What shows figures of many pairs, and what shows one of them whole. */
const PAGES = ['Desk', 'Prices'];

/** How smooth the screen stays while 50 ladders are published in a second: nobody types, the page follows. */
export const consoleFrames: Row = {
  name: 'console-frames',
  what: `console that follows ${BUSY_PAIRS} pairs × 20 levels, ${UPDATES_PER_SECOND} updates/s`,
  async run(bench) {
    const file = await busyDeskFile(await bench.chain());
    const { folder, remove } = await deskFolder(await bench.chain(), file);
    bench.later(remove);
    const desk = await startBenchDesk(folder, file);
    const publisher = await openConsole(desk.ready.console);
    const browser = await chromium.launch({ executablePath: process.env.MAKERDESK_BROWSER ?? '/usr/bin/chromium' });
    const perPublisher = UPDATES_PER_SECOND / PUBLISHERS;
    const publishing = partsOf(file).map((part) =>
      publishAt(publisher, part, perPublisher, upAndDown(BUSY_PAIRS / PUBLISHERS)),
    );
    try {
      const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
      await page.goto(desk.ready.console);
      await page.getByText('LIVE', { exact: true }).first().waitFor();
      const lines: Line[] = [];
      for (const name of PAGES) {
        await openPage(page, name);
        await sleep(WARM_MS);
        const before = publishing.reduce((sum, { at }) => sum + at.length, 0);
        const work = await mainThreadWork(browser, page, () => sleep(SPAN_S * 1_000));
        const updates = publishing.reduce((sum, { at }) => sum + at.length, -before) / SPAN_S;
        const line = framesLine(name, work, SPAN_S);
        const enough = updates >= 0.9 * UPDATES_PER_SECOND;
        lines.push({
          ...line,
          measured: `${line.measured}, at ${updates.toFixed(0)} updates/s`,
          met: line.met && enough,
          figures: { ...line.figures, updates },
        });
      }
      return lines;
    } finally {
      await Promise.all(publishing.map(({ stop }) => stop()));
      await browser.close();
      publisher.close();
      await desk.stop();
    }
  },
};

/** The desk's file once for each publisher, with the prices of its own pairs only. */
function partsOf(file: DeskFile): DeskFile[] {
  return Array.from({ length: PUBLISHERS }, (_, part) => ({
    ...file,
    chains: file.chains.map((chain) => ({
      ...chain,
      prices: Object.fromEntries(Object.entries(chain.prices).filter((_, index) => index % PUBLISHERS === part)),
    })),
  }));
}

async function openPage(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
  await page.locator('main section').first().waitFor();
}
