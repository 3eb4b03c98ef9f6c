import { randomUUID } from 'node:crypto';
import { type HeardHalt, heardHaltSchema } from '../contract/desk-list.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { pause } from '../time/pause.ts';
import { type AskedPlace, askElsewhere } from './ask-elsewhere.ts';
import type { DeskClient } from './desk-line.ts';

/** How long after a halt that was not confirmed the next is sent. */
const RETRY_MS = 1_000;

/**
 * Halts a desk elsewhere, again and again until it says that it is HALTED, or that it was and was started since. All of these are one
 * press, of a console where there is a `press`. `failed` is told why one was not confirmed, and
 * answers whether to send another. Resolves to null where it says no, or `signal` has ended it. `place`: where it is asked this
 * time. Never throws.
 */
export async function haltUntilConfirmed(options: {
  place: () => AskedPlace;
  reason: string | undefined;
  press?: string;
  failed: (why: unknown) => boolean;
  signal?: AbortSignal;
}): Promise<HeardHalt | null> {
  const { place, reason, press = randomUUID(), failed, signal } = options;
  const halt = (desk: DeskClient) => desk.trading.halt({ scope: {}, reason, press });
  while (!signal?.aborted) {
    try {
      const heard = await askElsewhere(place(), heardHaltSchema, halt);
      const { state } = heard.status;
      if (state === 'HALTED' || heard.again) return heard;
      throw new DeskError('no_answer', `It says that it is ${state} after the halt.`);
    } catch (why) {
      if (signal?.aborted || !failed(why)) return null;
    }
    await pause(RETRY_MS, signal);
  }
  return null;
}
