import { useRef, useState } from 'react';
import { LAST_MARK, MARKOUT_NAMES, MARKS } from '../../../electron/contract/marks.ts';
import type {
  NoFillCosts,
  PartFigure,
  Result,
  ResultBy,
  ResultRow,
  Results,
} from '../../../electron/contract/results.ts';
import { PlainButton } from '../../components/button.tsx';
import { ColumnsMenu } from '../../components/columns-menu.tsx';
import { Cells, DataTable, SomeCells } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { countText, plural, signedBpsText } from '../../components/figures/counts.ts';
import { plainText, readDecimal, toPixels } from '../../components/figures/decimal-text.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { Counterparty, User } from '../../components/figures/party.tsx';
import { ageText } from '../../components/figures/times.ts';
import { Panel } from '../../components/panel.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { liveSums, type TableColumn } from '../../components/table-columns.ts';
import { useTableView } from '../../components/use-table-view.ts';
import { useChainOf } from '../fills/use-fills.ts';
import { DollarFigure, NetFigure } from './dollar-figure.tsx';
import { added, bpsOf, noFillText, readDollars, signedDollars, thousandsText } from './dollars.ts';
import styles from './result-table.module.css';
import { nameOf, type useResults } from './use-results.ts';

const NAMES = { pair: 'Pair', user: 'User', counterparty: 'Counterparty' } as const;
const BY = (['pair', 'user', 'counterparty'] as const).map((value) => ({ value, text: NAMES[value] }));
/** Prices that are older than this at the moment of the sums are said to be old. Milliseconds. */
const OLD_MS = 20_000;

/** Result of each pair, user or counterparty; a row chooses whose fills stand beside it. */
export function ResultTable(props: {
  by: ResultBy;
  onBy: (by: ResultBy) => void;
  sums: ReturnType<typeof useResults>;
  results: Results | undefined;
  chosen: string;
  onChoose: (row: ResultRow) => void;
}) {
  const { by, onBy, sums, results, chosen, onChoose } = props;
  const { isLastKnown, read, waiting, thousandths } = sums;
  const view = useTableView({ name: 'results', columns: COLUMNS[by], rows: results?.rows ?? NONE, isTight: true });
  const [reading, setReading] = useState(false);
  const rows = useHeldOrder(view.rows, reading, `${by} ${view.sort?.id} ${view.sort?.desc}`);
  return (
    <Panel
      name={`By ${by}`}
      aside={
        waiting && results !== undefined
          ? `${Math.floor(thousandths / 10)} % read`
          : isLastKnown
            ? 'as last read'
            : results !== undefined && results.more > 0
              ? `most volume first · ${countText(results.more)} more in the sum`
              : 'most volume first · all in $ but volume'
      }
      actions={
        <>
          <Segmented label="Results by" options={BY} value={by} onChoose={onBy} />
          <ColumnsMenu view={view} of={`By ${by}`} />
        </>
      }
      footer={
        results === undefined || results.all.fills === 0 ? undefined : <Notes all={results.all} now={results.now} />
      }
    >
      <DataTable
        name={`By ${by}`}
        view={view}
        rows={rows}
        // Of figures that never came the panel above says why.
        read={results === undefined && read.error !== null ? undefined : read}
        unknown="What it comes to now is not known; quoting and hedging do not wait for it"
        bars={8}
        isBusy={waiting}
        onReading={setReading}
        className={styles.table}
        row={(row, columns) => (
          <tr key={nameOf(row)} aria-selected={nameOf(row) === chosen} onClick={() => onChoose(row)}>
            <Cells columns={columns} facts={{ result: row, row, curve: row.curve }} />
          </tr>
        )}
        foot={
          results &&
          ((columns) => (
            <>
              {results.noFill !== null && results.noFill.count > 0 && (
                <NoFillRow columns={columns} noFill={results.noFill} />
              )}
              <tr>
                <Cells
                  columns={columns}
                  facts={{ result: wholeOf(results), row: null, curve: results.curve.points.map(({ net }) => net) }}
                />
              </tr>
            </>
          ))
        }
      >
        {results !== undefined && (
          <Empty title="No fills in this time">A row appears for each {by} with the first fill.</Empty>
        )}
      </DataTable>
    </Panel>
  );
}

const NONE: readonly ResultRow[] = [];

interface ResultFacts {
  result: Result;
  /** Null where the cell is of the sum of all. */
  row: ResultRow | null;
  curve: readonly string[];
}

/** All fills together with what was paid for none: the rows above it add up to it. */
function wholeOf({ all, noFill, netOfTime }: Results): Result {
  if (noFill === null || noFill.count === 0 || all.net === null) return all;
  const { gas, fees } = all.parts;
  const parts = {
    ...all.parts,
    gas: plainText(added(gas, noFill.gas)),
    fees: plainText(added(fees, noFill.fees)),
  };
  return { ...all, parts, net: netOfTime };
}

