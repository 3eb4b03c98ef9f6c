import type { Approval, ApprovalEnd } from '../../electron/contract/approvals.ts';
import type { MarkShape } from '../components/mark.tsx';

/** What became of what waited, in a person's words. */
const ENDS = {
  done: 'done',
  failed: 'approved, but could not be done',
  refused: 'refused',
  withdrawn: 'taken back',
  expired: 'nobody answered in time',
  changed: 'what it would change was changed first',
  revoked: 'whoever asked may not do it any more',
  interrupted: 'the desk ended meanwhile: see whether it is done',
  lost: 'what was given with it is gone',
} as const;

/** What became of something that waited for a second person, and by whom. */
export function becameText({ approved, ended }: Pick<Approval, 'approved' | 'ended'>): string {
  if (ended === null) return approved === null ? 'waits' : `being carried out, approved by ${approved.actor}`;
  const by =
    approved === null ? (ended.actor === 'desk' ? '' : ` by ${ended.actor}`) : `, approved by ${approved.actor}`;
  // Only a refusal has a person's own words.
  const why = ended.how === 'refused' ? `“${ended.why}”` : ended.why;
  return `${ENDS[ended.how]}${by}${ended.why === null ? '' : `: ${why}`}`;
}

const LOOKS: Partial<Record<ApprovalEnd, { shape: MarkShape; tone: string }>> = {
  done: { shape: 'done', tone: 'ok' },
  failed: { shape: 'refused', tone: 'stop' },
  refused: { shape: 'refused', tone: 'stop' },
  withdrawn: { shape: 'cancelled', tone: 'quiet' },
  interrupted: { shape: 'look', tone: 'attn' },
};

/** The same by shape and tone; what nobody carried out, took back or refused was let go. */
export function becameLook({ ended }: Pick<Approval, 'ended'>): { shape: MarkShape; tone: string } {
  if (ended === null) return { shape: 'open', tone: 'quiet' };
  return LOOKS[ended.how] ?? { shape: 'expired', tone: 'quiet' };
}
