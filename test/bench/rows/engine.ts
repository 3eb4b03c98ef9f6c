import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import Database from 'better-sqlite3';
import type { DeskFile } from '../../../electron/contract/desk-file.ts';
import { journalFile } from '../../../electron/journal/open-database.ts';
import { runCommand } from '../../desk/desk-process.ts';
import { type BenchDesk, deskFolder, startBenchDesk } from '../bench-desk.ts';
import { benchDeskFile } from '../bench-desk-file.ts';
import { finer, streamEngine } from '../engine-stream.ts';
import { runCleanLoad } from '../load.ts';
import { framesLine, mainThreadWork } from '../main-thread.ts';
import { firmRequests } from '../requests.ts';
import type { Line, Row } from '../row.ts';
import { percentile } from '../statistics.ts';

const PAIRS = 5;
const PER_SECOND = 200;
const FIRM_PER_SECOND = 50;
/** Signed requests are good for half a minute: they are made anew for each round. */
const ROUND_SECONDS = 20;
/** How long a console watches, at the end. */
const [WARM_MS, CONSOLE_SECONDS] = [5_000, 15];
const TARGET = { behindMs: 100, firmP99Ms: 20, megabytes: 2 };

/** An engine that drives every pair of a desk, beside firm quotes. */
export const engine: Row = {
  name: 'engine',
  what: `an engine: ${PAIRS} pairs × ${PER_SECOND} updates/s, beside ${FIRM_PER_SECOND} firm/s`,
  async run(bench) {
    const chain = await bench.chain();
    const file = drivenBy(benchDeskFile(chain));
    const { folder, remove } = await deskFolder(chain, file);
    bench.later(remove);
    const { stdout, stderr } = await runCommand(folder, ['token', 'new', 'engine', '--rights', 'prices']);
    if (stdout === '') throw new Error(`no token was made: ${stderr}`);
    const desk = await startBenchDesk(folder, file, undefined, ['--prices-port', '0']);
    const before = { size: statSync(journalFile(folder)).size, prices: priceBytes(folder) };
    try {
      return await measured(desk, JSON.parse(stdout).token, bench.minutes, before);
    } finally {
      await desk.stop();
    }
  },
};

async function measured(
  desk: BenchDesk,
  token: string,
  minutes: number,
  before: { size: number; prices: number },
): Promise<Line[]> {
  const { prices = '', surface } = desk.ready;
  const streaming = await streamEngine({ file: desk.file, prices, token, surface, perSecond: PER_SECOND });
  const firm: number[] = [];
  for (let left = minutes * 60; left > 0; left -= ROUND_SECONDS) {
    const seconds = Math.min(left, ROUND_SECONDS);
    const requests = firmRequests(desk.file, FIRM_PER_SECOND * seconds + 1);
    const { times } = await runCleanLoad({
      port: desk.port,
      requests,
      connections: 8,
      seconds,
      rate: FIRM_PER_SECOND,
    });
    firm.push(...times);
  }
  streaming.enough();
  const frames = await consoleFrames(desk.ready.console);
  const { sent, acknowledged, refused, answered, behind, seconds } = await streaming.end();
  await desk.stop();
  firm.sort((a, b) => a - b);
  const rate = sent / seconds;
  const a = (bytes: number) => (bytes / 1e6 / (seconds / 60)).toFixed(2);
  const grown = statSync(journalFile(desk.folder)).size - before.size;
  const pushed = priceBytes(desk.folder) - before.prices;
  const [worst, p99] = [percentile(behind, 1), percentile(behind, 0.99)];
  const firmP99 = percentile(firm, 0.99);
  const many = (count: number) => count.toLocaleString('en');
  const why = Object.entries(refused).map(([code, count]) => `, ${count} × ${code}`);
  return [
    {
      measured: `${many(acknowledged)} of ${many(sent)} updates acknowledged${why.join('')} (${rate.toFixed(0)} a second for ${minutes} min; p99 ${percentile(answered, 0.99).toFixed(0)} ms, worst ${percentile(answered, 1).toFixed(0)} ms)`,
      baseline: '—',
      target: 'all of them',
      met: acknowledged === sent && rate >= PAIRS * PER_SECOND * 0.98,
      figures: { sent, acknowledged, refused, rate, seconds },
    },
    {
      measured: `/prices at worst ${worst.toFixed(0)} ms behind, p99 ${p99.toFixed(0)} ms, median ${percentile(behind, 0.5).toFixed(0)} ms (${many(behind.length)} prices seen)`,
      baseline: '—',
      target: `each ≤ ${TARGET.behindMs} ms`,
      met: worst <= TARGET.behindMs,
      figures: { worst, p99, seen: behind.length },
    },
    {
      measured: `firm p99 ${firmP99.toFixed(1)} ms, median ${percentile(firm, 0.5).toFixed(1)} ms, worst ${percentile(firm, 1).toFixed(0)} ms (${many(firm.length)} quotes)`,
      baseline: '—',
      target: `p99 ≤ ${TARGET.firmP99Ms} ms`,
      met: firmP99 <= TARGET.firmP99Ms,
      figures: { p99: firmP99, quotes: firm.length },
    },
    {
      measured: `${a(pushed)} MB a minute of prices; the journal's file with the quotes ${a(grown)} MB a minute`,
      baseline: '—',
      target: `prices ≤ ${TARGET.megabytes} MB a minute`,
      met: pushed / 1e6 / (seconds / 60) <= TARGET.megabytes,
      figures: { pushed, grown, seconds },
    },
    ...frames,
  ];
}

