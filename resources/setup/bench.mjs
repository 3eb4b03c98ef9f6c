import { ensureBuilt } from './build.mjs';
import { exitLike, run as runProgram } from './processes.mjs';

/** `npm run bench`: measures each target of the design against its baseline. */
export async function run(args) {
  await ensureBuilt();
  exitLike(await runProgram(process.execPath, ['test/bench/bench.ts', ...args]));
}
