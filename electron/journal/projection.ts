import { DeskError } from '../protocol/desk-error.ts';
import type { EventBody, EventKind } from './events.ts';

/** An event on its way into the tables. */
export type ProjectedEvent<K extends EventKind> = {
  seq: number;
  time: number;
  actor: string;
  kind: K;
  body: EventBody<K>;
};

/** What each kind of event does to the tables; kinds that only stand in the journal do nothing. */
export type Projections = { [K in EventKind]: (event: ProjectedEvent<K>) => void };

/** The row contradicts what the journal already holds. It is refused alone; the rows beside it are written. */
export function refuseRow(sentence: string): never {
  throw new DeskError('journal_row_refused', sentence, {
    remedy: 'Nothing was written. This is a fault of the program: keep the log and report it.',
  });
}
