import { memo } from 'react';
import type { QuoteRow } from '../../../electron/contract/quote-log.ts';
import { preciseClockText } from '../../components/figures/times.ts';
import { Unreadable } from '../../components/unreadable.tsx';
import { useDesk } from '../../state/console.tsx';
import { useQuoteFigures } from '../../state/quote-figures.ts';
import { LOG_CELLS } from './log-cells.tsx';
import { columnsTemplate, type LogColumn, type LogColumnId } from './log-columns.ts';

export function LogHead({ columns }: { columns: readonly LogColumn[] }) {
  return (
    <div className="rows-head" style={{ gridTemplateColumns: columnsTemplate(columns) }}>
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
        <div className="rows-row unreadable-row" style={style} data-seq={row.seq}>
          <span>{preciseClockText(Date.parse(row.time))}</span>
          <Unreadable seq={row.seq} why={row.unreadable} />
        </div>
      );
    }
    return (
      <button
        type="button"
        className="rows-row"
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
