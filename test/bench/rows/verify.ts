import { fileURLToPath } from 'node:url';
import { runCommand } from '../../desk/desk-process.ts';
import type { Row } from '../row.ts';
import { median } from '../statistics.ts';

const RUNS = 3;
const TARGET = 200_000;
const TOLD = fileURLToPath(new URL('../told-processor-time.ts', import.meta.url));

/** `makerdesk verify`, from the start of the command to its end, by the clock and by the time of processors. */
export const verify: Row = {
  name: 'verify',
  what: 'journal verify',
  async run(bench) {
    const { folder } = await bench.history();
    const runs: { perSecond: number; microseconds: number }[] = [];
    let rows = 0;
    for (let run = 0; run < RUNS; run += 1) {
      const began = performance.now();
      const { code, stdout, stderr } = await runCommand(folder, ['verify'], { NODE_OPTIONS: `--import=${TOLD}` });
      if (code !== 0) throw new Error(`verify found a fault in what the bench wrote: ${stdout}${stderr}`);
      rows = JSON.parse(stdout).total;
      const perSecond = (rows * 1000) / (performance.now() - began);
      runs.push({ perSecond, microseconds: Number(stderr.split('\n').at(-1)) / rows });
    }
    const perSecond = median(runs.map((run) => run.perSecond));
    const microseconds = median(runs.map((run) => run.microseconds));
    return [
      {
        measured: `${Math.round(perSecond).toLocaleString('en')} rows/s over ${rows.toLocaleString('en')}, ${microseconds.toFixed(1)} µs of processor time a row`,
        baseline: '—',
        target: `≥ ${TARGET.toLocaleString('en')} rows/s`,
        met: perSecond >= TARGET,
        figures: { perSecond, microseconds, rows, runs },
      },
    ];
  },
};
