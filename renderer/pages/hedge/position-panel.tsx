import { useQuery } from '@tanstack/react-query';
import type { HedgeToken, Position } from '../../../electron/contract/hedge.ts';
import { TextButton } from '../../components/button.tsx';
import { ColumnsMenu } from '../../components/columns-menu.tsx';
import { Cells, DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { readDecimal } from '../../components/figures/decimal-text.ts';
import pairNameStyles from '../../components/figures/pair-name.module.css';
import { exactText } from '../../components/figures/prices.ts';
import { Mark } from '../../components/mark.tsx';
import { Panel } from '../../components/panel.tsx';
import type { TableColumn } from '../../components/table-columns.ts';
import { useTableView } from '../../components/use-table-view.ts';
import { useDesk, useQueries } from '../../state/console.tsx';
import { exactAmount, signedAmountText } from './hedge-words.ts';

/** What the desk is long or short of by its fills and hedges, the largest first; a press brings the whole of it to the ticket. */
export function PositionPanel({ chainId, onHedge }: { chainId: number; onHedge: (position: Position) => void }) {
  const read = useQuery(useQueries().hedge.positions.queryOptions({ input: { chainId }, refetchInterval: 10_000 }));
  const listed = useDesk((view) => view.listed);
  const isBase = ({ symbol }: HedgeToken) => listed.some((pair) => pair.chainId === chainId && pair.base === symbol);
  const positions = read.data ?? NONE;
  const view = useTableView({ name: 'positions', columns: COLUMNS, rows: positions });
  return (
    <Panel
      name="Net position"
      aside="fills and hedges, + is long"
      actions={<ColumnsMenu view={view} of="Net position" />}
    >
      <DataTable
        name="Net position"
        view={view}
        rows={view.rows}
        read={read}
        bars={5}
        unknown="The net position is not known: fills and hedges go on being counted"
        row={(position, columns) => (
          <Row
            key={position.token.address}
            position={position}
            columns={columns}
            onHedge={isBase(position.token) && position.net !== '0' ? onHedge : null}
          />
        )}
      >
        <Empty title="Flat">
          Nothing was filled yet: a fill makes the desk long of one token and short of another.
        </Empty>
      </DataTable>
    </Panel>
  );
}

const NONE: readonly Position[] = [];

interface PositionFacts {
  position: Position;
  onHedge: ((position: Position) => void) | null;
}

type PositionColumn = TableColumn<Position, PositionFacts>;

/** All digits of a net, without its sign. */
const wholeOf = ({ net, token }: Position) => exactAmount(net.replace('-', ''), token);

const COLUMNS: readonly PositionColumn[] = [
  {
    id: 'token',
    name: 'Token',
    head: ['Token'],
    width: 52,
    grows: 0.2,
    rank: 0,
    className: pairNameStyles.pairName,
    sortedBy: ({ token }) => token.symbol,
    cell: ({ position }) => position.token.symbol,
  },
  {
    id: 'filled',
    name: 'Filled',
    head: ['Filled'],
    width: 73,
    grows: 1,
    rank: 4,
    align: 'right',
    className: 'muted live-figure',
    cell: ({ position: { filled, token } }) => signedAmountText(filled, token),
  },
  {
    id: 'hedged',
    name: 'Hedged',
    head: ['Hedged'],
    width: 73,
    grows: 1,
    rank: 3,
    align: 'right',
    className: 'muted live-figure',
    cell: ({ position: { hedged, token } }) => signedAmountText(hedged, token),
  },
  {
    id: 'net',
    name: 'Net',
    head: ['Net'],
    width: 73,
    grows: 1,
    rank: 0,
    align: 'right',
    className: 'strong live-figure',
    tip: ({ position }) => `${wholeOf(position)}, ${position.net} raw units`,
    cell: ({ position: { net, token } }) => signedAmountText(net, token),
  },
  {
    id: 'netUsd',
    name: 'Net, $',
    head: ['Net, $'],
    width: 62,
    grows: 0.2,
    rank: 2,
    align: 'right',
    className: 'live-figure',
    sortedBy: ({ netUsd }) => readDecimal(netUsd ?? ''),
    cell: ({ position: { netUsd } }) => (netUsd === null ? '—' : dollarsText(netUsd)),
  },
  {
    id: 'fills',
    name: 'Fills not wholly hedged',
    head: ['Fills'],
    title: 'Fills that are not wholly hedged',
    width: 34,
    grows: 0,
    rank: 1,
    align: 'right',
    sortedBy: ({ unhedgedFills }) => unhedgedFills,
    cell: ({ position }) => position.unhedgedFills,
  },
  {
    id: 'hedge',
    name: 'Hedge',
    head: [],
    width: 46,
    grows: 0,
    rank: 0,
    align: 'right',
    cell: ({ position, onHedge }) => {
      const deed = BigInt(position.net) > 0n ? 'Sell' : 'Buy';
      return (
        onHedge !== null && (
          <TextButton aria-label={`${deed} it: ${wholeOf(position)}`} onClick={() => onHedge(position)}>
            {deed} it
          </TextButton>
        )
      );
    },
  },
];

function Row({ position, onHedge, columns }: PositionFacts & { columns: readonly PositionColumn[] }) {
  const { token, unreadable } = position;
  if (unreadable !== undefined) {
    return (
      <tr>
        <td className="with-mark stop" colSpan={columns.length} title={unreadable}>
          <b className={pairNameStyles.pairName}>{token.symbol}</b> <Mark shape="look" tone="stop" />
          is not known: {unreadable}
        </td>
      </tr>
    );
  }
  return (
    <tr>
      <Cells columns={columns} facts={{ position, onHedge }} />
    </tr>
  );
}

/** Whole dollars with their sign. */
function dollarsText(decimal: string): string {
  const whole = decimal.split('.')[0] ?? '0';
  if (!/[1-9]/.test(whole)) return '0';
  const text = exactText(whole);
  return text.startsWith('−') ? text : `+${text}`;
}
