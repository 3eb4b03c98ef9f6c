import { Worker } from 'node:worker_threads';
import type { Hex } from '../protocol/address.ts';
import type { KeyAsked } from './key-thread.ts';

/** Derives a key in a thread of its own, which ends with it. */
export function deriveInThread(asked: KeyAsked): Promise<Hex> {
  const file = import.meta.url.endsWith('.ts') ? './key-thread.ts' : './signer-key.js';
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(file, import.meta.url), { name: 'key derivation', workerData: asked });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The thread that derives a key ended without one.')));
  });
}
