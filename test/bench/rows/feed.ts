import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import type { DeskFile } from '../../../electron/contract/desk-file.ts';
import { CLI } from '../../desk/desk-process.ts';
import { takerClient } from '../../desk/taker-client.ts';
import { type BenchDesk, deskFolder, startBenchDesk } from '../bench-desk.ts';
import { benchDeskFile } from '../bench-desk-file.ts';
import { type OpenConsole, openConsole } from '../console.ts';
import { readLooks, trendOf } from '../looks.ts';
import { publishAt, upAndDown } from '../publish-at.ts';
import type { Line, Row } from '../row.ts';
import { percentile } from '../statistics.ts';
import { markedBid, type Subscriber, subscribe, updatesIn } from '../subscribers.ts';

const SUBSCRIBERS = 200;
const PER_SECOND = 50;
/** A counterparty may have 100 of them; the third is the one that does not read. */
const COUNTERPARTIES = 3;
const SECONDS = { warm: 5, short: 20, long: 180 };
const TARGET = { lateMs: 100, growth: 1.1, share: 0.98 };
/** So many changes of ladders this deep are more than any socket holds, about 4 MB. */
const DEEP_LEVELS = 190;
const DEEP_CHANGES = 30;
/** A reader that does not even do this is cut. */
const PONG_MS = 5_000;
const PATIENCE_MS = 30_000;
const LOOKING = ['--import', fileURLToPath(new URL('../looking-desk.ts', import.meta.url)), CLI];

/** The WebSocket's subscribers, all of whom read but one, who reads only at the end. */
export const feed: Row = {
  name: 'feed',
  what: `WebSocket, ${SUBSCRIBERS} subscribers × ${PER_SECOND} updates/s`,
  async run(bench) {
    const chain = await bench.chain();
    const file = withCounterparties(benchDeskFile(chain));
    const { folder, remove } = await deskFolder(chain, file);
    bench.later(remove);
    const desk = await startBenchDesk(folder, file, LOOKING);
    const publisher = await openConsole(desk.ready.console);
    try {
      return await measured(desk, publisher, bench.long ? SECONDS.long : SECONDS.short);
    } finally {
      publisher.close();
      await desk.stop();
    }
  },
};

async function measured(desk: BenchDesk, publisher: OpenConsole, seconds: number): Promise<Line[]> {
  const pairs = Object.keys(desk.file.chains[0]?.pairs ?? {}).length;
  const slow = await slowReader(subscriberOf(desk, COUNTERPARTIES - 1), pairs);
  const changes = await stuff(publisher, desk.file);
  const everybody = Array.from({ length: SUBSCRIBERS }, (_, number) =>
    subscriberOf(desk, number % (COUNTERPARTIES - 1)),
  );
  const subscribed = await subscribe({ subscribers: everybody, pairs });
  const publishing = publishAt(publisher, desk.file, PER_SECOND, markedBid);
  const { at } = publishing;
  await sleep(SECONDS.warm * 1_000);
  const began = Date.now();
  const from = at.length;
  await sleep(seconds * 1_000);
  const middle = at.length;
  const readsAgain = slow.readOn();
  await sleep(1_000);
  const on = at.length;
  await sleep(seconds * 1_000);
  const until = at.length;
  await publishing.stop();
  const looks = readLooks(desk.folder, began);
  const arrivals = await subscribed.end(at.length);
  await readsAgain;
  const heldNewest = await slow.holds(at.length - 1);
  slow.close();
  const late = (first: number, end: number) =>
    arrivals
      .flatMap((own) => Array.from(own.slice(first, end), (had, index) => had - (at[first + index] ?? Number.NaN)))
      .map((ms) => (Number.isNaN(ms) ? Number.POSITIVE_INFINITY : ms))
      .sort((a, b) => a - b);
  const [beside, alone] = [late(from, middle), late(on, until)];
  const rate = (until - on) / seconds;
  const line = (times: number[], whose: string, met: boolean): Line => {
    const [p99, worst] = [percentile(times, 0.99), percentile(times, 1)];
    return {
      measured: `worst ${worst.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, median ${percentile(times, 0.5).toFixed(1)} ms (${times.length.toLocaleString('en')} updates that arrived, ${whose})`,
      baseline: '—',
      target: `each ≤ ${TARGET.lateMs} ms late`,
      met: met && worst <= TARGET.lateMs,
      figures: { p99, worst, rate, updates: times.length },
    };
  };
  const { early, late: lately } = trendOf(looks, 'resident');
  const mb = (bytes: number) => (bytes / 1e6).toFixed(0);
  return [
    line(alone, `${rate.toFixed(1)} a second`, rate >= PER_SECOND * TARGET.share),
    line(
      beside,
      `beside one that did not read: it was sent ${slow.messages()} of ${changes + at.length + 1} messages${heldNewest ? ' and then held the newest' : ', and never held the newest'}`,
      heldNewest && slow.messages() < changes + at.length,
    ),
    {
      measured: `${mb(early)} → ${mb(lately)} MB in ${Math.round(looks.length / 2)} s`,
      baseline: '—',
      target: `last quarter ≤ ${TARGET.growth} × the second`,
      met: lately <= early * TARGET.growth,
      figures: { early, late: lately, looks: looks.map(({ resident }) => resident) },
    },
  ];
}

