import { oc } from '@orpc/contract';
import { z } from 'zod';
import type { ErrorCode } from '../protocol/desk-error.ts';
import '../protocol/plain-issues.ts';

/** A procedure that may refuse: its error is a desk error's code, its sentence as message, its remedy, and the path of each fault. */
export const refusing = oc.errors({
  REFUSED: {
    data: z.object({
      /** Any text on the line: a desk of another version may have codes that this one does not know. */
      code: z.custom<ErrorCode>((code) => typeof code === 'string'),
      remedy: z.string(),
      faults: z.array(z.object({ path: z.string(), message: z.string() })),
      /** Of `second_person_asked`: the number under which it waits. */
      request: z.int().optional(),
      /** Of `covered_unconfirmed`: the hedges that close it already, by their rows of the journal. */
      covering: z.array(z.int()).readonly().optional(),
    }),
  },
});
