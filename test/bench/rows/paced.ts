import { type BenchDesk, startBenchDesk } from '../bench-desk.ts';
import { openConsole } from '../console.ts';
import { type LoadResult, runCleanLoad } from '../load.ts';
import { firmRequests } from '../requests.ts';
import type { Line, Row } from '../row.ts';
import { median } from '../statistics.ts';

const ROUNDS = 3;
const SECONDS = { warm: 5, short: 12, long: 25 };
/** Requests a second, and how long the answer of all but one in a hundred may take with a million quotes and with ten. */
const PACES = [
  { rate: 200, short: 10, long: 15 },
  { rate: 1_000, short: 15, long: 22.5 },
];

/** Quotes at the paces of busy services, with a long history and a console that watches. */
export const paced: Row = {
  name: 'paced',
  what: `POST /firm at ${PACES.map(({ rate }) => rate.toLocaleString('en')).join(' and ')}/s, console open, long history`,
  async run(bench) {
    const { folder, file, quotes } = await bench.history();
    const desk = await startBenchDesk(folder, file);
    const client = await openConsole(desk.ready.console);
    try {
      const lines: Line[] = [];
      for (const { rate, ...targets } of PACES) {
        await load(desk, rate, SECONDS.warm);
        const rounds: LoadResult[] = [];
        for (let round = 0; round < ROUNDS; round += 1)
          rounds.push(await load(desk, rate, bench.long ? SECONDS.long : SECONDS.short));
        const { views, rows } = client.told();
        if (views === 0 || rows === 0) throw new Error('the console was told nothing');
        const p99 = median(rounds.map(({ p99Ms }) => p99Ms));
        const target = bench.long ? targets.long : targets.short;
        lines.push({
          measured: `${rate.toLocaleString('en')}/s: p99 ${p99.toFixed(1)} ms, median ${median(rounds.map(({ p50Ms }) => p50Ms)).toFixed(1)} ms (${quotes.toLocaleString('en')} quotes)`,
          baseline: '—',
          target: `p99 ≤ ${target} ms`,
          met: p99 <= target,
          figures: { rounds: rounds.map(({ p50Ms, p99Ms, answers }) => ({ p50Ms, p99Ms, answers })), views, rows },
        });
      }
      return lines;
    } finally {
      client.close();
      await desk.stop();
    }
  },
};

function load({ port, file }: BenchDesk, rate: number, seconds: number): Promise<LoadResult> {
  return runCleanLoad({ port, requests: firmRequests(file, rate * seconds + 1), connections: 32, seconds, rate });
}
