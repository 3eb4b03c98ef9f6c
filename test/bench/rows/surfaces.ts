import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type { DeskFile } from '../../../electron/contract/desk-file.ts';
import { takerClient } from '../../desk/taker-client.ts';
import { type FleetDesk, spawnInFleet } from '../../fleet/fleet-process.ts';
import { noNats, startNats } from '../../fleet/nats.ts';
import { type BenchDesk, deskFolder, startBenchDesk, workFolder } from '../bench-desk.ts';
import { benchDeskFile } from '../bench-desk-file.ts';
import { clock } from '../clock.ts';
import { type OpenConsole, openConsole } from '../console.ts';
import { type LoadResult, type ReceivedOrder, runCleanLoad, runLoad } from '../load.ts';
import { publishAt } from '../publish-at.ts';
import { firmRequests, MOST_A_SECOND } from '../requests.ts';
import { interleaved, summaryOf } from '../rounds.ts';
import type { Line, Row } from '../row.ts';
import { median, percentile } from '../statistics.ts';
import { markedBid, subscribe } from '../subscribers.ts';
import { threadTimes, timesBetween } from '../thread-times.ts';

const NAMES = ['tokyo', 'paris', 'lima'];
const ROUNDS = { short: 5, long: 11 };
const SECONDS = 2;
const CONNECTIONS = 10;
/** Of fewer than some hundred updates the slowest hundredth is a handful of the first ones. */
const PUBLISHING = { perSecond: 20, seconds: { short: 30, long: 60 } };
const RACES = 300;
const RATE = 60;
const LOAD_SECONDS = 20;
const TARGET = { times: 1.1, servedMs: 50, haltMs: 250 };

/** What a run cost the desk for each answer, in microseconds of its processor time. */
type Cost = LoadResult & { spent: number };

/** What surfaces elsewhere cost the desk that signs for them, how soon they serve what it publishes, and how soon a halt has reached them all. */
export const surfaces: Row = {
  name: 'surfaces',
  what: 'a desk in a fleet with three surfaces elsewhere, beside the same desk alone',
  async run(bench) {
    if (noNats !== null) throw new Error(noNats);
    const chain = await bench.chain();
    const file = benchDeskFile(chain);
    const single = await deskFolder(chain, file);
    bench.later(single.remove);
    const nats = await startNats();
    bench.later(() => nats.close());
    const url = `nats://127.0.0.1:${nats.port}/bench`;
    const { folder, remove } = await deskFolder(chain, file);
    bench.later(remove);
    const alone = await startBenchDesk(single.folder, file);
    const desk = await startBenchDesk(folder, file, undefined, ['--fleet', url, '--name', 'first']);
    const far: FleetDesk[] = [];
    let console: OpenConsole | null = null;
    try {
      for (const name of NAMES) {
        const place = workFolder();
        bench.later(place.remove);
        far.push(spawnInFleet(place.folder, ['surface', '--fleet', url, '--name', name]));
      }
      const ports: number[] = [];
      for (const one of far) ports.push(await servingPort(one, file));
      const cost = await costLine(file, alone, desk, ports, bench.long ? ROUNDS.long : ROUNDS.short);
      // Only now: a console that watches has each row read for it, and nobody watches the desk alone.
      console = await openConsole(desk.ready.console);
      return [
        cost,
        await servedLine(file, console, ports, bench.long ? PUBLISHING.seconds.long : PUBLISHING.seconds.short),
        ...(await haltLines(file, folder, console, ports)),
      ];
    } finally {
      console?.close();
      for (const one of far) await one.end('SIGTERM');
      await desk.stop();
      await alone.stop();
    }
  },
};

/** The port of a surface, once it serves the grid. */
async function servingPort(surface: FleetDesk, file: DeskFile): Promise<number> {
  const ready = await surface.ready();
  const client = takerClient(ready.surface, file);
  while ((await client.get('/prices')).status !== 200) await sleep(20);
  return Number(new URL(ready.surface).port);
}

async function costLine(
  file: DeskFile,
  alone: BenchDesk,
  desk: BenchDesk,
  ports: number[],
  rounds: number,
): Promise<Line> {
  const of =
    ({ ready: { pid } }: BenchDesk, at: number[]) =>
    async (): Promise<Cost> => {
      const requests = firmRequests(file, SECONDS * MOST_A_SECOND);
      const share = Math.ceil(requests.length / at.length);
      const before = threadTimes(pid);
      const results = await Promise.all(
        at.map((port, index) =>
          runCleanLoad({
            port,
            requests: requests.slice(index * share, (index + 1) * share),
            connections: Math.ceil((CONNECTIONS * NAMES.length) / at.length),
            seconds: SECONDS,
          }),
        ),
      );
      const spent = [...timesBetween(before, threadTimes(pid)).values()].reduce((sum, time) => sum + time, 0);
      const answers = results.reduce((sum, result) => sum + result.answers, 0);
      const times = results.flatMap((result) => result.times).sort((a, b) => a - b);
      const perSecond = results.reduce((sum, result) => sum + result.perSecond, 0);
      const [first] = results;
      if (first === undefined) throw new Error('nobody was asked');
      const latency = { p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) };
      return { ...first, ...latency, times, answers, perSecond, spent: spent / answers };
    };
  const done = await interleaved(rounds, {
    alone: of(alone, [alone.port]),
    inFleet: of(desk, [desk.port]),
    surfaces: of(desk, ports),
  });
  const ratio = median(done.map((round) => round.surfaces.spent / round.alone.spent));
  const costs = (name: 'alone' | 'inFleet' | 'surfaces') => median(done.map((round) => round[name].spent)).toFixed(0);
  return {
    measured: `${ratio.toFixed(2)} × (${costs('surfaces')} µs of the desk's processor time a quote; ${summaryOf(done, 'surfaces').text})`,
    baseline: `${costs('alone')} µs alone, ${summaryOf(done, 'alone').text}; ${costs('inFleet')} µs in a fleet and asked itself, ${summaryOf(done, 'inFleet').text}`,
    target: `≤ ${TARGET.times} ×`,
    met: ratio <= TARGET.times,
    figures: { ratio, alone: summaryOf(done, 'alone').figures, surfaces: summaryOf(done, 'surfaces').figures },
  };
}

