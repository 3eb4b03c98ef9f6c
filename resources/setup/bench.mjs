import { ensureBuilt } from './build.mjs';
import { exitLike, run as runProgram } from './processes.mjs';

/** `npm run bench`: measures each target of the design against its baseline. */
export async function run(args) {
  await ensureBuilt();
  // What measures leaves the processors to what is measured: it collects its memory on one thread, where Node would take four.
  exitLike(await runProgram(process.execPath, ['--v8-pool-size=1', 'test/bench/bench.ts', ...args]));
}
