import { useState } from 'react';
import type { HedgeRow } from '../../../electron/contract/hedge.ts';
import { PlainButton, TextButton } from '../../components/button.tsx';
import { ColumnsMenu } from '../../components/columns-menu.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Cells, DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { readDecimal } from '../../components/figures/decimal-text.ts';
import { decimalText } from '../../components/figures/prices.ts';
import { momentText } from '../../components/figures/times.ts';
import { Mark } from '../../components/mark.tsx';
import { Panel } from '../../components/panel.tsx';
import type { TableColumn } from '../../components/table-columns.ts';
import { Unreadable } from '../../components/unreadable.tsx';
import { useTableView } from '../../components/use-table-view.ts';
import { useConsole } from '../../state/console.tsx';
import { zoneName } from '../../state/time-zone.ts';
import { signedText } from './cover-mark.tsx';
import { cutAmount, rowWords, stateLook } from './hedge-words.ts';
import styles from './history-panel.module.css';
import { MOST_HEDGES, useHedges } from './use-hedges.ts';

/** Every hedge, newest first: what it gave and got, what its fills came to with it; an order that still runs can be cancelled. */
export function HistoryPanel(props: { chainId: number; chosen: number | null; onChoose: (seq: number) => void }) {
  const { chainId, chosen, onChoose } = props;
  const { connection } = useConsole();
  const list = useHedges(chainId);
  const [cancelling, setCancelling] = useState<HedgeRow | null>(null);
  const view = useTableView({ name: 'hedges', columns: COLUMNS, rows: list.data?.rows ?? NONE });
  return (
    <Panel
      name="Hedges"
      aside={list.data?.more ? `the newest ${MOST_HEDGES}` : 'newest first'}
      actions={<ColumnsMenu view={view} of="Hedges" />}
    >
      <DataTable
        name="Hedges"
        view={view}
        rows={view.rows}
        read={list}
        bars={5}
        unknown="What became of the hedges is not known: those that run go on"
        className={styles.history}
        row={(row, columns) => (
          <Row
            key={row.seq}
            row={row}
            columns={columns}
            isChosen={row.seq === chosen}
            onChoose={onChoose}
            onCancel={setCancelling}
          />
        )}
      >
        <Empty title="No hedge yet">
          Each hedge is listed here with what it gave and got, and the net of it and its fills.
        </Empty>
      </DataTable>
      {cancelling !== null && (
        <ConfirmDialog
          needs="trade"
          title={`Cancel hedge ${cancelling.seq}?`}
          keep="Keep it"
          act="Cancel the hedge"
          send={() => connection.client.hedge.cancel({ seq: cancelling.seq })}
          onClose={() => setCancelling(null)}
        >
          {rowWords(cancelling)}. What was filled of it stays. An order whose auction has begun may still be filled: the
          cancellation then waits until that is over.
        </ConfirmDialog>
      )}
    </Panel>
  );
}

const NONE: readonly HedgeRow[] = [];

interface HedgeFacts {
  row: HedgeRow;
  now: number;
  isChosen: boolean;
  onChoose: (seq: number) => void;
  onCancel: (row: HedgeRow) => void;
}

type HedgeColumn = TableColumn<HedgeRow, HedgeFacts>;

const gaveText = ({ spent, side, amount, src }: HedgeRow) =>
  spent === '0' && side === 'SELL' ? `0 of ${cutAmount(amount, src)}` : cutAmount(spent, src);

const gotText = ({ received, side, amount, dest }: HedgeRow) =>
  received === '0' && side === 'BUY' ? `0 of ${cutAmount(amount, dest)}` : cutAmount(received, dest);

