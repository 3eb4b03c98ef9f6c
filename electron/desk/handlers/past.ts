import { DeskError } from '../../protocol/desk-error.ts';
import type { PastAnswers, PastQuestion } from '../past-messages.ts';
import { refusedError } from '../refused.ts';
import type { Rooms } from '../rooms.ts';
import { os } from './base.ts';

/** Asks one of the threads that read the past. */
export function pastParts(reader: Rooms['past'], log: Rooms['log']) {
  /** What a stream throws passes nobody who makes a refusal of it. */
  return async function* parts<Ask extends PastQuestion['ask']>(
    question: Extract<PastQuestion, { ask: Ask }>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<PastAnswers[Ask], void> {
    try {
      yield* reader.ask<Ask>(question, signal);
    } catch (error) {
      throw refusedError(error, log);
    }
  };
}

/** The desk as it was. */
export function pastHandlers({ past, log }: Pick<Rooms, 'past' | 'log'>) {
  const parts = pastParts(past, log);
  return {
    at: os.past.at.handler(({ input, signal }) => parts<'at'>({ ask: 'at', ...input }, signal)),
    diff: os.past.diff.handler(({ input, signal }) => parts<'diff'>({ ask: 'diff', ...input }, signal)),
    lane: os.past.lane.handler(async ({ input, signal }) => {
      for await (const lane of past.ask({ ask: 'lane', ...input }, signal)) return lane;
      throw new DeskError('reader_ended', 'Nobody waits for this stretch of the past any more.');
    }),
  };
}
