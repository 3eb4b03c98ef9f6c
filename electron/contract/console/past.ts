import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { timeSchema } from '../names.ts';
import { momentSchema, pastDiffPartSchema, pastLaneSchema, pastPartSchema } from '../past.ts';
import { may } from './base.ts';

/** The desk as it was: everything from the journal alone, read in a thread of its own. */
export const pastContract = {
  /** The desk at a moment, in parts as they are read; what the journal does not tell is said as not known. */
  at: may('look')
    .input(z.object({ moment: momentSchema }))
    .output(eventIterator(pastPartSchema)),
  /** What differs between two moments, each with who changed it last. */
  diff: may('look')
    .input(z.object({ from: momentSchema, to: momentSchema }))
    .output(eventIterator(pastDiffPartSchema)),
  /** A stretch from `since` until before `until`, for a lane to choose a moment on. */
  lane: may('look')
    .input(z.object({ since: timeSchema, until: timeSchema, steps: z.int().min(1).max(400) }))
    .output(pastLaneSchema),
};
