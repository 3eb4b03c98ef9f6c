import type { SelfCheck } from '../../electron/contract/service-view.ts';
import { Mark } from './mark.tsx';

const LOOKS = {
  passed: { shape: 'done', tone: 'ok' },
  warning: { shape: 'look', tone: 'attn' },
  waiting: { shape: 'expired', tone: 'quiet' },
  failed: { shape: 'refused', tone: 'stop' },
} as const;

/** The outcome of a check by shape and tone. */
export function CheckMark({ outcome }: { outcome: SelfCheck['outcome'] }) {
  return <Mark {...LOOKS[outcome]} />;
}

/** `7 passed · 1 warning · 1 failed`; what there is none of is left out. */
export function outcomesText(checks: readonly SelfCheck[]): string {
  const words = { passed: 'passed', warning: 'to look at', waiting: 'waiting', failed: 'failed' } as const;
  return (['passed', 'warning', 'waiting', 'failed'] as const)
    .map((outcome) => ({ outcome, count: checks.filter((check) => check.outcome === outcome).length }))
    .filter(({ count }) => count > 0)
    .map(({ outcome, count }) => `${count} ${words[outcome]}`)
    .join(' · ');
}
