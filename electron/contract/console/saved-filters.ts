import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { filteredPageSchema, filterNameSchema, savedFilterSchema } from '../saved-filters.ts';
import { may } from './base.ts';

const page = filteredPageSchema;

/** The filters that whoever asks saved on this desk, page by page. */
export const savedFiltersContract = {
  /** All of a page at once, and again whenever this person changes them, in whichever window. */
  watch: may('look')
    .input(z.object({ page }))
    .output(eventIterator(z.array(savedFilterSchema))),
  /** In the place of the one of that name, else behind the others. */
  save: may('look')
    .input(z.object({ page, filter: savedFilterSchema }))
    .output(z.object({})),
  rename: may('look')
    .input(z.object({ page, from: filterNameSchema, to: filterNameSchema }))
    .output(z.object({})),
  remove: may('look')
    .input(z.object({ page, name: filterNameSchema }))
    .output(z.object({})),
};
