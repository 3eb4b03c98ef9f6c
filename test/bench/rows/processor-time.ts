import type { DeskFile } from '../../../electron/contract/desk-file.ts';
import { protectedDeskFile } from '../bench-desk-file.ts';
import { startBaseline } from '../child.ts';
import { type LoadResult, runCleanLoad } from '../load.ts';
import { firmRequests, MOST_A_SECOND } from '../requests.ts';
import { interleaved, summaryOf } from '../rounds.ts';
import type { Row } from '../row.ts';
import { median } from '../statistics.ts';
import { MAIN, type ThreadTimes, threadTimes, timesBetween } from '../thread-times.ts';

const ROUNDS = { short: 7, long: 15 };
const SECONDS = 2;
const CONNECTIONS = 32;
const TARGET_ALL = 2;
const TARGET_MAIN = 1.25;
/** With ten protections against none. */
const TARGET_PROTECTED = 1.05;
/** The desk's own threads; the others are those of its engine: what compiles and what collects. */
const THREADS = [MAIN, 'journal writer', 'signature check'] as const;

/** What a run cost for each answer, in microseconds. */
type Cost = LoadResult & { all: number; by: ThreadTimes };

/** What a firm quote costs the processors, thread by thread, beside a server that does the least one can do. */
export const processorTime: Row = {
  name: 'processor-time',
  what: 'processor time of a firm quote, all guards, durable, recovered',
  async run(bench) {
    const desk = await bench.desk();
    const withRules = await bench.openDesk(protectedDeskFile);
    const bare = await startBaseline('bare-firm');
    const cost = (file: DeskFile, port: number, pid: number) => async (): Promise<Cost> => {
      const requests = firmRequests(file, SECONDS * MOST_A_SECOND);
      const before = threadTimes(pid);
      const result = await runCleanLoad({ port, requests, connections: CONNECTIONS, seconds: SECONDS });
      const spent = [...timesBetween(before, threadTimes(pid))];
      const by: ThreadTimes = new Map(spent.map(([name, time]) => [name, time / result.answers]));
      return { ...result, all: [...by.values()].reduce((sum, time) => sum + time, 0), by };
    };
    try {
      const rounds = await interleaved(bench.long ? ROUNDS.long : ROUNDS.short, {
        ours: cost(desk.file, desk.port, desk.ready.pid),
        withRules: cost(withRules.file, withRules.port, withRules.ready.pid),
        bare: cost(desk.file, bare.port, bare.pid),
      });
      const of = (figure: (round: (typeof rounds)[number]) => number) => median(rounds.map(figure));
      const [ours, theirs] = [summaryOf(rounds, 'ours'), summaryOf(rounds, 'bare')];
      const threads = THREADS.map((name) => ({ name, time: of((round) => round.ours.by.get(name) ?? Number.NaN) }));
      const other = of(({ ours: { all, by } }) => all - THREADS.reduce((sum, name) => sum + (by.get(name) ?? 0), 0));
      const said = [...threads, { name: 'other', time: other }].map(({ name, time }) => `${name} ${time.toFixed(0)}`);
      const line = (what: string, target: number, spent: (cost: Cost) => number) => {
        const ratio = of((round) => spent(round.ours) / round.bare.all);
        return {
          measured: `${ratio.toFixed(2)} × (${of((round) => spent(round.ours)).toFixed(0)} µs${what})`,
          baseline: `parse, sign natively, answer: ${of(({ bare: { all } }) => all).toFixed(0)} µs, ${theirs.text}`,
          target: `≤ ${target} ×`,
          met: ratio <= target,
          figures: { ratio, threads, other, ours: ours.figures, bare: theirs.figures, rounds: rounds.length },
        };
      };
      const rules = of(({ withRules: { all }, ours: { all: without } }) => all / without);
      return [
        line(`: ${said.join(', ')}; ${ours.text}`, TARGET_ALL, ({ all }) => all),
        line(' on the main thread', TARGET_MAIN, ({ by }) => by.get(MAIN) ?? Number.NaN),
        {
          measured: `${rules.toFixed(3)} × with ten protections (${of((round) => round.withRules.all).toFixed(0)} µs)`,
          baseline: `the same without: ${of((round) => round.ours.all).toFixed(0)} µs`,
          target: `≤ ${TARGET_PROTECTED} ×`,
          met: rules <= TARGET_PROTECTED,
          figures: { ratio: rules, withRules: summaryOf(rounds, 'withRules').figures },
        },
      ];
    } finally {
      await bare.stop();
      await withRules.stop();
    }
  },
};