function withCounterparties(file: DeskFile): DeskFile {
  const more = Array.from({ length: COUNTERPARTIES - file.counterparties.length }, (_, number) => ({
    domain: `subscriber-${number}`,
    accessKey: randomBytes(16).toString('hex'),
    secretKey: randomBytes(32).toString('hex'),
    signedPath: 'full' as const,
  }));
  return { ...file, counterparties: [...file.counterparties, ...more] };
}

/** A subscriber of one of the counterparties; its signature is good for 30 s. */
function subscriberOf({ file, ready, port }: BenchDesk, counterparty: number): Subscriber {
  const counterparties = file.counterparties.slice(counterparty, counterparty + 1);
  return {
    url: `ws://127.0.0.1:${port}${file.chains[0]?.basePath}/ws`,
    headers: takerClient(ready.surface, { ...file, counterparties }).signed('/ws'),
  };
}

/** Subscribes, and reads nothing until it is told to. */
async function slowReader({ url, headers }: Subscriber, pairs: number) {
  const socket = new WebSocket(url, { headers, perMessageDeflate: false });
  const newest = new Array<number>(pairs).fill(-1);
  let messages = 0;
  socket.on('message', (data) => {
    messages += 1;
    for (const n of updatesIn(String(data))) newest[n % pairs] = Math.max(n, newest[n % pairs] ?? -1);
  });
  await once(socket, 'open');
  socket.pause();
  const ponging = setInterval(() => socket.pong(), PONG_MS);
  return {
    messages: () => messages,
    /** Resolves with the next message that comes. */
    readOn: async () => {
      socket.resume();
      await once(socket, 'message', { signal: AbortSignal.timeout(PATIENCE_MS) });
    },
    /** Whether it soon has every pair as the last updates left it. */
    holds: async (last: number) => {
      const isThere = () => newest.every((n) => n > last - pairs);
      for (const until = Date.now() + PATIENCE_MS; !isThere() && Date.now() < until; ) await sleep(50);
      return isThere();
    },
    close: () => {
      clearInterval(ponging);
      socket.terminate();
    },
  };
}

/** Fills the sockets of whoever does not read: deep ladders of all pairs change some times. Answers how many messages that made. */
async function stuff({ desk }: OpenConsole, file: DeskFile): Promise<number> {
  const [chain] = file.chains;
  const chainId = chain?.chainId ?? 0;
  const ladders = Object.entries(chain?.prices ?? {});
  const bestBid = upAndDown(1);
  const levels = Array.from({ length: DEEP_LEVELS }, (_, index) => index);
  const sides = [
    { side: 'bids', away: -1 },
    { side: 'asks', away: 1 },
  ] as const;
  type Edits = Parameters<typeof desk.ladders.edit>[0]['edits'];
  const publish = async (edits: (ladder: (typeof ladders)[number][1]) => Edits) => {
    const drafts = ladders.map(async ([pair, ladder]) => {
      const { version } = await desk.ladders.edit({ chainId, pair, edits: edits(ladder) });
      return { chainId, pair, version };
    });
    await desk.ladders.publishSeveral(await Promise.all(drafts));
  };
  await publish((ladder) =>
    sides.flatMap(({ side, away }) => {
      const own = ladder[side];
      const last = Number(own.at(-1)?.[0]);
      return levels.map((index) => ({
        kind: 'insert' as const,
        side,
        level: own.length + index,
        price: (last + away * (index + 1) * 0.01).toFixed(2),
        amount: '0.5',
      }));
    }),
  );
  for (let change = 1; change <= DEEP_CHANGES; change += 1) {
    await publish(({ bids }) => [
      { kind: 'set', side: 'bids', level: 0, field: 'price', value: bestBid(Number(bids[0]?.[0]), change) },
    ]);
  }
  await publish((ladder) =>
    sides.flatMap(({ side }) => levels.map(() => ({ kind: 'remove' as const, side, level: ladder[side].length }))),
  );
  return DEEP_CHANGES + 2;
}
