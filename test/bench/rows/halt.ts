import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { deskFolder, startBenchDesk } from '../bench-desk.ts';
import { benchDeskFile } from '../bench-desk-file.ts';
import { clock } from '../clock.ts';
import { type OpenConsole, openConsole } from '../console.ts';
import { type ReceivedOrder, runLoad } from '../load.ts';
import { type Observed, readObserved } from '../observed.ts';
import { firmRequests } from '../requests.ts';
import type { Row } from '../row.ts';
import { percentile } from '../statistics.ts';

const RACES = { short: 300, long: 10_000 };
const RATE = 500;
const TARGET_MS = 50;
/** Signatures of requests are good for 30 s. */
const LOAD_SECONDS = 20;
const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const OBSERVED = ['--import', source('../observed-desk.ts'), source('../../../electron/cli.ts')];

/** One halt under load, on the machine's monotonic clock. */
interface Race {
  clicked: number;
  acknowledged: number;
  resumeAsked: number;
}

/** Halts by a console, against quotes on their way. The desk runs from its sources, with the latch and sockets observed. */
export const halt: Row = {
  name: 'halt',
  what: `halt under ${RATE} firm/s, click to latch p99`,
  async run(bench) {
    const chain = await bench.chain();
    const file = benchDeskFile(chain);
    const { folder, remove } = await deskFolder(chain, file);
    bench.later(remove);
    const desk = await startBenchDesk(folder, file, OBSERVED);
    const races: Race[] = [];
    const orders: ReceivedOrder[] = [];
    const client = await openConsole(desk.ready.console);
    try {
      while (races.length < (bench.long ? RACES.long : RACES.short)) {
        const until = clock() + LOAD_SECONDS * 1000;
        const load = {
          requests: firmRequests(file, RATE * LOAD_SECONDS + 1),
          connections: 32,
          seconds: LOAD_SECONDS,
          rate: RATE,
        };
        const loading = runLoad({ ...load, port: desk.port, keepOrders: true });
        while (clock() < until - 500) races.push(await race(client));
        orders.push(...(await loading).orders);
      }
    } finally {
      client.close();
      await desk.stop();
    }
    const observed = readObserved(folder);
    const stamps = races.map((one) => stampOf(one, observed));
    const toLatch = races.map(({ clicked }, index) => (stamps[index] ?? Number.NaN) - clicked).sort((a, b) => a - b);
    const p99 = percentile(toLatch, 0.99);
    const inDesk = count(races, observed.orders, ({ resumeAsked }, index) => [stamps[index] ?? 0, resumeAsked]);
    const atClient = count(
      races,
      orders.map(({ sentAt }) => sentAt),
      ({ acknowledged, resumeAsked }) => [acknowledged, resumeAsked],
    );
    return [
      {
        measured: `${p99.toFixed(1)} ms (median ${percentile(toLatch, 0.5).toFixed(1)} ms, ${races.length} races)`,
        baseline: '—',
        target: `≤ ${TARGET_MS} ms`,
        met: p99 <= TARGET_MS,
        figures: { p99, toLatch, orders: orders.length },
      },
      {
        measured: `${inDesk} orders after the stamp in the desk, ${atClient} to requests after the acknowledgement (of ${orders.length.toLocaleString('en')})`,
        baseline: '—',
        target: '0 and 0',
        met: inDesk === 0 && atClient === 0 && orders.length > races.length,
        figures: { inDesk, atClient, races: races.length, orders: orders.length, handedOver: observed.orders.length },
      },
    ];
  },
};

async function race({ desk }: OpenConsole): Promise<Race> {
  await sleep(20 + Math.random() * 40);
  const clicked = clock();
  const { durable } = await desk.trading.halt({ scope: {} });
  const acknowledged = clock();
  if (!durable) throw new Error('a halt was not durable');
  await sleep(10 + Math.random() * 20);
  const resumeAsked = clock();
  await desk.trading.resume({ scope: {}, reason: 'the next race' });
  return { clicked, acknowledged, resumeAsked };
}

/** The latch's stamp of the stop that this race asked for. */
function stampOf({ clicked, acknowledged }: Race, { stops }: Observed): number {
  const own = stops.filter((stamp) => stamp >= clicked && stamp <= acknowledged);
  if (own[0] === undefined) throw new Error('a halt was acknowledged without a stop of the latch');
  return own[0];
}

/** How many moments lie in the span of any race; the spans come one after the other. */
function count(races: Race[], moments: number[], spanOf: (race: Race, index: number) => [number, number]): number {
  const spans = races.map(spanOf);
  let span = 0;
  return moments
    .toSorted((a, b) => a - b)
    .filter((moment) => {
      while ((spans[span]?.[1] ?? Number.POSITIVE_INFINITY) <= moment) span += 1;
      return moment > (spans[span]?.[0] ?? Number.POSITIVE_INFINITY);
    }).length;
}
