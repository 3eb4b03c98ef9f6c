import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { LoadRun } from './load-run.ts';

/** One load on a server of this machine: keep-alive sockets, each with one request on its way at most. */
export interface Load {
  port: number;
  /** Whole HTTP requests, sent in turn. */
  requests: string[];
  connections: number;
  seconds: number;
  /** Requests a second over all sockets; without it as fast as they are answered. */
  rate?: number;
  /** Keep every answer that holds an order. */
  keepOrders?: boolean;
}

/** An order that came; times on the machine's monotonic clock. */
export interface ReceivedOrder {
  sentAt: number;
  receivedAt: number;
  signature: string;
}

export interface LoadResult {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** How long each answer took, milliseconds, sorted. */
  times: number[];
  answers: number;
  /** How many answers had which status. */
  statuses: Record<number, number>;
  orders: ReceivedOrder[];
  /** Sockets that the server ended. */
  broken: number;
}

/** Runs a load in a thread of its own, so that it never waits for the code that measures. */
export function runLoad(load: Load): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: load });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

/** As `runLoad`, but every answer has to be a 200: anything else would be measured as if it were one. */
export async function runCleanLoad(load: Load): Promise<LoadResult> {
  const result = await runLoad(load);
  const others = Object.entries(result.statuses).filter(([status]) => status !== '200');
  if (others.length > 0) throw new Error(`answers that were no 200: ${JSON.stringify(Object.fromEntries(others))}`);
  if (result.broken > 0) throw new Error(`the server ended ${result.broken} of ${load.connections} connections`);
  return result;
}

if (!isMainThread && parentPort) parentPort.postMessage(await new LoadRun(workerData as Load).run());
