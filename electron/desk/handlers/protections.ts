import { DeskError } from '../../protocol/desk-error.ts';
import type { Rooms } from '../rooms.ts';
import type { StandingProtections } from '../standing-protections.ts';
import { os } from './base.ts';

/** Of the trips that were, the newest are told. */
const MOST_TRIPS = 200;

/** Rules are tried over so much of the past. */
const TRIED_MS = 24 * 3_600_000;

/** Rules, their use, and their trips. */
export function protectionHandlers(
  { guard, book, journal, past, log, now }: Pick<Rooms, 'guard' | 'book' | 'journal' | 'past' | 'log' | 'now'>,
  standing: Pick<StandingProtections, 'rows'>,
) {
  return {
    standing: os.protections.standing.handler(() => standing.rows()),
    trial: os.protections.trial.handler(async ({ input: { protections }, signal }) => {
      book.checkProtections(protections);
      const until = now();
      const question = { ask: 'trial', rules: protections, since: until - TRIED_MS, until } as const;
      for await (const tried of past.ask<'trial'>(question, signal)) return tried;
      throw new DeskError('reader_ended', 'Nobody waits for this trial any more.');
    }),
    list: os.protections.list.handler(() => guard.protections.rows()),
    trips: os.protections.trips.handler(() => journal.read.trips(MOST_TRIPS)),
    set: os.protections.set.handler(({ input, context: { actor } }) => book.setProtections({ ...input, actor })),
    reset: os.protections.reset.handler(async ({ input: { reason, ...which }, context: { actor } }) => {
      const ended = await guard.protections.reset(which, { actor, reason });
      log.warn('a person reset a protection', { rule: which.rule, trips: ended.length, actor, reason });
      return ended;
    }),
  };
}
