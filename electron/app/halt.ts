import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { StopAcknowledgement } from '../contract/trading.ts';
import type { DeskClient } from './desk-client.ts';

/** How long a halt waits for the desk's acknowledgement. */
const PATIENCE_MS = 3_000;

/** `no_answer`: the desk may still be quoting; it has lost its leave to trade after a restart. */
export type HaltOutcome = { kind: 'halted'; acknowledgement: StopAcknowledgement } | { kind: 'no_answer' };

/**
 * Halts everything. Where no acknowledgement comes in time, the file `armed` is removed, without which a desk never
 * starts LIVE.
 */
export async function haltEverything(client: DeskClient | null, folder: string, reason: string): Promise<HaltOutcome> {
  let late: NodeJS.Timeout | undefined;
  const patience = new Promise<null>((resolve) => {
    late = setTimeout(resolve, PATIENCE_MS, null);
  });
  const answer = client === null ? null : client.trading.halt({ scope: {}, reason }).catch(() => null);
  const acknowledgement = await Promise.race([answer, patience]);
  clearTimeout(late);
  if (acknowledgement !== null) return { kind: 'halted', acknowledgement };
  disarm(folder);
  return { kind: 'no_answer' };
}

/** Sees to it that the desk of a folder starts HALTED. */
export function disarm(folder: string): void {
  rmSync(join(folder, 'armed'), { force: true });
}
