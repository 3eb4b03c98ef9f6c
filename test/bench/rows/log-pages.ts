import type { LogFilter } from '../../../electron/contract/quote-log.ts';
import { startBenchDesk } from '../bench-desk.ts';
import { openConsole } from '../console.ts';
import type { History } from '../history.ts';
import type { Row } from '../row.ts';

const PAGE = 100;
const TRIES = 5;
const TARGET_MS = { short: 200, long: 300 };
const DAY_MS = 86_400_000;

/** First pages as the console asks for them, over its WebSocket; the slowest of all tries counts. */
export const logPages: Row = {
  name: 'log',
  what: 'firm log, first page by time, hash, user, pair, code, state',
  async run(bench) {
    const history = await bench.history();
    const desk = await startBenchDesk(history.folder, history.file);
    const { desk: client, close } = await openConsole(desk.ready.console);
    try {
      const slowest: Record<string, number> = {};
      for (let attempt = 0; attempt < TRIES; attempt += 1) {
        for (const [name, filter] of Object.entries(filtersFor(history))) {
          const began = performance.now();
          const { rows } = await client.log.page({ filter, limit: PAGE });
          slowest[name] = Math.max(slowest[name] ?? 0, performance.now() - began);
          if (rows.length === 0) throw new Error(`there is nothing to find by ${name}`);
        }
      }
      const [[name, worst] = ['', 0]] = Object.entries(slowest).sort(([, a], [, b]) => b - a);
      const target = bench.long ? TARGET_MS.long : TARGET_MS.short;
      return [
        {
          measured: `${worst.toFixed(0)} ms at worst (by ${name}, ${history.quotes.toLocaleString('en')} quotes)`,
          baseline: '—',
          target: `≤ ${target} ms`,
          met: worst <= target,
          figures: slowest,
        },
      ];
    } finally {
      close();
      await desk.stop();
    }
  },
};

/** Each field alone, and with a week of the past. */
function filtersFor({ file, samples }: History): Record<string, LogFilter> {
  const until = Date.now() - 10 * DAY_MS;
  const week = { since: until - 7 * DAY_MS, until };
  const pair = Object.keys(file.chains[0]?.pairs ?? {});
  const alone: Record<string, LogFilter> = {
    'a user who asks often': { user: samples.often },
    'a user who seldom asks': { user: samples.seldom },
    'a pair': { pair: pair[0] },
    'a quiet pair': { pair: pair.at(-1) },
    'a code': { code: 'user_rate' },
    'a code of withheld orders': { code: 'halted' },
    'state filled': { state: 'filled' },
    'state withheld': { state: 'withheld' },
    'state expired': { state: 'expired' },
    'state refused': { state: 'refused' },
  };
  const within = Object.entries(alone).map(([name, filter]) => [`${name} in a week`, { ...filter, ...week }]);
  return {
    ...{ nothing: {}, 'an order hash': { orderHash: samples.orderHash }, 'a week': week },
    ...alone,
    ...Object.fromEntries(within),
  };
}
