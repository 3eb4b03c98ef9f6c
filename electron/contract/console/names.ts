import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { givenNameSchema, namedSchema } from '../given-names.ts';
import { nameSchema } from '../names.ts';
import { may } from './base.ts';

/** What people call users and counterparties. */
export const namesContract = {
  list: may('look').output(z.array(givenNameSchema)),
  /** All of them at once, and again whenever one changes. */
  watch: may('look').output(eventIterator(z.array(givenNameSchema))),
  /**
   * Null takes the name away. `seen`: the name that the person had in view, null where there was none; where it is another by now,
   * `changed_meanwhile`. `seq` is null where that is the name already.
   */
  set: may('trade')
    .input(
      z.intersection(
        namedSchema,
        z.object({ name: nameSchema.nullable(), seen: z.string().max(200).nullable().optional() }),
      ),
    )
    .output(z.object({ seq: z.int().nullable() })),
};
