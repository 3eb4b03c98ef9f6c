import { z } from 'zod';
import { namedSchema } from '../../contract/given-names.ts';
import { chainIdSchema, nameSchema } from '../../contract/names.ts';

const names = { before: nameSchema.nullable(), name: nameSchema.nullable() };
const [userSchema, counterpartySchema] = namedSchema.options;

export const PEOPLE_EVENTS = {
  /** A person has looked at these rows: fills of orders the desk never signed, drifts of a balance. */
  alarms_acknowledged: z.object({ seqs: z.array(z.int()).max(1_000), reason: z.string() }),
  /** A person said that they mind the desk. */
  person_here: z.object({}),
  /** What a user or a counterparty is called from now on, and was before; null is no name. */
  name_given: z.discriminatedUnion('of', [userSchema.extend(names), counterpartySchema.extend(names)]),
  /** A line for the service's log, on its way to whoever was on the WebSocket of this chain; null: of every chain. */
  line_told: z.object({ chainId: chainIdSchema.nullable(), line: z.string().max(1_000) }),
  /** Where alerts are told from now on, in words without a secret; null: no more on that way. */
  alert_way_set: z.object({ name: z.string().max(100), says: z.string().max(8_000).nullable() }),
  /** Somebody looks after an alert: it goes to no further way by itself. */
  alert_taken: z.object({ code: z.string().max(1_000), title: z.string().max(1_000) }),
  /** When what is not urgent waits from now on, in words; null: never. */
  quiet_hours_set: z.object({ says: z.string().max(200).nullable() }),
};
