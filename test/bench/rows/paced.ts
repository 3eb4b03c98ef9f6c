import { startBenchDesk } from '../bench-desk.ts';
import { openConsole } from '../console.ts';
import { type LoadResult, runCleanLoad } from '../load.ts';
import { firmRequests } from '../requests.ts';
import type { Row } from '../row.ts';
import { median } from '../statistics.ts';

const RATE = 200;
const ROUNDS = 3;
const SECONDS = { warm: 5, short: 12, long: 25 };
const TARGET_MS = { short: 10, long: 15 };

/** Quotes at the pace of a busy service, with a long history and a console that watches. */
export const paced: Row = {
  name: 'paced',
  what: `POST /firm at ${RATE}/s, console open, long history`,
  async run(bench) {
    const { folder, file, quotes } = await bench.history();
    const desk = await startBenchDesk(folder, file);
    const client = await openConsole(desk.ready.console);
    const load = (seconds: number): Promise<LoadResult> =>
      runCleanLoad({
        port: desk.port,
        requests: firmRequests(file, RATE * seconds + 1),
        connections: 32,
        seconds,
        rate: RATE,
      });
    try {
      await load(SECONDS.warm);
      const rounds: LoadResult[] = [];
      for (let round = 0; round < ROUNDS; round += 1)
        rounds.push(await load(bench.long ? SECONDS.long : SECONDS.short));
      const { views, rows } = client.told();
      if (views === 0 || rows === 0) throw new Error('the console was told nothing');
      const p99 = median(rounds.map(({ p99Ms }) => p99Ms));
      const target = bench.long ? TARGET_MS.long : TARGET_MS.short;
      return [
        {
          measured: `p99 ${p99.toFixed(1)} ms, median ${median(rounds.map(({ p50Ms }) => p50Ms)).toFixed(1)} ms (${quotes.toLocaleString('en')} quotes)`,
          baseline: '—',
          target: `p99 ≤ ${target} ms`,
          met: p99 <= target,
          figures: { rounds: rounds.map(({ p50Ms, p99Ms, answers }) => ({ p50Ms, p99Ms, answers })), views, rows },
        },
      ];
    } finally {
      client.close();
      await desk.stop();
    }
  },
};
