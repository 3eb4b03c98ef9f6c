import { appendFileSync, readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';
import { type Look, looksFile } from './looks.ts';

const EVERY_MS = 1_000;
/** The loop is looked at this often; a moment that comes in time counts as this much. */
const RESOLUTION_MS = 5;

// Loaded before the desk by Node's --import: the desk looks at itself once a second and writes down what it sees.
if (isMainThread) {
  const folder = process.argv[process.argv.indexOf('--data') + 1] ?? '';
  const loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  loop.enable();
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
  const look = () => {
    const { rss, heapUsed } = process.memoryUsage();
    const seen: Look = {
      at: Date.now(),
      resident: rss,
      heap: heapUsed,
      descriptors: readdirSync('/dev/fd').length,
      loopP99: late(loop.percentile(99)),
      loopWorst: late(loop.max),
    };
    loop.reset();
    appendFileSync(looksFile(folder), `${JSON.stringify(seen)}\n`);
  };
  setInterval(look, EVERY_MS).unref();
}
