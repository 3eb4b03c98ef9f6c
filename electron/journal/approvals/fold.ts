import type { z } from 'zod';
import type { Approval } from '../../contract/approvals.ts';
import type { DESK_EVENTS } from '../desk/events.ts';
import type { Recorded } from '../slice.ts';
import type { APPROVAL_EVENTS } from './events.ts';

/** As it is kept: with the place of what was given, and the mark of what it would change by a version of the program. */
export type StoredApproval = Approval & { input: string; mark: string; version?: string | undefined };

type Events = Pick<
  typeof APPROVAL_EVENTS & typeof DESK_EVENTS,
  'approval_asked' | 'approval_given' | 'approval_ended' | 'token_revoked'
>;
/** What begins, moves and ends something that waits for a second person. */
export type ApprovalEvent = { [Kind in keyof Events]: Recorded<Kind, z.infer<Events[Kind]>> }[keyof Events];

/** How something that was approved can end; everything else ends what waits. */
const AFTER_YES = new Set(['done', 'failed', 'interrupted']);

/** Whether a second person can say yes or no to it. Its time is another matter. */
export function isWaiting({ approved, ended }: Pick<Approval, 'approved' | 'ended'>): boolean {
  return approved === null && ended === null;
}

/**
 * What an event makes of something that waits; `before` is undefined where it begins it. Nobody approves their own, unless
 * nobody else was there when they asked and the time for that has come; nothing is approved twice or after its time, and what has
 * ended stays so.
 */
export function foldApproval(before: StoredApproval | undefined, event: ApprovalEvent): StoredApproval | undefined {
  const { time: at, actor } = event;
  if (event.kind === 'approval_asked') {
    return before ?? { ...event.body, seq: event.seq, at, actor, approved: null, ended: null };
  }
  if (before === undefined || before.ended !== null) return before;
  if (event.kind === 'approval_given') {
    const { token } = event.body;
    const { aloneFrom = Number.POSITIVE_INFINITY } = before;
    const isTheirOwn = token === before.token && at < aloneFrom;
    const isRefused = before.approved !== null || isTheirOwn || at >= before.until;
    return isRefused ? before : { ...before, approved: { at, actor, token } };
  }
  if (event.kind === 'token_revoked') {
    const isTheirs = before.approved === null && before.token === event.body.name;
    return isTheirs ? { ...before, ended: { at, actor, how: 'revoked', why: null } } : before;
  }
  const { how, why } = event.body;
  if (AFTER_YES.has(how) !== (before.approved !== null)) return before;
  return { ...before, ended: { at, actor, how, why } };
}
