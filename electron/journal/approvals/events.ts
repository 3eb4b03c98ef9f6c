import { z } from 'zod';
import { approvalEndSchema, approvalSchema, fourEyesSchema } from '../../contract/approvals.ts';
import { tokenNameSchema } from '../../contract/names.ts';

const { token, operation, kinds, right, says, reason, changes, more, until, aloneFrom } = approvalSchema.shape;

export const APPROVAL_EVENTS = {
  /** What takes a second person from now on. */
  four_eyes_set: z.object({ kinds: fourEyesSchema }),
  /**
   * Somebody asked for what takes a second person. What they gave lies sealed under `input`, for it may hold secrets; `mark`: of all that
   * it would change, as it was when they asked and in the words of that `version` of the program; rows of before do not have that.
   */
  approval_asked: z.object({
    token,
    operation,
    kinds,
    right,
    says,
    reason,
    changes,
    more,
    until,
    aloneFrom,
    input: z.hex().length(64),
    mark: z.hex().length(64),
    version: z.string().optional(),
  }),
  /** A second person said yes: it is being carried out. `request`: the row that it was asked with. */
  approval_given: z.object({ request: z.int(), token: tokenNameSchema.nullable() }),
  approval_ended: z.object({ request: z.int(), how: approvalEndSchema, why: z.string().nullable() }),
};