async function servedLine(file: DeskFile, console: OpenConsole, ports: number[], seconds: number): Promise<Line> {
  const pairs = Object.keys(file.chains[0]?.pairs ?? {}).length;
  const subscribers = ports.map((port) => ({
    url: `ws://127.0.0.1:${port}${file.chains[0]?.basePath}/ws`,
    headers: takerClient(`http://127.0.0.1:${port}`, file).signed('/ws'),
  }));
  const subscribed = await subscribe({ subscribers, pairs });
  const publishing = publishAt(console, file, PUBLISHING.perSecond, markedBid);
  await sleep(seconds * 1_000);
  await publishing.stop();
  await sleep(500);
  const { at } = publishing;
  const arrivals = await subscribed.end(at.length);
  const late = arrivals
    .flatMap((own) => Array.from(own, (had, index) => had - (at[index] ?? Number.NaN)))
    .toSorted((a, b) => a - b);
  const missed = late.filter(Number.isNaN).length;
  const took = late.filter((ms) => !Number.isNaN(ms));
  const p99 = percentile(took, 0.99);
  return {
    measured: `${p99.toFixed(1)} ms p99 (median ${percentile(took, 0.5).toFixed(1)} ms) from the publish to every surface's subscriber; ${missed} of ${late.length} went in a later one`,
    baseline: '—',
    target: `≤ ${TARGET.servedMs} ms p99`,
    met: p99 <= TARGET.servedMs,
    figures: { p99, missed, updates: at.length },
  };
}

async function haltLines(file: DeskFile, folder: string, console: OpenConsole, ports: number[]): Promise<Line[]> {
  const races: { clicked: number; acknowledged: number; resumeAsked: number }[] = [];
  const orders: ReceivedOrder[] = [];
  while (races.length < RACES) {
    const until = clock() + LOAD_SECONDS * 1_000;
    const loading = ports.map((port) =>
      runLoad({
        port,
        requests: firmRequests(file, RATE * LOAD_SECONDS + 1),
        connections: CONNECTIONS,
        seconds: LOAD_SECONDS,
        rate: RATE,
        keepOrders: true,
      }),
    );
    while (clock() < until - 500 && races.length < RACES) {
      await sleep(20 + Math.random() * 40);
      const clicked = clock();
      const { durable } = await console.desk.trading.halt({ scope: {} });
      const acknowledged = clock();
      if (!durable) throw new Error('a halt was not durable');
      await sleep(10 + Math.random() * 20);
      const resumeAsked = clock();
      await console.desk.trading.resume({ scope: {}, reason: 'the next race' });
      races.push({ clicked, acknowledged, resumeAsked });
    }
    for (const one of await Promise.all(loading)) orders.push(...one.orders);
  }
  const took = races.map(({ clicked, acknowledged }) => acknowledged - clicked).sort((a, b) => a - b);
  const p99 = percentile(took, 0.99);
  const halted = signedWhileHalted(folder);
  const late = orders.filter(
    ({ sentAt, signature }) =>
      halted.has(signature) &&
      races.some(({ acknowledged, resumeAsked }) => sentAt > acknowledged && sentAt < resumeAsked),
  );
  return [
    {
      measured: `${p99.toFixed(1)} ms p99 (median ${percentile(took, 0.5).toFixed(1)} ms, ${races.length} races) from the press until every surface has said that it hands over nothing more`,
      baseline: '—',
      target: `≤ ${TARGET.haltMs} ms p99`,
      met: p99 <= TARGET.haltMs,
      figures: { p99, races: races.length },
    },
    {
      measured: `${late.length} orders to requests after the acknowledgement (of ${orders.length.toLocaleString('en')})`,
      baseline: '—',
      target: '0',
      met: late.length === 0 && orders.length > races.length,
      figures: { late: late.length, orders: orders.length },
    },
  ];
}

/**
 * Signatures of orders whose rows stand between a halt and its resume: a request that was on its way while the desk was resumed is
 * answered behind it, and rightly so.
 */
function signedWhileHalted(folder: string): Set<string> {
  const db = new Database(join(folder, 'journal.db'), { readonly: true });
  const rows = db
    .prepare<[], { state: string | null; signature: string | null }>(`
      SELECT body ->> '$.state' AS state, body ->> '$.signature' AS signature FROM journal
      WHERE kind IN ('quote', 'trading_state') ORDER BY seq`)
    .all();
  db.close();
  const signed = new Set<string>();
  let halted = false;
  for (const { state, signature } of rows) {
    if (state !== null) halted = state === 'HALTED';
    else if (halted && signature !== null) signed.add(signature);
  }
  return signed;
}
