import type { DeskFile } from '../../../electron/contract/desk-file.ts';
import type { LogFilter } from '../../../electron/contract/quote-log.ts';
import type { DeskClient } from '../../../electron/desk/desk-line.ts';
import { startBenchDesk } from '../bench-desk.ts';
import { openConsole } from '../console.ts';
import type { History } from '../history.ts';
import type { Line, Row } from '../row.ts';

const PAGE = 200;
const TRIES = 5;
const TARGET_MS = { short: 200, long: 300 };
/** Of a search that no index answers: the longest silence, and how long it is listened to before it is given up. */
const SILENCE_MS = 300;
const LISTEN_MS = 3_000;
const DAY_MS = 86_400_000;

/** The log as the console searches it, over its WebSocket: the first try finds nothing read yet. The slowest counts. */
export const logPages: Row = {
  name: 'log',
  what: 'firm log, first page by time, hash, user, pair, code, state',
  async run(bench) {
    const history = await bench.history();
    const desk = await startBenchDesk(history.folder, history.file);
    const { desk: client, close } = await openConsole(desk.ready.console);
    const target = bench.long ? TARGET_MS.long : TARGET_MS.short;
    try {
      return [await firstPages(client, history, target), await longSearches(client, history, target)];
    } finally {
      close();
      await desk.stop();
    }
  },
};

async function firstPages(client: DeskClient, history: History, target: number): Promise<Line> {
  const [first, slowest]: [Record<string, number>, Record<string, number>] = [{}, {}];
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    for (const [name, filter] of Object.entries(filtersFor(history))) {
      const began = performance.now();
      let found = 0;
      for await (const { rows } of await client.log.find({ filter, limit: PAGE })) found += rows.length;
      const took = performance.now() - began;
      first[name] ??= took;
      slowest[name] = Math.max(slowest[name] ?? 0, took);
      if (found === 0) throw new Error(`there is nothing to find by ${name}`);
    }
  }
  const [name, worst] = worstOf(slowest);
  return {
    measured: `${worst.toFixed(0)} ms at worst (by ${name}, ${history.quotes.toLocaleString('en')} quotes)`,
    baseline: '—',
    target: `≤ ${target} ms`,
    met: worst <= target,
    figures: { first, slowest },
  };
}

/** Searches that have to look at row after row: they tell how far they are, and whoever gives one up waits for nothing. */
async function longSearches(client: DeskClient, { file, samples }: History, target: number): Promise<Line> {
  const silences: Record<string, number> = {};
  const afterwards: Record<string, number> = {};
  for (const [name, filter] of Object.entries(combinationsFor(file, samples))) {
    const stop = new AbortController();
    const until = performance.now() + LISTEN_MS;
    let heard = performance.now();
    for await (const { done } of await client.log.find({ filter, limit: PAGE }, { signal: stop.signal })) {
      silences[name] = Math.max(silences[name] ?? 0, performance.now() - heard);
      heard = performance.now();
      if (done || heard > until) break;
    }
    stop.abort();
    const began = performance.now();
    await client.log.page({ filter: {}, limit: PAGE });
    afterwards[name] = performance.now() - began;
  }
  const [name, silence] = worstOf(silences);
  const [, after] = worstOf(afterwards);
  return {
    measured: `told how far at least each ${silence.toFixed(0)} ms (by ${name}), a page ${after.toFixed(0)} ms after giving up`,
    baseline: '—',
    target: `≤ ${SILENCE_MS} ms, ≤ ${target} ms`,
    met: silence <= SILENCE_MS && after <= target,
    figures: { silences, afterwards },
  };
}

function worstOf(times: Record<string, number>): [name: string, ms: number] {
  return Object.entries(times).sort(([, a], [, b]) => b - a)[0] ?? ['nothing', Number.NaN];
}

/** What no index answers alone, most of it never found: the search comes to its end or is given up. */
function combinationsFor({ chains: [chain] }: DeskFile, { often }: History['samples']): Record<string, LogFilter> {
  const pair = Object.keys(chain?.pairs ?? {})[0];
  const size = Object.values(chain?.tokens ?? {}).map(({ address }) => ({
    chainId: chain?.chainId ?? 0,
    address,
    min: '9'.repeat(40),
  }));
  return {
    side: { side: 'bids' },
    'side and outcome in a week': { side: 'bids', outcome: 'withheld', ...aWeek() },
    'pair and outcome': { pair, outcome: 'cancelled' },
    'user and code': { user: often, code: 'ladder_stale' },
    'a size that nobody asked for': { size },
    'a size that nobody asked for in a week': { size, ...aWeek() },
  };
}

function aWeek() {
  const until = Date.now() - 10 * DAY_MS;
  return { since: until - 7 * DAY_MS, until };
}

/** Each field alone, and with a week of the past. */
function filtersFor({ file, samples }: History): Record<string, LogFilter> {
  const week = aWeek();
  const pair = Object.keys(file.chains[0]?.pairs ?? {});
  const alone: Record<string, LogFilter> = {
    'a user who asks often': { user: samples.often },
    'a user who seldom asks': { user: samples.seldom },
    'a pair': { pair: pair[0] },
    'a quiet pair': { pair: pair.at(-1) },
    'a code': { code: 'user_rate' },
    'a code of withheld orders': { code: 'halted' },
    'outcome filled': { outcome: 'filled' },
    'outcome withheld': { outcome: 'withheld' },
    'outcome expired': { outcome: 'expired' },
    'outcome refused': { outcome: 'refused' },
  };
  const within = Object.entries(alone).map(([name, filter]) => [`${name} in a week`, { ...filter, ...week }]);
  return {
    nothing: {},
    'an order hash': { orderHash: samples.orderHash },
    'a week': week,
    ...alone,
    ...Object.fromEntries(within),
  };
}
