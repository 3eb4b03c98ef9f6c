import { z } from 'zod';
import { approvalSchema, approvalsViewSchema, fourEyesSchema } from '../approvals.ts';
import { reasonSchema } from '../names.ts';
import { may } from './base.ts';

const one = z.object({ request: z.int().positive() });

/**
 * Four eyes. What is set to take a second person is refused with `second_person_asked` to whoever asks for it, and waits for an hour. Saying
 * yes or no takes the right of what was asked for, and another person: all consoles and commands of the user who runs the desk are one,
 * those of a token are one. `unknown_approval`, `approval_over`, `own_approval`, `not_allowed`.
 */
export const approvalsContract = {
  /** What takes a second person, what waits with all that it would change, and what waited before, newest first. */
  list: may('look')
    .input(z.object({ limit: z.int().min(0).max(200).default(20) }).prefault({}))
    .output(approvalsViewSchema.extend({ past: z.array(approvalSchema) })),
  /**
   * What takes a second person from now on, where `seen` is still what does; else `changed_meanwhile`. Less than before waits for a second
   * person itself. `no_second_person` where there are not two people with the right “admin”.
   */
  set: may('admin').input(z.object({ kinds: fourEyesSchema, seen: fourEyesSchema })),
  /**
   * Carries it out under the name of whoever asked for it; `answer` is what they would have been told. Throws what they would have been
   * refused with; `changed_meanwhile` where it is about something that is not as it was shown any more. Only of a desk that runs.
   */
  approve: may('look')
    .input(one)
    .output(z.object({ answer: z.unknown() })),
  /** It is not done. */
  refuse: may('look').input(one.extend({ reason: reasonSchema })),
  /** Whoever asked for it takes it back. */
  withdraw: may('look').input(one),
};
