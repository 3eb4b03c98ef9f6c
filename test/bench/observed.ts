import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is written to the desk's folder when it ends: moments on the machine's monotonic clock. */
export interface Observed {
  /** The latch's stamps of stops. */
  stops: number[];
  /** When an order was handed to a socket. */
  orders: number[];
}

/** Where it is written. */
export function observedFile(folder: string): string {
  return join(folder, 'observed.json');
}

export function readObserved(folder: string): Observed {
  return JSON.parse(readFileSync(observedFile(folder), 'utf8'));
}