type ResultColumn = TableColumn<ResultRow, ResultFacts>;

/** A column of dollars. */
function dollars(of: {
  id: string;
  head: readonly [string, string];
  name?: string;
  title?: string;
  width?: number;
  look?: string;
  rank: number;
  hidden?: boolean;
  figure: (result: Result) => PartFigure;
  missing?: (result: Result) => number;
  /** Of which there may be several a fill. */
  missingOf?: 'mark';
}): ResultColumn {
  const { id, head, name = head.join(', '), title, width = 56, look, rank, hidden, figure, missing = () => 0 } = of;
  return {
    id,
    name,
    head,
    title,
    width,
    grows: 0.3,
    rank,
    hidden,
    align: 'right',
    className: look,
    sortedBy: (result) => readDecimal(figure(result) ?? ''),
    cell: ({ result }) => <DollarFigure figure={figure(result)} missing={missing(result)} of={of.missingOf} />,
  };
}

const columnsBy = (by: ResultBy): readonly ResultColumn[] => [
  {
    id: 'name',
    name: NAMES[by],
    head: [NAMES[by]],
    width: 84,
    namedWidth: by === 'user' ? 150 : 84,
    grows: 1,
    rank: 0,
    sortedBy: ({ user, counterparty, pair }) => user ?? counterparty ?? pair,
    tip: ({ row }) => row?.user ?? row?.counterparty ?? row?.pair,
    cell: ({ row }) =>
      row === null ? (
        'All'
      ) : (
        <PlainButton>
          <RowName row={row} by={by} />
        </PlainButton>
      ),
  },
  {
    id: 'volume',
    name: 'Volume, k$',
    head: ['Volume', 'k$'],
    width: 48,
    grows: 0.3,
    rank: 1,
    align: 'right',
    sortedBy: ({ volume }) => readDecimal(volume ?? ''),
    cell: ({ result: { volume } }) => (volume === null ? '—' : thousandsText(volume)),
  },
  {
    id: 'fills',
    name: 'Fills',
    head: ['Fills'],
    width: 36,
    grows: 0.2,
    rank: 2,
    align: 'right',
    sortedBy: ({ fills }) => fills,
    tip: ({ result }) => unpricedText(result),
    cell: ({ result: { fills, unpriced, unreadable } }) => (
      <>
        {countText(fills)}
        {unpriced + unreadable > 0 && <span className="quiet">*</span>}
      </>
    ),
  },
  dollars({
    id: 'edge',
    head: ['Edge', '$'],
    look: 'edge',
    rank: 1,
    figure: ({ parts }) => parts.edge,
    missing: ({ missing }) => missing.edge,
  }),
  dollars({
    id: 'markout',
    head: ['Markout', `${MARKS[LAST_MARK].text}, $`],
    title: `What the price did to the fills until ${MARKS[LAST_MARK].text} after them`,
    rank: 3,
    figure: ({ markout }) => markout,
    missing: ({ missing }) => MARKOUT_NAMES.reduce((sum, name) => sum + missing[name], 0),
    missingOf: 'mark',
  }),
  dollars({
    id: 'inventory',
    head: ['Inventory', 'since, $'],
    title: 'What the price did since the last markout, until the hedge or, where nothing is hedged, until now',
    rank: 4,
    figure: ({ parts }) => parts.inventory,
  }),
  dollars({
    id: 'hedge',
    head: ['Hedge', '$'],
    title: 'What hedges came to against the reference when they were placed',
    width: 46,
    look: 'muted',
    rank: 5,
    figure: ({ parts }) => parts.hedge,
  }),
  dollars({ id: 'gas', head: ['Gas', '$'], look: 'muted', rank: 8, hidden: true, figure: ({ parts }) => parts.gas }),
  dollars({ id: 'fees', head: ['Fees', '$'], look: 'muted', rank: 8, hidden: true, figure: ({ parts }) => parts.fees }),
  {
    id: 'together',
    name: 'Gas and fees, $',
    head: ['Gas, fees', '$'],
    width: 50,
    grows: 0.3,
    rank: 5,
    align: 'right',
    className: 'muted',
    sortedBy: ({ parts }) => (parts.gas === null ? null : added(parts.gas, parts.fees)),
    cell: ({ result: { parts } }) =>
      parts.gas === null ? <DollarFigure figure={null} /> : signedDollars(added(parts.gas, parts.fees)),
  },
  {
    id: 'net',
    name: 'Net, $',
    head: ['Net', '$'],
    width: 56,
    grows: 0.3,
    rank: 0,
    align: 'right',
    className: 'edge',
    sortedBy: ({ net }) => readDecimal(net ?? ''),
    cell: ({ result: { net }, row }) =>
      row === null ? (
        <span data-total>{net === null ? 'no price' : signedDollars(readDollars(net))}</span>
      ) : (
        <NetFigure net={net === null ? null : readDollars(net)} />
      ),
  },
  {
    id: 'netBps',
    name: 'Net, bps',
    head: ['Net', 'bps'],
    width: 38,
    grows: 0.2,
    rank: 6,
    align: 'right',
    sortedBy: ({ netBps }) => netBps,
    cell: ({ result: { net, netBps, volume }, row }) => {
      if (row === null) return bpsOf(net, volume, 1) || '—';
      return netBps === null ? '—' : signedBpsText(netBps);
    },
  },
  {
    id: 'curve',
    name: 'Net over the time',
    head: ['Curve'],
    width: 38,
    grows: 0.3,
    rank: 7,
    cell: ({ curve }) => <Spark curve={curve} />,
  },
];

