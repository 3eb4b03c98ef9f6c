import { Worker } from 'node:worker_threads';
import type { Hex } from '../electron/protocol/address.ts';
import type { KeyAsked } from '../electron/signer/key-thread.ts';

let thread: Worker | null = null;
/** Keys that are being derived, by number. */
const asked = new Map<number, { resolve(key: Hex): void; reject(error: Error): void }>();
let last = 0;

/**
 * In the tests `deriveInThread`: in a thread too, but the one that has derived a key derives the next. To start one takes longer
 * than to derive what seals the secrets of a desk, and tests open hundreds.
 */
export function deriveInThread(key: KeyAsked): Promise<Hex> {
  thread ??= started();
  thread.ref();
  last += 1;
  const number = last;
  thread.postMessage({ number, key });
  return new Promise<Hex>((resolve, reject) => {
    asked.set(number, { resolve, reject });
  }).finally(() => {
    asked.delete(number);
    if (asked.size === 0) thread?.unref(); // what waits for a next key keeps no process from its end
  });
}

function started(): Worker {
  const worker = new Worker(new URL('./reused-key-thread.mjs', import.meta.url));
  worker.on('message', ({ number, key, fault }: { number: number; key: Hex; fault?: string }) => {
    const waiting = asked.get(number);
    if (fault === undefined) waiting?.resolve(key);
    else waiting?.reject(new Error(fault));
  });
  worker.once('error', (error: Error) => {
    thread = null;
    for (const { reject } of asked.values()) reject(error);
  });
  return worker;
}
