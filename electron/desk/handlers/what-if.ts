import { DeskError } from '../../protocol/desk-error.ts';
import type { Rooms } from '../rooms.ts';
import { os } from './base.ts';
import { pastParts } from './past.ts';

/** What would have been by other settings. */
export function whatIfHandlers({ trials, log, now }: Pick<Rooms, 'trials' | 'log' | 'now'>) {
  const parts = pastParts(trials, log);
  /** What is to come nobody has asked for yet. */
  const untilNow = <Asked extends { since: number; until: number }>(asked: Asked): Asked => {
    if (asked.since <= asked.until) return { ...asked, until: Math.min(asked.until, Math.max(now(), asked.since)) };
    throw new DeskError('bad_time', 'The stretch ends before it begins.', { remedy: 'Give the earlier time first.' });
  };
  return {
    run: os.whatIf.run.handler(({ input, signal }) => parts<'whatIf'>({ ask: 'whatIf', ...untilNow(input) }, signal)),
    quotes: os.whatIf.quotes.handler(({ input, signal }) =>
      parts<'whatIfQuotes'>({ ask: 'whatIfQuotes', ...untilNow(input) }, signal),
    ),
  };
}