/** How smooth a console is that follows the stream, once the rest was measured: a browser takes a core for itself. */
async function consoleFrames(console: string): Promise<Line[]> {
  const browser = await chromium.launch({ executablePath: process.env.MAKERDESK_BROWSER ?? '/usr/bin/chromium' });
  try {
    const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
    await page.goto(console);
    await page.getByText('LIVE', { exact: true }).first().waitFor();
    const lines: Line[] = [];
    for (const name of ['Desk', 'Prices']) {
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
      await page.locator('main section').first().waitFor();
      await sleep(WARM_MS);
      const work = await mainThreadWork(browser, page, () => sleep(CONSOLE_SECONDS * 1_000));
      lines.push(framesLine(`console on ${name}`, work, CONSOLE_SECONDS));
    }
    return lines;
  } finally {
    await browser.close();
  }
}

/** Five pairs, with prices so fine that each update can be told from the others. */
function drivenBy(file: DeskFile): DeskFile {
  const [chain] = file.chains;
  if (chain === undefined) throw new Error('the desk file has no chain');
  const some = <T>(of: Record<string, T>) => Object.entries(of).slice(0, PAIRS);
  const prices = some(chain.prices).map(([pair, { bids, asks }]) => {
    const side = (levels: typeof bids) => levels.map(([price, amount]): [string, string] => [finer(price), amount]);
    return [pair, { bids: side(bids), asks: side(asks) }] as const;
  });
  const driven = { ...chain, pairs: Object.fromEntries(some(chain.pairs)), prices: Object.fromEntries(prices) };
  return { ...file, chains: [driven] };
}

/** What the ladders take in a journal that no desk writes: their tables, and their share of the journal's own. */
function priceBytes(folder: string): number {
  const database = new Database(journalFile(folder), { readonly: true });
  try {
    const bytes = database
      .prepare<[], number>(`
        WITH pages AS (SELECT name, sum(pgsize) AS bytes FROM dbstat WHERE aggregate = TRUE GROUP BY name),
          sizes AS (SELECT kind IN ('ladders_moved', 'ladder_published') AS own, length(body) + 100 AS bytes FROM journal)
        SELECT (SELECT bytes FROM pages WHERE name = 'journal') * (SELECT sum(own * bytes) * 1.0 / sum(bytes) FROM sizes)
          + (SELECT sum(bytes) FROM pages WHERE name IN ('ladder_moves', 'ladder_revisions'))`)
      .pluck()
      .get();
    return bytes ?? 0;
  } finally {
    database.close();
  }
}
