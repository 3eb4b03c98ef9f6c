import type { ReactNode } from 'react';
import type { QuoteRow } from '../../electron/contract/quote-log.ts';
import type { SelfCheck } from '../../electron/contract/service-view.ts';
import type { ShownState } from '../../electron/contract/trading.ts';

/** Every state has a shape of its own, so that it reads in grey as well. */
const SHAPES = {
  live: <circle cx="8" cy="8" r="5.5" fill="currentColor" />,
  drain: (
    <>
      <circle cx="8" cy="8" r="5" fill="none" stroke="currentColor" strokeWidth="1.6" />
      <path d="M8 3a5 5 0 0 1 0 10z" fill="currentColor" />
    </>
  ),
  halted: <rect x="2.5" y="2.5" width="11" height="11" fill="currentColor" />,
  octagon: <path d="M5 .8h6L15.2 5v6L11 15.2H5L.8 11V5z" fill="currentColor" />,
  off: <circle cx="8" cy="8" r="4.8" fill="none" stroke="currentColor" strokeWidth="1.4" />,
  open: <circle cx="8" cy="8" r="4.8" fill="none" stroke="currentColor" strokeWidth="1.8" />,
  part: (
    <>
      <circle cx="8" cy="8" r="5" fill="none" stroke="currentColor" strokeWidth="1.6" />
      <path d="M8 3a5 5 0 0 0 0 10z" fill="currentColor" />
    </>
  ),
  filled: <circle cx="8" cy="8" r="5.5" fill="currentColor" />,
  expired: <circle cx="8" cy="8" r="5" fill="none" stroke="currentColor" strokeWidth="1.6" strokeDasharray="1.6 2.3" />,
  refused: <path d="M3.5 3.5l9 9m0-9l-9 9" stroke="currentColor" strokeWidth="2.4" fill="none" />,
  withheld: <path d="M5 3v10M11 3v10" stroke="currentColor" strokeWidth="2.6" fill="none" />,
  cancelled: (
    <>
      <circle cx="8" cy="8" r="5.2" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M4.4 11.6l7.2-7.2" stroke="currentColor" strokeWidth="1.5" />
    </>
  ),
  look: <path d="M8 1.6l7 12.6H1zM7.2 6v4.2h1.6V6zm0 5.3v1.6h1.6v-1.6z" fill="currentColor" fillRule="evenodd" />,
  note: (
    <>
      <circle cx="8" cy="8" r="6.2" fill="none" stroke="currentColor" strokeWidth="1.3" />
      <path d="M8 7v4.4M8 4.4v1.4" stroke="currentColor" strokeWidth="1.5" />
    </>
  ),
  done: <path d="M2.5 8.5l3.6 3.6 7.4-8" stroke="currentColor" strokeWidth="1.9" fill="none" />,
  buy: <path d="M8 3l6 10H2z" fill="currentColor" />,
  sell: <path d="M8 13L2 3h12z" fill="currentColor" />,
  notch: <path d="M2 2h12v12z" fill="currentColor" />,
} satisfies Record<string, ReactNode>;

export type MarkShape = keyof typeof SHAPES;

export function Mark({ shape, tone }: { shape: MarkShape; tone?: string }) {
  return (
    <svg className={`mark ${tone ?? ''}`} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      {SHAPES[shape]}
    </svg>
  );
}

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

export type Side = NonNullable<QuoteRow['side']>;

/** Always the desk's side: bids are where we buy. */
export function SideMark({ side }: { side: Side | null }) {
  if (side === null) return <span className="quiet">—</span>;
  const buy = side === 'bids';
  return (
    <span className={`with-mark ${buy ? 'bid' : 'ask'}`}>
      <Mark shape={buy ? 'buy' : 'sell'} />
      {buy ? 'buy' : 'sell'}
    </span>
  );
}

const STATES = {
  LIVE: { shape: 'live', tone: 'ok' },
  DRAIN: { shape: 'drain', tone: 'attn' },
  CLOSED: { shape: 'halted', tone: 'stop' },
  HALTED: { shape: 'halted', tone: 'stop' },
} as const;

/** LIVE, DRAIN, HALTED, or CLOSED by a check: capitals are for trading state only. */
export function TradingMark({ state }: { state: ShownState }) {
  const { shape, tone } = STATES[state];
  return (
    <span className={`with-mark strong ${tone}`}>
      <Mark shape={shape} />
      {state}
    </span>
  );
}
