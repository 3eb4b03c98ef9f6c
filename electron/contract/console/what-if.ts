import { eventIterator } from '@orpc/contract';
import { whatIfPartSchema, whatIfQuotesPartSchema, whatIfQuotesSchema, whatIfSchema } from '../what-if.ts';
import { may } from './base.ts';

/** What a stretch of the past would have been by other settings: from the journal alone, in a thread of its own. Changes nothing. */
export const whatIfContract = {
  /** In parts as they are known; it ends early with its caller. `bad_time`, `busy`, `journal_broken`. */
  run: may('look').input(whatIfSchema).output(eventIterator(whatIfPartSchema)),
  /** The requests behind a figure of it, a page of them. */
  quotes: may('look').input(whatIfQuotesSchema).output(eventIterator(whatIfQuotesPartSchema)),
};
