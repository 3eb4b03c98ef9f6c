import { ensureBuilt } from './build.mjs';
import { exitLike, run as runProgram } from './processes.mjs';

/** `npm run test:soak`: whether a desk stays as it is over an hour, or over MAKERDESK_SOAK_MINUTES. */
export async function run() {
  await ensureBuilt();
  exitLike(await runProgram(process.execPath, ['test/bench/soak.ts']));
}
