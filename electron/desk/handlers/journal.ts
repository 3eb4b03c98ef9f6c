import { DeskError } from '../../protocol/desk-error.ts';
import { monotonic } from '../../time/monotonic.ts';
import { findEvents } from '../find-events.ts';
import type { Rooms } from '../rooms.ts';
import { os } from './base.ts';

/** Every event of the journal, as sentences. */
export function journalHandlers({ journal: { read } }: Pick<Rooms, 'journal'>) {
  return {
    kinds: os.journal.kinds.handler(() => read.eventKinds()),
    find: os.journal.find.handler(({ input, signal }) => findEvents(read, input, monotonic, signal)),
    event: os.journal.event.handler(async ({ input: { seq } }) => {
      const event = await read.eventAt(seq);
      if (event !== undefined) return event;
      throw new DeskError('unknown_row', `The journal has no row ${seq}.`, {
        remedy: 'Look for it by its time or words.',
      });
    }),
  };
}
