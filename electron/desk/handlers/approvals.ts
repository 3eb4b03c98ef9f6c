import { isDeepStrictEqual } from 'node:util';
import type { PersonRow } from '../../contract/rights.ts';
import { DeskError } from '../../protocol/desk-error.ts';
import type { Rooms } from '../rooms.ts';
import type { SecondPerson } from '../second-person.ts';
import { os } from './base.ts';

/** Four eyes: what takes a second person, what waits for one, and their answers. */
export function approvalHandlers(
  { approvals, credentials, journal }: Pick<Rooms, 'approvals' | 'credentials' | 'journal'>,
  secondPerson: () => Pick<SecondPerson, 'approve' | 'refuse' | 'withdraw'>,
  people: () => readonly PersonRow[],
) {
  return {
    list: os.approvals.list.handler(async ({ input: { limit } }) => ({
      ...approvals.whole(),
      past: await approvals.past(limit),
    })),
    set: os.approvals.set.handler(async ({ input: { kinds, seen }, context: { actor } }) => {
      const now = approvals.kinds();
      if (!isDeepStrictEqual(now.toSorted(), seen.toSorted())) {
        throw new DeskError(
          'changed_meanwhile',
          'Somebody else has just set what takes a second person, so yours was not set.',
          {
            remedy: 'Look at what it is now, and change that.',
          },
        );
      }
      // On a folder nobody has opened what is sealed yet.
      await credentials.forgetTokens(await journal.read.revokedTokens());
      const admins = people().filter(({ may }) => may.includes('admin'));
      if (kinds.some((kind) => !now.includes(kind)) && admins.length < 2) {
        throw new DeskError('no_second_person', 'There is no second person yet: nobody else has the right “admin”.', {
          remedy: 'Give somebody a token with the right “admin” first: without them nothing could be approved.',
        });
      }
      await approvals.set(kinds, actor);
    }),
    approve: os.approvals.approve.handler(async ({ input: { request }, context }) => ({
      answer: await secondPerson().approve(request, context),
    })),
    refuse: os.approvals.refuse.handler(({ input: { request, reason }, context }) =>
      secondPerson().refuse(request, reason, context),
    ),
    withdraw: os.approvals.withdraw.handler(({ input: { request }, context }) =>
      secondPerson().withdraw(request, context),
    ),
  };
}
