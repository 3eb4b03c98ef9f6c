import { runCommand } from '../../desk/desk-process.ts';
import type { Row } from '../row.ts';
import { median } from '../statistics.ts';

const RUNS = 3;
const TARGET = 200_000;

/** `makerdesk verify`, from the start of the command to its end. */
export const verify: Row = {
  name: 'verify',
  what: 'journal verify',
  async run(bench) {
    const { folder } = await bench.history();
    const speeds: number[] = [];
    let rows = 0;
    for (let run = 0; run < RUNS; run += 1) {
      const began = performance.now();
      const { code, stdout, stderr } = await runCommand(folder, ['verify']);
      if (code !== 0) throw new Error(`verify found a fault in what the bench wrote: ${stdout}${stderr}`);
      rows = JSON.parse(stdout).total;
      speeds.push((rows * 1000) / (performance.now() - began));
    }
    const perSecond = median(speeds);
    return [
      {
        measured: `${Math.round(perSecond).toLocaleString('en')} rows/s over ${rows.toLocaleString('en')}`,
        baseline: '—',
        target: `≥ ${TARGET.toLocaleString('en')} rows/s`,
        met: perSecond >= TARGET,
        figures: { perSecond, rows, speeds },
      },
    ];
  },
};