const COLUMNS: readonly HedgeColumn[] = [
  {
    id: 'time',
    name: 'Time',
    get head() {
      return [`Time, ${zoneName()}`] as const;
    },
    width: 64,
    grows: 0.2,
    rank: 0,
    sortedBy: ({ time }) => time,
    cell: ({ row, now, isChosen, onChoose }) => (
      <PlainButton aria-pressed={isChosen} onClick={() => onChoose(row.seq)}>
        {momentText(row.time, now)}
        <span className="only-read">
          {' '}
          hedge {row.seq}: {rowWords(row)}
        </span>
      </PlainButton>
    ),
  },
  {
    id: 'gave',
    name: 'Gave',
    head: ['Gave'],
    width: 92,
    grows: 1,
    rank: 0,
    align: 'right',
    tip: ({ row }) => `${gaveText(row)}, ${row.spent} raw units`,
    cell: ({ row }) => (
      <span data-raw={row.spent}>
        {row.spent === '0' && row.side === 'BUY' ? (
          <span className="quiet">0&nbsp;{row.src.symbol}</span>
        ) : (
          gaveText(row)
        )}
      </span>
    ),
  },
  {
    id: 'got',
    name: 'Got',
    head: ['Got'],
    width: 92,
    grows: 1,
    rank: 1,
    align: 'right',
    tip: ({ row }) => {
      const { received, beneficiary } = row;
      return `${gotText(row)}, ${received} raw units${beneficiary === null ? '' : `: for ${beneficiary}, not for us`}`;
    },
    cell: ({ row }) => <Got row={row} />,
  },
  {
    id: 'way',
    name: 'Way',
    head: ['Way'],
    width: 84,
    grows: 0.2,
    rank: 5,
    className: 'muted',
    sortedBy: ({ way }) => way,
    cell: ({ row }) => (
      <>
        {row.way}
        {row.automatic && ' ·\u00a0auto'}
      </>
    ),
  },
  {
    id: 'state',
    name: 'State',
    head: ['State'],
    width: 86,
    grows: 0.2,
    rank: 0,
    className: 'with-mark',
    sortedBy: (row) => stateLook(row).word,
    tip: ({ row }) => row.note,
    cell: ({ row }) => {
      const { shape, tone, word } = stateLook(row);
      return (
        <>
          <Mark shape={shape} tone={tone} />
          {word}
        </>
      );
    },
  },
  {
    id: 'gas',
    name: 'Gas, $',
    head: ['Gas, $'],
    width: 40,
    grows: 0.2,
    rank: 6,
    align: 'right',
    sortedBy: ({ feeUsd }) => readDecimal(feeUsd ?? ''),
    cell: ({ row: { feeUsd } }) => (feeUsd === null ? '—' : decimalText(feeUsd, 2, 'up')),
  },
  {
    id: 'net',
    name: 'Net, $',
    head: ['Net, $'],
    title: 'Its fills with all their hedges, after gas',
    width: 50,
    grows: 0.2,
    rank: 4,
    align: 'right',
    sortedBy: ({ netUsd }) => readDecimal(netUsd ?? ''),
    cell: ({ row: { netUsd: net } }) =>
      net === null ? '—' : <span className={net.startsWith('-') ? 'ask strong' : ''}>{signedText(net)}</span>,
  },
  {
    id: 'cancel',
    name: 'Cancel',
    head: [],
    width: 54,
    grows: 0,
    rank: 0,
    align: 'right',
    cell: ({ row, onCancel }) =>
      row.cancellable && (
        <TextButton
          onClick={(event) => {
            event.stopPropagation();
            onCancel(row);
          }}
        >
          Cancel…
        </TextButton>
      ),
  },
];

function Row({ columns, ...facts }: Omit<HedgeFacts, 'now'> & { columns: readonly HedgeColumn[] }) {
  const { row, isChosen, onChoose } = facts;
  const now = useConsole().desk.now();
  if (row.unreadable !== undefined) {
    return (
      <tr>
        <td colSpan={columns.length}>
          {momentText(row.time, now)} <Unreadable seq={row.seq} why={row.unreadable} />
        </td>
      </tr>
    );
  }
  return (
    <tr aria-selected={isChosen} onClick={() => onChoose(row.seq)}>
      <Cells columns={columns} facts={{ ...facts, now }} />
    </tr>
  );
}

/** What a hedge brought in; what somebody else received is shown as gone out. */
function Got({ row }: { row: HedgeRow }) {
  const { side, received, dest, beneficiary } = row;
  const shown =
    received === '0' && side === 'SELL' ? <span className="quiet">0&nbsp;{dest.symbol}</span> : gotText(row);
  if (beneficiary === null) return <span data-raw={received}>{shown}</span>;
  return (
    <span className="muted" data-raw={received}>
      <span aria-hidden="true">→&nbsp;</span>
      <span className="only-read">for {beneficiary}: </span>
      {shown}
    </span>
  );
}
