import { Link } from 'wouter';
import { type FillResult, type ResultBy, type ResultRow, UNPRICED_WORDS } from '../../../electron/contract/results.ts';
import { Button, TextButton } from '../../components/button.tsx';
import { ColumnsMenu } from '../../components/columns-menu.tsx';
import { Cells, DataTable, SomeCells } from '../../components/data-table.tsx';
import { Empty, type Read, Waiting } from '../../components/empty.tsx';
import { plural } from '../../components/figures/counts.ts';
import { readDecimal } from '../../components/figures/decimal-text.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { User } from '../../components/figures/party.tsx';
import { decimalText } from '../../components/figures/prices.ts';
import { clockText, momentText } from '../../components/figures/times.ts';
import { SideMark } from '../../components/mark.tsx';
import { Panel } from '../../components/panel.tsx';
import type { TableColumn } from '../../components/table-columns.ts';
import { UnreadableRow } from '../../components/unreadable.tsx';
import { useTableView } from '../../components/use-table-view.ts';
import { quotePath } from '../../state/pages.ts';
import { tradeStories } from '../../state/story.ts';
import { zoneName } from '../../state/time-zone.ts';
import { DollarFigure } from './dollar-figure.tsx';
import { added, readDollars, signedDollars, thousandsText } from './dollars.ts';
import styles from './result-fills.module.css';
import type { useResultFills } from './use-results.ts';

/** The fills behind a row, newest first, with what each came to. */
export function ResultFills(props: {
  row: ResultRow | null;
  /** The read of the rows that one can be chosen of. */
  sums: Pick<Read, 'isPending' | 'error'>;
  by: ResultBy;
  name: string;
  path: string;
  now: number;
  read: ReturnType<typeof useResultFills>;
}) {
  const { row, sums, by, name, path, now, read } = props;
  const { fills } = read;
  const view = useTableView({
    name: 'result-fills',
    columns: COLUMNS[by === 'pair' ? 'pair' : 'other'],
    rows: fills,
    whole: !read.hasNextPage,
    isTight: true,
  });
  return (
    <Panel
      name={row === null ? 'Fills behind a row' : name}
      aside={row === null ? '' : `${plural(row.fills, 'fill')}, newest first`}
      actions={
        row !== null && (
          <>
            <Button look="quiet" asChild>
              <Link href={path}>Open in Fills</Link>
            </Button>
            <ColumnsMenu view={view} of="Fills behind the row" />
          </>
        )
      }
      footer={
        row === null ? undefined : read.asOf === null ? (
          <span className="quiet">A markout not reached yet counts as inventory so far.</span>
        ) : (
          <span className="quiet">
            These are as they were at {momentText(read.asOf, now)}; the last line is as it is now.{' '}
            <TextButton onClick={read.showNewest}>Show the newest</TextButton>
          </span>
        )
      }
    >
      {row === null &&
        sums.error === null &&
        (sums.isPending ? (
          <Waiting rows={6} isTable />
        ) : (
          <Empty title="No row is chosen">The fills of the row that is chosen on the left stand here.</Empty>
        ))}
      {row !== null && (
        <DataTable
          name="Fills behind the row"
          view={view}
          rows={view.rows}
          read={fills.length === 0 ? read : undefined}
          unknown="The fills behind it are not known; quoting and hedging do not wait for it"
          bars={6}
          onEnd={() => read.hasNextPage && !read.isFetching && void read.fetchNextPage()}
          row={(fill, columns) => <Row key={fill.seq} fill={fill} now={now} columns={columns} />}
          foot={(columns) => (
            <tr>
              <SomeCells
                columns={columns}
                of={{
                  time: 'All',
                  volume: thousandsText(row.volume),
                  edge: <DollarFigure figure={row.parts.edge} missing={row.missing.edge} />,
                  markout: <DollarFigure figure={row.markout} />,
                  rest: row.net === null ? null : signedDollars(added(row.parts.inventory, row.costs)),
                  net: row.net === null ? 'no price' : signedDollars(readDollars(row.net)),
                }}
              />
            </tr>
          )}
        />
      )}
    </Panel>
  );
}

interface FillFacts {
  fill: FillResult;
  now: number;
}

type FillColumn = TableColumn<FillResult, FillFacts>;

