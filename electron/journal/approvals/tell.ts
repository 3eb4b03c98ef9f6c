import type { z } from 'zod';
import { FOUR_EYES, type FourEyesKind, wholeSays } from '../../contract/approvals.ts';
import { change, listed, named, type PastRows, quoted, type TellingsOf, type ToldRow, words } from '../telling.ts';
import type { APPROVAL_EVENTS } from './events.ts';

type Body<Kind extends keyof typeof APPROVAL_EVENTS> = z.infer<(typeof APPROVAL_EVENTS)[Kind]>;

const MOST_SAID = 200;
/** A sentence names no more changes than these. */
const MOST_TOLD = 3;

/** Who asked for a second person, who was it, and what became of it. */
export function tellApprovals(past: PastRows): TellingsOf<typeof APPROVAL_EVENTS> {
  const whose = (request: number) => {
    const asked = past.at(request);
    if (asked?.kind !== 'approval_asked') return { actor: 'somebody', says: `what row ${request} asked for` };
    const body = asked.body as Body<'approval_asked'>;
    return { actor: named(asked.actor), says: named(wholeSays(body), MOST_SAID) };
  };
  const approver = (before: number, request: number) =>
    past.latest(before, ['approval_given'], ({ actor, body }: ToldRow<Body<'approval_given'>>) =>
      body.request === request ? named(actor) : undefined,
    ) ?? 'somebody';
  const about = { group: 'settings', concerns: () => ({}) } as const;
  return {
    four_eyes_set: {
      name: 'Second person set',
      ...about,
      say: ({ seq, body: { kinds } }) => {
        const old = past.latest(seq, ['four_eyes_set'], ({ body }: ToldRow<Body<'four_eyes_set'>>) =>
          kindsText(body.kinds),
        );
        return [words('set what takes a second person: '), ...change(old ?? 'nothing', kindsText(kinds))];
      },
    },
    approval_asked: {
      name: 'Second person asked',
      ...about,
      say: ({ body }) => {
        const { changes, more } = body;
        const told = changes
          .slice(0, MOST_TOLD)
          .map(({ about: of, what, before, after }) => [
            words(`${named(of)}: ${named(what)} `),
            ...change(named(before ?? 'none', 120), named(after ?? 'none', 120)),
          ]);
        const rest = Math.max(0, changes.length - MOST_TOLD) + more;
        return [
          words(`asked for a second person: ${named(wholeSays(body), MOST_SAID)}; `),
          ...listed(told),
          ...(rest === 0 ? [] : [words(` and ${rest} more`)]),
        ];
      },
    },
    approval_given: {
      name: 'Approved',
      ...about,
      say: ({ body: { request } }) => {
        const { actor, says } = whose(request);
        return [words(`approved what ${actor} asked for: ${says}`)];
      },
    },
    approval_ended: {
      name: 'Second person',
      ...about,
      say: ({ seq, body: { request, how, why } }) => {
        const { actor, says } = whose(request);
        const what = `${says}, which ${actor} asked for`;
        const text = {
          done: () => `carried out, asked for by ${actor} and approved by ${approver(seq, request)}: ${says}`,
          failed: () => `could not carry out ${what} and ${approver(seq, request)} approved:`,
          refused: () => `refused ${what}:`,
          withdrawn: () => `took back ${says}`,
          expired: () => `dropped ${what}: no second person answered in time`,
          changed: () => `dropped ${what}:${why === null ? ' what it would change was changed first' : ''}`,
          revoked: () => `dropped ${what}: whoever asked may not do it any more`,
          interrupted: () => `ended while it carried out ${what}: see whether it is done`,
          lost: () => `dropped ${what}: what was given with it is gone`,
        }[how]();
        return [words(text), ...quoted(why)];
      },
    },
  };
}

function kindsText(kinds: readonly FourEyesKind[]): string {
  return kinds.length === 0 ? 'nothing' : kinds.map((kind) => FOUR_EYES[kind].name).join(', ');
}
