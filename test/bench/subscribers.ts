import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { WebSocket } from 'ws';
import { clock } from './clock.ts';

/** One subscriber of the feed: its address, and the headers that its handshake is signed with. */
export interface Subscriber {
  url: string;
  headers: Record<string, string>;
}

interface Task {
  subscribers: Subscriber[];
  pairs: number;
}

/** The n-th update is told from all others by its best bid: a whole number and these decimals. */
const MARK = /\.1(\d{5})1"/g;

/** The best bid of the n-th update, where the one before was less than 80 cents over a whole number: lower, but by less than that. */
export function markedBid(was: number, n: number): string {
  return `${Math.floor(was)}.1${String(n).padStart(5, '0')}1`;
}

/** The numbers of the updates that a message tells of. */
export function updatesIn(message: string): number[] {
  return [...message.matchAll(MARK)].map(([, n]) => Number(n));
}

/** Subscribers in a thread of their own, so that they never wait for the code that measures. */
export interface Subscribed {
  /**
   * For each subscriber when it had each update, on the machine's monotonic clock, NaN where it never had; also by one that
   * took its place. Ends them all.
   */
  end(updates: number): Promise<Float64Array[]>;
}

/** Subscribes them all. `pairs`: updates go round over so many. Rejects where one of them is refused. */
export async function subscribe(task: Task): Promise<Subscribed> {
  const worker = new Worker(new URL(import.meta.url), { workerData: task });
  const said = () =>
    new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
  await said();
  return {
    end: (updates) => {
      const arrivals = said() as Promise<Float64Array[]>;
      worker.postMessage(updates);
      return arrivals;
    },
  };
}

/** What was under way when the last update was published has this long. */
const LAST_MS = 2_000;
const MOST_UPDATES = 20_000;

/** The work of the thread. */
async function follow({ subscribers, pairs }: Task, port: NonNullable<typeof parentPort>): Promise<void> {
  const arrivals = subscribers.map(() => new Float64Array(MOST_UPDATES).fill(Number.NaN));
  let [lastText, lastMarks]: [string, number[]] = ['', []];
  const open = subscribers.map(async ({ url, headers }, index) => {
    const own = arrivals[index];
    const newest = new Array<number>(pairs).fill(-1);
    const socket = new WebSocket(url, { headers, perMessageDeflate: false });
    socket.on('message', (data) => {
      const now = clock();
      const text = String(data);
      // All subscribers are sent the same: it is read once.
      if (text !== lastText) [lastText, lastMarks] = [text, updatesIn(text)];
      for (const n of lastMarks) {
        const seen = newest[n % pairs] ?? -1;
        if (n <= seen) continue;
        newest[n % pairs] = n;
        for (let had = seen < 0 ? n % pairs : seen + pairs; own !== undefined && had <= n; had += pairs) own[had] = now;
      }
    });
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    return socket;
  });
  const sockets = await Promise.all(open);
  port.once('message', async (updates: number) => {
    await sleep(LAST_MS);
    for (const socket of sockets) socket.terminate();
    port.postMessage(arrivals.map((own) => own.slice(0, updates)));
  });
  port.postMessage('open');
}

if (!isMainThread && parentPort) await follow(workerData as Task, parentPort);