const ALL_COLUMNS: readonly FillColumn[] = [
  {
    id: 'time',
    name: 'Time',
    head: ['Time'],
    width: 58,
    grows: 0.2,
    rank: 0,
    sortedBy: ({ time }) => time,
    cell: ({ fill, now }) => {
      const text = momentText(fill.time, now);
      const isToday = text.length === clockText(fill.time).length;
      return (
        <Link
          className={`muted ${styles.time}`}
          href={quotePath(fill.quoteSeq ?? 0)}
          title={`${text} ${zoneName(fill.time)}. Opens its quote.`}
        >
          {isToday ? text : text.slice(0, -3)}
        </Link>
      );
    },
  },
  {
    id: 'pair',
    name: 'Pair',
    head: ['Pair'],
    width: 82,
    grows: 1,
    rank: 0,
    sortedBy: ({ pair }) => pair,
    cell: ({ fill }) => <PairName pair={fill.pair} />,
  },
  {
    id: 'we',
    name: 'We buy or sell',
    head: ['We'],
    width: 40,
    grows: 0,
    rank: 1,
    sortedBy: ({ side }) => side,
    cell: ({ fill }) => <SideMark side={fill.side} />,
  },
  {
    id: 'volume',
    name: 'Volume, k$',
    head: ['k$'],
    width: 40,
    grows: 0.5,
    rank: 8,
    align: 'right',
    sortedBy: ({ volume }) => readDecimal(volume ?? ''),
    tip: ({ fill: { volume } }) => volume && `$${decimalText(volume, 2)}`,
    cell: ({ fill: { volume } }) => (volume === null ? '—' : thousandsText(volume)),
  },
  {
    id: 'edge',
    name: 'Edge, $',
    head: ['Edge, $'],
    width: 46,
    grows: 1,
    rank: 1,
    align: 'right',
    sortedBy: ({ parts }) => readDecimal(parts.edge ?? ''),
    cell: ({ fill }) => <DollarFigure figure={fill.parts.edge} />,
  },
  {
    id: 'markout',
    name: 'Markout, $',
    head: ['Markout, $'],
    width: 60,
    grows: 1,
    rank: 2,
    align: 'right',
    sortedBy: ({ markout }) => readDecimal(markout ?? ''),
    cell: ({ fill }) => <DollarFigure figure={fill.markout} />,
  },
  {
    id: 'rest',
    name: 'Rest, $',
    head: ['Rest, $'],
    width: 46,
    grows: 1,
    rank: 2,
    align: 'right',
    sortedBy: ({ rest }) => readDecimal(rest ?? ''),
    cell: ({ fill: { rest } }) => (rest === null ? <span className="quiet">—</span> : signedDollars(readDollars(rest))),
  },
  {
    id: 'net',
    name: 'Net, $',
    head: ['Net, $'],
    width: 46,
    grows: 1,
    rank: 0,
    align: 'right',
    sortedBy: ({ net }) => readDecimal(net ?? ''),
    tip: ({ fill: { net, unpriced } }) =>
      net === null && unpriced !== null ? `No net: ${UNPRICED_WORDS[unpriced]}.` : null,
    cell: ({ fill: { net } }) =>
      net === null ? (
        <span className="quiet">no price</span>
      ) : (
        <span className={net.startsWith('-') ? 'strong' : undefined}>{signedDollars(readDollars(net))}</span>
      ),
  },
  {
    id: 'user',
    name: 'User',
    head: ['User'],
    width: 92,
    namedWidth: 164,
    grows: 0.2,
    rank: 9,
    className: `muted ${styles.user}`,
    sortedBy: ({ user }) => user,
    tip: ({ fill }) => fill.user,
    cell: ({ fill: { user } }) => (user === null ? '—' : <User address={user} />),
  },
];

/** What the rows have in common needs no column. */
const COLUMNS = {
  pair: ALL_COLUMNS.filter(({ id }) => id !== 'pair'),
  other: ALL_COLUMNS.filter(({ id }) => id !== 'user'),
};

function Row({ fill, now, columns }: FillFacts & { columns: readonly FillColumn[] }) {
  if (fill.unreadable !== undefined) {
    return <UnreadableRow row={fill} why={fill.unreadable} columns={columns.length} now={now} />;
  }
  return (
    <tr data-seq={fill.seq} {...tradeStories({ ...fill, userAddress: fill.user, since: 0 })}>
      <Cells columns={columns} facts={{ fill, now }} />
    </tr>
  );
}
