import type { QuoteRow } from '../../electron/contract/quote-log.ts';
import { Mark } from './mark.tsx';

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
