import type { z } from 'zod';
import { DeskError } from '../protocol/desk-error.ts';
import { inTime } from '../time/in-time.ts';
import type { Attached } from './attached.ts';
import type { DeskClient } from './desk-line.ts';

/** How long a desk may take to take up the line, and again to answer on it. */
const PATIENCE_MS = 3_000;

/** Where a desk elsewhere is asked; as a text it is its address. */
export type AskedPlace = Pick<Attached, 'run' | 'toString'>;

/**
 * Asks a desk elsewhere, and ends the line when it does not answer in time: one that is slow, gone, or says something else costs
 * whoever asks no more than that. Throws DeskError `no_answer`, and as `Attached.run`.
 */
export async function askElsewhere<T>(
  place: AskedPlace,
  schema: z.ZodType<T>,
  act: (desk: DeskClient, signal: AbortSignal) => Promise<unknown>,
): Promise<T> {
  return place.run((desk) => answerInTime(place, schema, (signal) => act(desk, signal)), PATIENCE_MS);
}

/** What a desk answers on a line that is open. Throws DeskError `no_answer`, and what `act` throws. */
export async function answerInTime<T>(
  place: { toString(): string },
  schema: z.ZodType<T>,
  act: (signal: AbortSignal) => Promise<unknown>,
): Promise<T> {
  const stop = new AbortController();
  try {
    const answer = await inTime(act(stop.signal), PATIENCE_MS, () => {
      throw new DeskError('no_answer', `The desk at ${place} did not answer within ${PATIENCE_MS / 1000} s.`);
    });
    const parsed = schema.safeParse(answer);
    if (parsed.success) return parsed.data;
    throw new DeskError('no_answer', `The desk at ${place} answered something that is no answer to this.`);
  } finally {
    stop.abort();
  }
}
