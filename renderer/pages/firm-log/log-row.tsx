import { memo } from 'react';
import type { QuoteRow } from '../../../electron/contract/quote-log.ts';
import { REFUSALS } from '../../../electron/contract/refusal.ts';
import { Amount } from '../../components/figures/amount.tsx';
import { shortHex } from '../../components/figures/counts.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { preciseClockText, stampText } from '../../components/figures/times.ts';
import { QuoteState } from '../../components/quote-state.tsx';
import { SideMark } from '../../components/side-mark.tsx';
import { useDesk } from '../../state/console.tsx';
import { useQuoteFigures } from '../../state/quote-figures.ts';

export function LogHead() {
  return (
    <div className="rows-head log-columns">
      <span>
        Time
        <br />
        UTC
      </span>
      <span>
        State
        <br />
        time left
      </span>
      <span className="c-chain">Chain</span>
      <span>Pair</span>
      <span>We</span>
      <span className="right">
        Amount
        <br />
        base
      </span>
      <span className="right c-against">
        Against
        <br />
        quote
      </span>
      <span className="right">
        Price
        <br />
        or code
      </span>
      <span className="c-user">User</span>
      <span className="right c-took">
        Took
        <br />
        ms
      </span>
      <span className="c-hash">Order hash</span>
    </div>
  );
}

interface LogRowProps {
  row: QuoteRow;
  style: { transform: string };
  selected: boolean;
  onOpen: () => void;
}

/** One quote; drawn anew only when it changed or was chosen. */
export const LogRow = memo(
  function LogRow({ row, style, selected, onOpen }: LogRowProps) {
    const { base, quote, price } = useQuoteFigures(row);
    const chain = useDesk(
      (view) => view.chains.find(({ chainId }) => chainId === row.chainId)?.name ?? String(row.chainId),
    );
    const time = Date.parse(row.time);
    return (
      <button
        type="button"
        className="rows-row log-columns"
        style={style}
        data-seq={row.seq}
        aria-pressed={selected}
        onClick={onOpen}
      >
        <span className="muted" title={`${stampText(time)} UTC · row ${row.seq}`}>
          {preciseClockText(time)}
        </span>
        <QuoteState row={row} />
        <span className="c-chain">{chain}</span>
        <PairName pair={row.pair} />
        <SideMark side={row.side} />
        <span className="right">
          <Amount raw={base.raw} token={base.token} />
        </span>
        <span className="right c-against">
          <Amount raw={quote.raw} token={quote.token} cut={row.side === 'bids' ? 'up' : 'down'} />
        </span>
        <span className="right">
          {row.code === null ? (
            (price ?? '—')
          ) : (
            <span className="stop mono" title={REFUSALS[row.code].sentence}>
              {row.code}
            </span>
          )}
        </span>
        <span className="mono muted c-user" title={row.userAddress}>
          {shortHex(row.userAddress)}
        </span>
        <span className="right c-took">{row.latencyMs.toFixed(2)}</span>
        <span className="mono quiet c-hash" title={row.orderHash ?? undefined}>
          {row.orderHash === null ? 'not signed' : shortHex(row.orderHash)}
        </span>
      </button>
    );
  },
  (old, next) => old.row === next.row && old.selected === next.selected && old.style.transform === next.style.transform,
);
