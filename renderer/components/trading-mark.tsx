import type { ShownState } from '../../electron/contract/trading.ts';
import { Mark } from './mark.tsx';

const LOOKS = {
  LIVE: { shape: 'live', tone: 'ok' },
  DRAIN: { shape: 'drain', tone: 'attn' },
  CLOSED: { shape: 'halted', tone: 'stop' },
  HALTED: { shape: 'halted', tone: 'stop' },
} as const;

/** LIVE, DRAIN, HALTED, or CLOSED by a check: capitals are for trading state only. */
export function TradingMark({ state }: { state: ShownState }) {
  const { shape, tone } = LOOKS[state];
  return (
    <span className={`with-mark strong ${tone}`}>
      <Mark shape={shape} />
      {state}
    </span>
  );
}
