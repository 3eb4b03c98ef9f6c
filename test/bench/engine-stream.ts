import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { WebSocket } from 'ws';
import type { DeskFile } from '../../electron/contract/desk-file.ts';
import { takerClient } from '../desk/taker-client.ts';
import { clock } from './clock.ts';

/** How an engine pushes: so many updates of each pair a second, each with the mid of one pair. */
export interface EngineTask {
  file: DeskFile;
  /** Where the desk takes prices, the token for that, and where it serves them. */
  prices: string;
  token: string;
  surface: string;
  perSecond: number;
}

/** What became of the updates, and how long prices that were served had been replaced. */
export interface Streamed {
  sent: number;
  acknowledged: number;
  /** Of updates that were refused, why, and how many. */
  refused: Record<string, number>;
  /** From an update to its answer, milliseconds, sorted. */
  answered: number[];
  /** How old the next newer update was when an answer of /prices came that did not have it yet, per answer; milliseconds, sorted. */
  behind: number[];
  seconds: number;
}

/** So many digits behind the point say which update a price is of; two before them are its cents. */
const MARK_PLACES = 4;
const MARKS = 10 ** MARK_PLACES;
/** A step of the walk, cents: more than what a ladder stands still for; and after how many it turns round. */
const STEP = 25;
const TURN = 60;
const LOOK_EVERY_MS = 10;
const PATIENCE_MS = 10_000;

/** Prices with as many places as the marks need, so that a mid is met to the digit. */
export function finer(text: string): string {
  return Number(text).toFixed(2 + MARK_PLACES);
}

/** The mid of a pair's n-th update: up and down around where it stood, with the number in its last digits. */
function midOf(cents: number, n: number): string {
  const step = n % (2 * TURN);
  const at = cents + STEP * Math.min(step, 2 * TURN - step);
  return `${Math.floor(at / 100)}.${String(at % 100).padStart(2, '0')}${String(n % MARKS).padStart(MARK_PLACES, '0')}`;
}

/** Streams in a thread of its own, so that it never waits for the code that measures. */
export interface Streaming {
  /** From now on nobody looks any more how old what is served is; updates go on. */
  enough(): void;
  /** Resolves once every update is answered, or was not in good time. */
  end(): Promise<Streamed>;
}

export async function streamEngine(task: EngineTask): Promise<Streaming> {
  const worker = new Worker(new URL(import.meta.url), { workerData: task });
  const said = () =>
    new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
  await said();
  return {
    enough: () => worker.postMessage('enough'),
    end: () => {
      const streamed = said() as Promise<Streamed>;
      worker.postMessage('end');
      return streamed;
    },
  };
}

async function stream(task: EngineTask, port: NonNullable<typeof parentPort>): Promise<void> {
  const [chain] = task.file.chains;
  if (chain === undefined) throw new Error('the desk file has no chain');
  const pairs = Object.entries(chain.prices).map(([pair, { bids, asks }]) => {
    const middle = (Number(bids[0]?.[0]) + Number(asks[0]?.[0])) / 2;
    return { pair, cents: Math.round(middle * 100), sentAt: [0] };
  });
  const url = `${task.prices.replace(/^http/, 'ws')}/ws`;
  const headers = { authorization: `Bearer ${task.token}` };
  const socket = new WebSocket(url, { headers, perMessageDeflate: false });
  await once(socket, 'open');
  port.postMessage('open');

  const sentAt: number[] = [];
  const answered: number[] = [];
  const refused: Record<string, number> = {};
  let acknowledged = 0;
  socket.on('message', (data) => {
    const now = clock();
    const { sequence, revisions, refused: reasons, code } = JSON.parse(String(data));
    answered.push(now - (sentAt[sequence - 1] ?? now));
    if (Object.keys(revisions ?? {}).length > 0) acknowledged += 1;
    for (const why of code === undefined ? Object.values(reasons ?? {}) : [{ code }]) {
      const said = String((why as { code: string }).code);
      refused[said] = (refused[said] ?? 0) + 1;
    }
  });
  let isOver = false;
  let isLooking = true;
  const ended = new Promise<void>((resolve) => {
    port.on('message', (said) => {
      isLooking = false;
      if (said === 'end') resolve();
    });
  });
  const began = clock();
  const push = () => {
    const due = ((clock() - began) * task.perSecond * pairs.length) / 1_000;
    while (!isOver && sentAt.length < due) {
      const one = pairs[sentAt.length % pairs.length];
      if (one === undefined) return;
      const n = one.sentAt.length;
      const sequence = sentAt.push(clock());
      one.sentAt.push(clock());
      socket.send(JSON.stringify({ chainId: chain.chainId, sequence, mids: { [one.pair]: midOf(one.cents, n) } }));
    }
  };
  const pushing = setInterval(push, 2);

  const taker = takerClient(task.surface, task.file);
  const behind: number[] = [];
  const look = async () => {
    const response = await fetch(`${task.surface}${chain.basePath}/prices`, { headers: taker.signed('/prices') });
    const { prices } = (await response.json()) as { prices: Record<string, { bids?: [string, string][] }> };
    const now = clock();
    for (const { pair, sentAt: sent } of pairs) {
      const bid = prices[pair]?.bids?.[0]?.[0];
      if (bid === undefined) behind.push(Number.POSITIVE_INFINITY);
      else {
        const mark = Number((bid.split('.')[1] ?? '').padEnd(2 + MARK_PLACES, '0').slice(2));
        const newest = sent.length - 1;
        // The last one with this mark: more than half a minute lies between two with the same.
        const served = newest - ((((newest - mark) % MARKS) + MARKS) % MARKS);
        const next = sent[served + 1];
        behind.push(next === undefined ? 0 : now - next);
      }
    }
  };
  const looking = (async () => {
    await sleep(1_000); // the first update of each pair is in force
    while (isLooking) {
      await look();
      await sleep(LOOK_EVERY_MS);
    }
  })();

  await ended;
  isOver = true;
  clearInterval(pushing);
  const seconds = (clock() - began) / 1_000;
  await looking;
  for (const until = clock() + PATIENCE_MS; answered.length < sentAt.length && clock() < until; ) await sleep(20);
  socket.terminate();
  const inOrder = (times: number[]) => times.sort((a, b) => a - b);
  const streamed: Streamed = {
    sent: sentAt.length,
    acknowledged,
    refused,
    answered: inOrder(answered),
    behind: inOrder(behind),
    seconds,
  };
  port.postMessage(streamed);
  port.close();
}

if (!isMainThread && parentPort) await stream(workerData as EngineTask, parentPort);
