import type { Approval } from '../../electron/contract/approvals.ts';

/** What became of what waited, in a person's words. */
const ENDS = {
  done: 'done',
  failed: 'approved, but could not be done',
  refused: 'refused',
  withdrawn: 'taken back',
  expired: 'nobody answered in time',
  changed: 'not as it was any more',
  revoked: 'whoever asked may not do it any more',
  interrupted: 'the desk ended meanwhile: see whether it is done',
  lost: 'what was given with it is gone',
} as const;

/** What became of something that waited for a second person, and by whom. */
export function becameText({ approved, ended }: Pick<Approval, 'approved' | 'ended'>): string {
  if (ended === null) return approved === null ? 'waits' : `being carried out, approved by ${approved.actor}`;
  const by =
    approved === null ? (ended.actor === 'desk' ? '' : ` by ${ended.actor}`) : `, approved by ${approved.actor}`;
  return `${ENDS[ended.how]}${by}${ended.why === null ? '' : `: ${ended.why}`}`;
}
