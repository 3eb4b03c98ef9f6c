import type { Rooms } from '../rooms.ts';
import { os } from './base.ts';

/** Of the trips that were, the newest are told. */
const MOST_TRIPS = 200;

/** Rules, their use, and their trips. */
export function protectionHandlers({ guard, book, journal, log }: Pick<Rooms, 'guard' | 'book' | 'journal' | 'log'>) {
  return {
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
