import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCommand } from '../../desk/desk-process.ts';
import { takerClient } from '../../desk/taker-client.ts';
import { type FleetDesk, spawnInFleet } from '../../fleet/fleet-process.ts';
import { noNats, startNats } from '../../fleet/nats.ts';
import { deskFolder, startBenchDesk, workFolder } from '../bench-desk.ts';
import { benchDeskFile } from '../bench-desk-file.ts';
import { runCleanLoad } from '../load.ts';
import { firmRequests } from '../requests.ts';
import type { Row } from '../row.ts';

const PACED = { rate: 50, seconds: 15 };
const FULL = { requests: 60_000, seconds: 5 };
const TARGET = { takeOverSeconds: 10, slowerMs: 5 };

/** What a second place for each row costs a quote, and how long a person's takeover lasts. */
export const fleet: Row = {
  name: 'fleet',
  what: 'a desk whose rows go into a stream with a standby behind it, beside the same desk alone; then a takeover',
  async run(bench) {
    if (noNats !== null) throw new Error(noNats);
    const chain = await bench.chain();
    const file = benchDeskFile(chain);
    const measured = async (port: number) => {
      const paced = { ...PACED, port, requests: firmRequests(file, PACED.rate * PACED.seconds + 1), connections: 8 };
      const full = { port, requests: firmRequests(file, FULL.requests), connections: 32, seconds: FULL.seconds };
      const { p50Ms, p99Ms } = await runCleanLoad(paced);
      const { perSecond } = await runCleanLoad(full);
      return { p50Ms, p99Ms, perSecond };
    };
    const single = await deskFolder(chain, file);
    bench.later(single.remove);
    const alone = await startBenchDesk(single.folder, file);
    const before = await measured(alone.port);
    await alone.stop();

    const nats = await startNats();
    bench.later(() => nats.close());
    const url = `nats://127.0.0.1:${nats.port}/bench`;
    const first = await deskFolder(chain, file);
    bench.later(first.remove);
    const second = workFolder();
    bench.later(second.remove);
    copyFileSync(join(first.folder, 'keystore.json'), join(second.folder, 'keystore.json'));
    const desk = await startBenchDesk(first.folder, file, undefined, ['--fleet', url, '--name', 'first']);
    const standby = spawnInFleet(second.folder, ['standby', '--fleet', url, '--name', 'second']);
    try {
      await standby.said((line) => line.standby === true);
      const beside = await measured(desk.port);
      const seconds = await takeOver(second.folder, standby, url, async (surface) => {
        const { status } = await takerClient(surface, file).get('/prices');
        return status === 200;
      });
      const figures = { before, beside, seconds };
      return [
        {
          measured: `firm p50 ${beside.p50Ms.toFixed(1)} ms, p99 ${beside.p99Ms.toFixed(1)} ms at ${PACED.rate}/s; ${Math.round(beside.perSecond)}/s at most`,
          baseline: `${before.p50Ms.toFixed(1)} ms, ${before.p99Ms.toFixed(1)} ms; ${Math.round(before.perSecond)}/s alone`,
          target: `p50 at most ${TARGET.slowerMs} ms more`,
          met: beside.p50Ms <= before.p50Ms + TARGET.slowerMs,
          figures,
        },
        {
          measured: `${seconds.toFixed(1)} s from the word to the first grid, the resume in it`,
          baseline: '—',
          target: `≤ ${TARGET.takeOverSeconds} s`,
          met: seconds <= TARGET.takeOverSeconds,
          figures,
        },
      ];
    } finally {
      await standby.end('SIGTERM');
      await desk.kill();
    }
  },
};

/** Has the standby take over and resumes it, as a person would with two commands. Returns the seconds until it serves. */
async function takeOver(
  folder: string,
  standby: FleetDesk,
  url: string,
  serves: (surface: string) => Promise<boolean>,
): Promise<number> {
  const began = performance.now();
  const told = await runCommand(null, ['fleet', 'take-over', 'second', '--fleet', url]);
  if (told.code !== 0) throw new Error(told.stderr);
  const { surface } = await standby.ready();
  while ((await runCommand(folder, ['resume', '--reason', 'taken over'])).code !== 0) await sleep(100);
  while (!(await serves(surface))) await sleep(20);
  return (performance.now() - began) / 1_000;
}
