import { z } from 'zod';

export const PEOPLE_EVENTS = {
  /** A person has looked at these rows: fills of orders the desk never signed, drifts of a balance. */
  alarms_acknowledged: z.object({ seqs: z.array(z.int()).max(1_000), reason: z.string() }),
};
