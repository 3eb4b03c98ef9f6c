import { setTimeout as sleep } from 'node:timers/promises';
import { startDesk } from '../../desk/desk-process.ts';
import { takerClient } from '../../desk/taker-client.ts';
import { quoting } from '../bench-desk.ts';
import { runLoad } from '../load.ts';
import { firmRequests, MOST_A_SECOND } from '../requests.ts';
import type { Row } from '../row.ts';
import { median } from '../statistics.ts';

const RUNS = { short: 5, long: 15 };
const TARGET_MS = 2_000;
/** Before it is killed a desk quotes for this long, so that each start finds a journal that was cut off under load. */
const LOAD_SECONDS = 1;

/** From the command to the ready line, after kill -9 under load. At that moment the desk listens and answers safely. */
export const start: Row = {
  name: 'start',
  what: 'start with 1 M quotes of history',
  async run(bench) {
    const { folder, file, quotes } = await bench.history();
    const [toListening, toQuoting]: [number[], number[]] = [[], []];
    for (let run = 0; run <= (bench.long ? RUNS.long : RUNS.short); run += 1) {
      const began = performance.now();
      const desk = await startDesk(folder, 'serve');
      const listening = performance.now() - began;
      const { status } = await takerClient(desk.ready.surface, file).get('/prices');
      if (status !== 200 && status !== 503) throw new Error(`a starting desk answered ${status}`);
      await quoting(desk, file);
      if (run > 0) toListening.push(listening);
      if (run > 0) toQuoting.push(performance.now() - began);
      const port = Number(new URL(desk.ready.surface).port);
      const loading = runLoad({
        port,
        requests: firmRequests(file, LOAD_SECONDS * 2 * MOST_A_SECOND),
        connections: 32,
        seconds: LOAD_SECONDS * 2,
      });
      await sleep(LOAD_SECONDS * 1000);
      await desk.kill();
      await loading;
    }
    const [listening, ready] = [median(toListening), median(toQuoting)];
    return [
      {
        measured: `${(listening / 1000).toFixed(2)} s listening, ${(ready / 1000).toFixed(2)} s quoting (${quotes.toLocaleString('en')} quotes)`,
        baseline: '—',
        target: `≤ ${TARGET_MS / 1000} s`,
        met: listening <= TARGET_MS,
        figures: { toListening, toQuoting },
      },
    ];
  },
};
