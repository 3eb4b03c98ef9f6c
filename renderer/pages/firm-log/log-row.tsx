import { memo } from 'react';
import type { QuoteRow } from '../../../electron/contract/quote-log.ts';
import { Cells } from '../../components/data-table.tsx';
import { preciseClockText } from '../../components/figures/times.ts';
import { Unreadable } from '../../components/unreadable.tsx';
import { useDesk } from '../../state/console.tsx';
import { useQuoteFigures } from '../../state/quote-figures.ts';
import { tradeStories } from '../../state/story.ts';
import type { LogColumn } from './log-columns.tsx';

interface LogRowProps {
  row: QuoteRow;
  columns: readonly LogColumn[];
  today: string;
  selected: boolean;
  onOpen: (seq: number) => void;
  onCancel: (row: QuoteRow) => void;
}

/** One quote; drawn anew only when it changed or was chosen. */
export const LogRow = memo(function LogRow({ row, columns, today, selected, onOpen, onCancel }: LogRowProps) {
  const figures = useQuoteFigures(row);
  const chain = useDesk(
    (view) => view.chains.find(({ chainId }) => chainId === row.chainId)?.name ?? String(row.chainId),
  );
  if (row.unreadable !== undefined) {
    return (
      <tr data-seq={row.seq}>
        <td colSpan={columns.length}>
          {preciseClockText(Date.parse(row.time))} <Unreadable seq={row.seq} why={row.unreadable} />
        </td>
      </tr>
    );
  }
  return (
    <tr
      data-seq={row.seq}
      aria-selected={selected}
      onClick={() => onOpen(row.seq)}
      {...tradeStories({ ...row, since: Date.parse(row.time) })}
    >
      <Cells columns={columns} facts={{ row, chain, today, onCancel, ...figures }} />
    </tr>
  );
});
