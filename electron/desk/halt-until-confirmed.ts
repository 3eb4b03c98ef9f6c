import { setTimeout as sleep } from 'node:timers/promises';
import { type HeardHalt, heardHaltSchema } from '../contract/desk-list.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { type AskedPlace, askElsewhere } from './ask-elsewhere.ts';

/** How long after a halt that was not confirmed the next is sent. */
const RETRY_MS = 1_000;

/**
 * Halts a desk elsewhere, again and again until it says that it is HALTED. `failed` is told why one was not confirmed, and
 * answers whether to send another. Resolves to null where it says no, or `signal` has ended it. `place`: where it is asked this
 * time. Never throws.
 */
export async function haltUntilConfirmed(options: {
  place: () => AskedPlace;
  reason: string | undefined;
  failed: (why: unknown) => boolean;
  signal?: AbortSignal;
}): Promise<HeardHalt | null> {
  const { place, reason, failed, signal } = options;
  while (!signal?.aborted) {
    try {
      const heard = await askElsewhere(place(), heardHaltSchema, (desk) => desk.trading.halt({ scope: {}, reason }));
      if (heard.status.state === 'HALTED') return heard;
      throw new DeskError('no_answer', `It says that it is ${heard.status.state} after the halt.`);
    } catch (why) {
      if (signal?.aborted || !failed(why)) return null;
    }
    await sleep(RETRY_MS, null, { signal }).catch(() => {});
  }
  return null;
}
