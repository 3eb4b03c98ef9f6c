import { z } from 'zod';
import { namedSchema } from '../../contract/given-names.ts';
import { nameSchema } from '../../contract/names.ts';

const names = { before: nameSchema.nullable(), name: nameSchema.nullable() };
const [userSchema, counterpartySchema] = namedSchema.options;

export const PEOPLE_EVENTS = {
  /** A person has looked at these rows: fills of orders the desk never signed, drifts of a balance. */
  alarms_acknowledged: z.object({ seqs: z.array(z.int()).max(1_000), reason: z.string() }),
  /** A person said that they mind the desk. */
  person_here: z.object({}),
  /** What a user or a counterparty is called from now on, and was before; null is no name. */
  name_given: z.discriminatedUnion('of', [userSchema.extend(names), counterpartySchema.extend(names)]),
};