const COLUMNS = {
  pair: liveSums(columnsBy('pair'), 'name'),
  user: liveSums(columnsBy('user'), 'name'),
  counterparty: liveSums(columnsBy('counterparty'), 'name'),
};

function RowName({ row, by }: { row: ResultRow; by: ResultBy }) {
  const chain = useChainOf(row);
  if (row.user !== null) return <User address={row.user} />;
  if (by === 'counterparty') {
    return row.counterparty === null ? (
      <span className="quiet">none named</span>
    ) : (
      <Counterparty domain={row.counterparty} />
    );
  }
  return (
    <>
      <PairName pair={row.pair} /> {chain !== null && <span className="unit">{chain}</span>}
    </>
  );
}

/** What was paid for no fill. */
function NoFillRow({ columns, noFill }: { columns: readonly ResultColumn[]; noFill: NoFillCosts }) {
  const figure = (dollars: string) => signedDollars(readDollars(dollars));
  return (
    <tr data-no-fill title={noFillText(noFill)}>
      <SomeCells
        columns={columns}
        of={{
          name: 'Cancels, approvals',
          gas: figure(noFill.gas),
          fees: figure(noFill.fees),
          together: figure(noFill.costs),
          net: (
            <>
              {figure(noFill.costs)}
              {noFill.unpriced > 0 && <span className="quiet">*</span>}
            </>
          ),
        }}
      />
    </tr>
  );
}

function unpricedText({ unpriced, unreadable }: Result): string | undefined {
  const words = [
    unpriced > 0 && `${plural(unpriced, 'fill')} without a price`,
    unreadable > 0 && `${plural(unreadable, 'fill')} that cannot be read`,
  ].filter((text) => text !== false);
  return words.length === 0 ? undefined : `${words.join(' and ')}: in the count alone`;
}

/** What the figures do not say by themselves. */
function Notes({ all, now }: { all: Result; now: number }) {
  const unpriced = unpricedText(all);
  const old = all.valuedAt !== null && now - all.valuedAt > OLD_MS;
  const text = [
    unpriced,
    old && all.valuedAt !== null && `open parts valued at prices up to ${ageText(now - all.valuedAt)} old`,
    `${plural(all.open, 'fill')} not wholly hedged`,
    'each figure rounded down to the cent',
    'a hedge covers fills first in, first out',
    'dollars as of each fill',
  ]
    .filter((part) => part !== undefined && part !== false)
    .join(' · ');
  return (
    <span className={`quiet ${styles.note}`} title={text}>
      {text}
    </span>
  );
}

/** The net as it grew, with nothing as a line. */
function Spark({ curve }: { curve: readonly string[] }) {
  const values = [0, ...curve.map((net) => toPixels(readDollars(net)))];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const y = (value: number) => 2 + ((high - value) / (high - low || 1)) * 12;
  const step = 60 / Math.max(1, values.length - 1);
  const path = values.map((value, index) => `${(index * step).toFixed(1)} ${y(value).toFixed(1)}`).join('L');
  return (
    <svg className={styles.line} viewBox="0 0 60 16" preserveAspectRatio="none" aria-hidden="true">
      <path d={`M0 ${y(0).toFixed(1)}H60`} stroke="var(--line)" vectorEffect="non-scaling-stroke" />
      <path d={`M${path}`} fill="none" stroke="var(--fg-2)" vectorEffect="non-scaling-stroke" />
    </svg>
  );
}

/** Rows keep their places while somebody reads them; new ones come after them. Another `order` is taken at once. */
function useHeldOrder(rows: readonly ResultRow[], reading: boolean, order: string): readonly ResultRow[] {
  const held = useRef<{ order: string; names: readonly string[] }>({ order, names: [] });
  if (!reading || held.current.order !== order) {
    held.current = { order, names: rows.map(nameOf) };
    return rows;
  }
  const places = new Map(held.current.names.map((name, index) => [name, index]));
  const placeOf = (row: ResultRow) => places.get(nameOf(row)) ?? places.size;
  return [...rows].sort((a, b) => placeOf(a) - placeOf(b));
}
