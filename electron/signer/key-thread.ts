import { parentPort, workerData } from 'node:worker_threads';
import { type Derivation, deriveKey } from './derive-key.ts';

/** What the thread is started with. */
export interface KeyAsked {
  derivation: Derivation;
  passphrase: string;
}

/** The thread that derives one key and ends. */
const { derivation, passphrase }: KeyAsked = workerData;
parentPort?.postMessage(await deriveKey(derivation, passphrase));
