import { memo, type ReactNode } from 'react';
import type { QuoteRow } from '../../../electron/contract/quote-log.ts';
import { REFUSALS } from '../../../electron/contract/refusal.ts';
import { Amount } from '../../components/figures/amount.tsx';
import { countText, shortHex } from '../../components/figures/counts.ts';
import { NftFigure } from '../../components/figures/nft-figure.tsx';
import { PairName } from '../../components/figures/pair-name.tsx';
import { dayText, preciseClockText, stampText } from '../../components/figures/times.ts';
import { SideMark } from '../../components/mark.tsx';
import { MarkFigure } from '../../components/mark-figure.tsx';
import { QuoteState } from '../../components/quote-state.tsx';
import { Unreadable } from '../../components/unreadable.tsx';
import styles from '../../components/virtual-rows.module.css';
import { useDesk } from '../../state/console.tsx';
import { type AmountOf, useQuoteFigures } from '../../state/quote-figures.ts';
import { columnsTemplate, type LogColumn, type LogColumnId } from './log-columns.ts';

/** What a row needs to know beside itself. `today` is the day of the desk's clock as `dayText` writes it. */
export interface CellFacts {
  row: QuoteRow;
  base: AmountOf;
  quote: AmountOf;
  price: string | null;
  chain: string;
  today: string;
}

/** How each column shows a quote. */
export const LOG_CELLS: Record<LogColumnId, (facts: CellFacts) => ReactNode> = {
  time: ({ row, today }) => <TimeCell row={row} today={today} />,
  state: ({ row }) => <QuoteState row={row} />,
  chain: ({ chain }) => chain,
  pair: ({ row }) => (isByHand(row) ? <span className="quiet">NFT order</span> : <PairName pair={row.pair} />),
  we: ({ row }) =>
    isByHand(row) ? (
      <span className="quiet" title="Signed by hand for one taker: we give the amount and get what stands against it.">
        give
      </span>
    ) : (
      <SideMark side={row.side} />
    ),
  amount: ({ row, base }) =>
    row.makerNft === undefined ? (
      <Amount raw={base.raw} token={base.token} />
    ) : (
      <NftFigure nft={row.makerNft} pieces={row.makerAmount ?? '0'} contract={row.makerAsset} />
    ),
  against: ({ row, quote }) =>
    row.takerNft === undefined ? (
      <Amount raw={quote.raw} token={quote.token} cut={row.side === 'bids' ? 'up' : 'down'} />
    ) : (
      <NftFigure nft={row.takerNft} pieces={row.takerAmount ?? '0'} contract={row.takerAsset} />
    ),
  price: ({ row, price }) =>
    row.code === null ? (
      (price ?? '—')
    ) : (
      <span className="stop mono" title={REFUSALS[row.code].sentence}>
        {row.code}
      </span>
    ),
  edge: ({ row }) => <MarkFigure mark={row.edgeTenthBps} />,
  user: ({ row }) => (
    <span className="mono muted" title={row.userAddress}>
      {shortHex(row.userAddress)}
    </span>
  ),
  taker: ({ row }) => (
    <span className="mono muted" title={row.takerAddress}>
      {shortHex(row.takerAddress)}
    </span>
  ),
  revision: ({ row }) => (row.ladderRevision === null ? '—' : countText(row.ladderRevision)),
  took: ({ row }) => (isByHand(row) ? '—' : row.latencyMs.toFixed(2)),
  hash: ({ row }) => (
    <span className="mono quiet" title={row.orderHash ?? undefined}>
      {row.orderHash === null ? 'not signed' : shortHex(row.orderHash)}
    </span>
  ),
  row: ({ row }) => <span className="muted">{countText(row.seq)}</span>,
};

/** Whether a person had it signed, as an order with an NFT for one taker. */
export function isByHand({ makerNft, takerNft }: Pick<QuoteRow, 'makerNft' | 'takerNft'>): boolean {
  return makerNft !== undefined || takerNft !== undefined;
}

/** Today with its milliseconds; any other day with its date, the rest on hover. */
function TimeCell({ row, today }: { row: QuoteRow; today: string }) {
  const time = Date.parse(row.time);
  const title = `${dayText(time)} ${preciseClockText(time)} UTC · row ${countText(row.seq)}`;
  return (
    <span className="muted" title={title}>
      {dayText(time) === today ? preciseClockText(time) : stampText(time)}
    </span>
  );
}

export function LogHead({ columns }: { columns: readonly LogColumn[] }) {
  return (
    <div className={styles.head} style={{ gridTemplateColumns: columnsTemplate(columns) }}>
      {columns.map(({ id, head: [first, second], right }) => (
        <span key={id} className={right ? 'right' : undefined}>
          {first}
          {second !== undefined && (
            <>
              <br />
              {second}
            </>
          )}
        </span>
      ))}
    </div>
  );
}

interface LogRowProps {
  row: QuoteRow;
  style: { transform: string };
  columns: readonly LogColumn[];
  today: string;
  selected: boolean;
  onOpen: (seq: number) => void;
}

/** One quote; drawn anew only when it changed or was chosen. */
export const LogRow = memo(
  function LogRow({ row, style, columns, today, selected, onOpen }: LogRowProps) {
    const figures = useQuoteFigures(row);
    const chain = useDesk(
      (view) => view.chains.find(({ chainId }) => chainId === row.chainId)?.name ?? String(row.chainId),
    );
    if (row.unreadable !== undefined) {
      return (
        <div className={`${styles.row} ${styles.unreadable}`} style={style} data-seq={row.seq}>
          <span>{preciseClockText(Date.parse(row.time))}</span>
          <Unreadable seq={row.seq} why={row.unreadable} />
        </div>
      );
    }
    return (
      <button
        type="button"
        className={styles.row}
        style={{ ...style, gridTemplateColumns: columnsTemplate(columns) }}
        data-seq={row.seq}
        aria-pressed={selected}
        onClick={() => onOpen(row.seq)}
      >
        {columns.map(({ id, right }) => (
          <span key={id} className={right ? 'right' : undefined}>
            {LOG_CELLS[id as LogColumnId]({ row, chain, today, ...figures })}
          </span>
        ))}
      </button>
    );
  },
  (old, next) =>
    old.row === next.row &&
    old.selected === next.selected &&
    old.columns === next.columns &&
    old.today === next.today &&
    old.style.transform === next.style.transform,
);
