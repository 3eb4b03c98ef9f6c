import { type ReactNode, useMemo } from 'react';
import type { Traded, TradedRow } from '../../../electron/contract/console/fills.ts';
import { MARK_NAMES, MARKS, type Mark } from '../../../electron/contract/marks.ts';
import { PlainButton } from '../../components/button.tsx';
import { ColumnsMenu } from '../../components/columns-menu.tsx';
import { Cells, DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { countText, percentText, plural } from '../../components/figures/counts.ts';
import { compareDecimals, readDecimal, toPixels } from '../../components/figures/decimal-text.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { User } from '../../components/figures/party.tsx';
import { decimalText } from '../../components/figures/prices.ts';
import { MarkFigure } from '../../components/mark-figure.tsx';
import { Panel } from '../../components/panel.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { liveSums, type TableColumn } from '../../components/table-columns.ts';
import { useTableView } from '../../components/use-table-view.ts';
import fillsPageStyles from './fills-page.module.css';
import styles from './traded-panel.module.css';
import { useChainOf } from './use-fills.ts';
import type { useSummary } from './use-summary.ts';

const NAMES = { pair: 'Pair', user: 'User' } as const;
const BY = (['pair', 'user'] as const).map((value) => ({ value, text: NAMES[value] }));

interface TradedFacts {
  traded: Traded;
  /** Null where the cell is of the sum of all. */
  row: TradedRow | null;
  /** The largest volume of a row: its bar is a whole one. */
  most: number;
}

const columnsBy = (by: 'pair' | 'user'): readonly TableColumn<TradedRow, TradedFacts>[] => [
  {
    id: 'name',
    name: NAMES[by],
    head: [NAMES[by]],
    width: 92,
    namedWidth: by === 'user' ? 150 : 92,
    grows: 1,
    rank: 0,
    sortedBy: ({ user, pair }) => user ?? pair,
    tip: ({ row }) => row?.user,
    cell: ({ row }) =>
      row === null ? (
        'All'
      ) : (
        <PlainButton>{row.user !== null ? <User address={row.user} /> : <PairOf row={row} />}</PlainButton>
      ),
  },
  {
    id: 'volume',
    name: 'Volume, USD',
    head: ['Volume', 'USD'],
    width: 80,
    grows: 1,
    rank: 0,
    align: 'right',
    className: styles.barCell,
    sortedBy: ({ volume, unit }) => (unit === 'USD' ? readDecimal(volume ?? '') : null),
    cell: ({ traded, row, most }) => (
      <>
        {row !== null && <i style={{ width: `${(volumeOf(row) / most) * 100}%` }} />}
        <span>
          <VolumeText traded={traded} />
        </span>
      </>
    ),
  },
  {
    id: 'ratio',
    name: 'Ratio, %',
    head: ['Ratio', '%'],
    title: 'Of the orders we signed, how many were filled at least in part',
    width: 34,
    grows: 0,
    rank: 2,
    align: 'right',
    sortedBy: ({ filled, signed }) => (signed === 0 ? null : filled / signed),
    tip: ({ traded }) => ratioTitle(traded),
    cell: ({ traded: { filled, signed } }) => percentText(filled, signed),
  },
  ...MARK_NAMES.map(
    (name): TableColumn<TradedRow, TradedFacts> => ({
      id: name,
      name: name === 'edge' ? 'Edge, bps' : `Markout after ${MARKS[name].text}, bps`,
      head: [MARKS[name].text, 'bps'],
      width: 44,
      grows: 0.2,
      rank: MARKS[name].spare ? 3 : 1,
      align: 'right',
      className: styles.markCell,
      sortedBy: (row) => (typeof row[name] === 'number' ? row[name] : null),
      cell: ({ traded }) => (
        <>
          <MarkFigure mark={traded[name]} />
          <MarkBar mark={traded[name]} />
        </>
      ),
    }),
  ),
];

const COLUMNS = { pair: liveSums(columnsBy('pair'), 'name'), user: liveSums(columnsBy('user'), 'name') };

/** Volume, fill ratio, edge and markout of each pair or user; a row chooses what the rest of the page shows. */
export function TradedPanel(props: {
  by: 'pair' | 'user';
  onBy: (by: 'pair' | 'user') => void;
  aside: string;
  sums: ReturnType<typeof useSummary>;
  chosen: string;
  onChoose: (row: TradedRow) => void;
  actions: ReactNode;
}) {
  const { by, onBy, aside, sums, chosen, onChoose, actions } = props;
  const { shown: summary, isLastKnown, read, waiting, thousandths } = sums;
  // In a small window the head of the page says it alone.
  const shownOf = isLastKnown ? 'as last read' : <span className="narrow-out">{aside}</span>;
  const rows = useMemo(() => byVolume(summary?.rows ?? []), [summary]);
  const view = useTableView({ name: 'traded', columns: COLUMNS[by], rows });
  const most = Math.max(1, ...rows.map(volumeOf));
  return (
    <Panel
      name={`By ${by}`}
      aside={waiting && summary !== undefined ? `${aside} · ${Math.floor(thousandths / 10)} % read` : shownOf}
      className={fillsPageStyles.traded}
      actions={
        <>
          {actions}
          <Segmented label="Sums by" options={BY} value={by} onChoose={onBy} />
          <ColumnsMenu view={view} of={`By ${by}`} />
        </>
      }
    >
      <DataTable
        name={`By ${by}`}
        view={view}
        rows={view.rows}
        read={read}
        unknown="The sums are not known here; what they count is written down all the same"
        bars={6}
        isBusy={waiting}
        row={(row, columns) => (
          <tr key={keyOf(row)} aria-selected={keyOf(row) === chosen} onClick={() => onChoose(row)}>
            <Cells columns={columns} facts={{ traded: row, row, most }} />
          </tr>
        )}
        foot={
          summary &&
          ((columns) => (
            <tr>
              <Cells columns={columns} facts={{ traded: summary.all, row: null, most }} />
            </tr>
          ))
        }
      >
        <Empty title="Nobody asked in this time">A row appears for each {by} we were asked for.</Empty>
      </DataTable>
    </Panel>
  );
}

/** Names a row among the others. */
export function keyOf({ chainId, pair, user }: Pick<TradedRow, 'chainId' | 'pair' | 'user'>): string {
  return user ?? `${chainId}:${pair}`;
}

function PairOf({ row }: { row: TradedRow }) {
  const chain = useChainOf(row);
  return (
    <>
      <PairName pair={row.pair} /> {chain !== null && <span className="unit">{chain}</span>}
    </>
  );
}

function VolumeText({ traded: { volume, unit, fills, unpriced } }: { traded: Traded }) {
  if (fills === 0) return <span className="quiet">0</span>;
  if (volume === null) return <span title="No US dollar price is known for these tokens.">—</span>;
  const some = unpriced > 0 && unit === 'USD' ? `${plural(unpriced, 'fill')} of unknown worth not counted.` : undefined;
  return (
    <span title={some}>
      {decimalText(volume, unit === 'USD' ? 0 : 4)}
      {unit !== 'USD' && <span className="unit"> {unit}</span>}
      {some !== undefined && <span className="quiet"> +</span>}
    </span>
  );
}

const FULL_BAR = 100;

/** How far from nothing, which is the tick in the middle: to the right a gain, to the left a loss, ten basis points at most. */
function MarkBar({ mark }: { mark: Mark }) {
  if (typeof mark !== 'number') return null;
  const width = (Math.min(FULL_BAR, Math.abs(mark)) / FULL_BAR) * 50;
  return (
    <i>
      <b
        className={mark < 0 ? styles.loss : ''}
        style={{ width: `${width}%`, left: mark < 0 ? `${50 - width}%` : '50%' }}
      />
    </i>
  );
}

function ratioTitle({ asked, signed, filled, fills }: Traded): string {
  return `${countText(asked)} asked, ${countText(signed)} signed, ${countText(filled)} of them filled, ${countText(fills)} fills`;
}

function volumeOf({ volume, unit }: Traded): number {
  const read = volume === null || unit !== 'USD' ? null : readDecimal(volume);
  return read === null ? 0 : toPixels(read);
}

export function byVolume(rows: readonly TradedRow[]): TradedRow[] {
  const worth = ({ volume, unit }: Traded) => (volume === null || unit !== 'USD' ? null : readDecimal(volume));
  const none = { digits: 0n, places: 0 };
  return [...rows].sort(
    (a, b) => compareDecimals(worth(b) ?? none, worth(a) ?? none) || b.fills - a.fills || b.asked - a.asked,
  );
}
