import type { TradingState } from '../../electron/contract/trading.ts';
import { Mark } from './mark.tsx';

const LOOKS = {
  LIVE: { shape: 'live', tone: 'ok' },
  DRAIN: { shape: 'drain', tone: 'attn' },
  HALTED: { shape: 'halted', tone: 'stop' },
} as const;

/** LIVE, DRAIN or HALTED: capitals are for trading state only. */
export function TradingMark({ state }: { state: TradingState }) {
  const { shape, tone } = LOOKS[state];
  return (
    <span className={`with-mark strong ${tone}`}>
      <Mark shape={shape} />
      {state}
    </span>
  );
}
