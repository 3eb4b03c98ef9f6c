import { archiveSchema } from '../archives.ts';

export const ARCHIVE_EVENTS = {
  /** From now on the bodies of some rows are in a file beside the journal; their hashes, and the chain of them, stay in it. */
  journal_archived: archiveSchema,
};
