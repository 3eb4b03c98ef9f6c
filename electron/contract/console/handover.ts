import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { handoverSchema } from '../handover.ts';
import { may } from './base.ts';

/** A day handed over from one shift to the next. */
export const handoverContract = {
  /** Today where no date is given; progress in thousandths, the figures with the last message. `bad_time`. */
  day: may('look')
    .input(z.object({ date: z.string().max(20).optional(), zone: z.string().max(100).default('UTC') }).prefault({}))
    .output(eventIterator(z.object({ thousandths: z.int(), handover: handoverSchema.nullable() }))),
};
