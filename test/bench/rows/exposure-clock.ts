import { deskFolder, startBenchDesk } from '../bench-desk.ts';
import { benchDeskFile } from '../bench-desk-file.ts';
import { openConsole } from '../console.ts';
import { runCleanLoad } from '../load.ts';
import { firmRequests } from '../requests.ts';
import type { Row } from '../row.ts';

/** The shortest that a desk takes, seconds. */
const LIFETIME = 125;
const LOAD = { rate: 20, seconds: 10 };
const TARGET_MS = 1_000;

/**
 * Halts a desk that has orders of many tokens out, and watches each token's exposure until it is at zero: how far that is from the
 * moment that the screen named when the desk was halted.
 */
export const exposureClock: Row = {
  name: 'exposure-clock',
  what: 'after a halt: the moment named for the end of all exposure, against when it is over',
  async run(bench) {
    const chain = await bench.chain();
    const whole = benchDeskFile(chain);
    const file = { ...whole, chains: whole.chains.map((one) => ({ ...one, quoteLifetimeSeconds: LIFETIME })) };
    const { folder, remove } = await deskFolder(chain, file);
    bench.later(remove);
    const desk = await startBenchDesk(folder, file);
    const console = await openConsole(desk.ready.console);
    try {
      const requests = firmRequests(file, LOAD.rate * LOAD.seconds + 1);
      await runCleanLoad({ port: desk.port, requests, connections: 4, ...LOAD });
      await console.desk.trading.halt({ scope: {} });
      const haltedAt = Date.now();
      let named: Map<string, number> | null = null;
      const off: number[] = [];
      let over = haltedAt;
      for await (const { exposure } of await console.desk.desk.watch()) {
        if (Date.now() > haltedAt + 2 * LIFETIME * 1_000) throw new Error('something is live for twice a lifetime');
        if (exposure === undefined) continue;
        over = Date.now();
        const live = exposure.filter((row) => row.live !== '0');
        named ??= new Map(live.map(({ tokenId, zeroAt }) => [tokenId, zeroAt ?? Number.NaN]));
        for (const [tokenId, zeroAt] of named) {
          if (live.some((row) => row.tokenId === tokenId)) continue;
          named.delete(tokenId);
          off.push(over - zeroAt);
        }
        if (named.size === 0) break;
      }
      const worst = off.reduce((most, ms) => (Math.abs(ms) > Math.abs(most) ? ms : most), 0);
      const took = over - haltedAt;
      return [
        {
          measured: `${worst} ms off at worst, of ${off.length} tokens; all over ${(took / 1_000).toFixed(1)} s after the halt`,
          baseline: '—',
          target: `± ${TARGET_MS} ms, within ${LIFETIME} s`,
          met: off.length > 1 && Math.abs(worst) <= TARGET_MS && took <= LIFETIME * 1_000 + TARGET_MS,
          figures: { off, took },
        },
      ];
    } finally {
      console.close();
      await desk.stop();
    }
  },
};
