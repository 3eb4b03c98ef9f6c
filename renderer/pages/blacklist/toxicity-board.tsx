import { useMemo, useState } from 'react';
import type { TradedRow } from '../../../electron/contract/console/fills.ts';
import { MARK_NAMES, MARKOUT_NAMES, MARKS } from '../../../electron/contract/marks.ts';
import { TextButton } from '../../components/button.tsx';
import { ColumnsMenu } from '../../components/columns-menu.tsx';
import { Cells, DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterSelect } from '../../components/field.tsx';
import { countText, markText, percentText, plural } from '../../components/figures/counts.ts';
import { readDecimal } from '../../components/figures/decimal-text.ts';
import { User } from '../../components/figures/party.tsx';
import { decimalText } from '../../components/figures/prices.ts';
import { MarkFigure } from '../../components/mark-figure.tsx';
import { Panel } from '../../components/panel.tsx';
import { liveSums, type TableColumn } from '../../components/table-columns.ts';
import { useTableView } from '../../components/use-table-view.ts';
import { useDesk } from '../../state/console.tsx';
import { storiesOf } from '../../state/story.ts';
import { brushedSpan, FILL_RANGES } from '../fills/fill-ranges.ts';
import { useBarFrame } from '../fills/use-bars.ts';
import { useSummary } from '../fills/use-summary.ts';
import { BlacklistDialog } from './blacklist-dialog.tsx';
import blacklistPageStyles from './blacklist-page.module.css';
import { worstFirst } from './worst-first.ts';

const [, , , DAY = FILL_RANGES[0]] = FILL_RANGES;

interface UserFacts {
  row: TradedRow;
  isListed: boolean;
  onBlacklist: (row: TradedRow) => void;
}

const USERS: readonly TableColumn<TradedRow, UserFacts>[] = [
  {
    id: 'user',
    name: 'User',
    head: ['User'],
    width: 112,
    namedWidth: 180,
    grows: 0.6,
    rank: 0,
    sortedBy: ({ user }) => user,
    cell: ({ row }) => <User address={row.user ?? ''} copies renames />,
  },
  {
    id: 'asked',
    name: 'Asked',
    head: ['Asked'],
    width: 42,
    grows: 0.2,
    rank: 1,
    align: 'right',
    sortedBy: ({ asked }) => asked,
    cell: ({ row }) => countText(row.asked),
  },
  {
    id: 'fills',
    name: 'Fills',
    head: ['Fills'],
    width: 42,
    grows: 0.2,
    rank: 2,
    align: 'right',
    sortedBy: ({ fills }) => fills,
    cell: ({ row }) => countText(row.fills),
  },
  {
    id: 'ratio',
    name: 'Ratio, %',
    head: ['Ratio', '%'],
    title: 'Of the orders we signed, how many were filled at least in part',
    width: 38,
    grows: 0.2,
    rank: 5,
    align: 'right',
    sortedBy: ({ filled, signed }) => (signed === 0 ? null : filled / signed),
    tip: ({ row }) => (row.signed === 0 ? 'None of their requests was signed' : null),
    cell: ({ row }) => (row.signed === 0 ? <span className="quiet">—</span> : percentText(row.filled, row.signed)),
  },
  {
    id: 'volume',
    name: 'Volume, USD',
    head: ['Volume', 'USD'],
    width: 66,
    grows: 0.4,
    rank: 1,
    align: 'right',
    sortedBy: ({ volume, unit }) => (unit === 'USD' ? readDecimal(volume ?? '') : null),
    cell: ({ row: { fills, volume, unit } }) =>
      fills === 0 ? '0' : volume === null ? '—' : decimalText(volume, unit === 'USD' ? 0 : 4),
  },
  ...MARK_NAMES.map(
    (name): TableColumn<TradedRow, UserFacts> => ({
      id: name,
      name: name === 'edge' ? 'Edge, bps' : `Markout after ${MARKS[name].text}, bps`,
      head: [MARKS[name].text, 'bps'],
      width: 40,
      grows: 0.2,
      rank: name === 'after1m' ? 0 : name === 'edge' ? 6 : 4,
      align: 'right',
      sortedBy: (row) => (typeof row[name] === 'number' ? row[name] : null),
      cell: ({ row }) => <MarkFigure mark={row[name]} />,
    }),
  ),
  {
    id: 'blacklist',
    name: 'Blacklist',
    head: [],
    width: 66,
    grows: 0.1,
    rank: 0,
    align: 'right',
    cell: ({ row, isListed, onBlacklist }) =>
      isListed ? (
        <span className="muted">on the list</span>
      ) : (
        <TextButton aria-label={`Blacklist ${row.user}…`} onClick={() => onBlacklist(row)}>
          Blacklist…
        </TextButton>
      ),
  },
];

const COLUMNS = liveSums(USERS, 'user', 'blacklist');

/** What each user asked for and what their fills were worth afterwards on all chains, the worst first. `isListed`: on the list of each. */
export function ToxicityBoard({ isListed }: { isListed: (user: string) => boolean }) {
  const places = useDesk((view) => view.chains.length) > 1 ? ', all chains' : '';
  const [range, setRange] = useState(DAY);
  const [blacklisting, setBlacklisting] = useState<TradedRow | null>(null);
  const frame = useBarFrame(range);
  const span = useMemo(() => brushedSpan(range, frame, 0, frame.count - 1), [range, frame]);
  const { shown: summary, read, waiting, thousandths } = useSummary({ span, by: 'user' });
  const rows = useMemo(() => worstFirst(summary?.rows ?? []), [summary]);
  const view = useTableView({ name: 'users', columns: COLUMNS, rows });
  return (
    <Panel
      name="Who trades against us"
      aside={
        summary === undefined
          ? undefined
          : waiting
            ? `${Math.floor(thousandths / 10)} % read`
            : `${plural(rows.length, 'user')}${places}`
      }
      className={blacklistPageStyles.toxicity}
      actions={
        <>
          <FilterSelect
            label="Last"
            any={DAY.name}
            value={range === DAY ? '' : range.name}
            options={FILL_RANGES.filter((choice) => choice !== DAY).map(({ name }) => ({ value: name, text: name }))}
            onChange={(name) => setRange(FILL_RANGES.find((choice) => choice.name === name) ?? DAY)}
          />
          <ColumnsMenu view={view} of="Who trades against us" />
        </>
      }
    >
      <DataTable
        name="Who trades against us"
        view={view}
        rows={view.rows}
        read={read}
        unknown="Who trades against us is not known here; the desk goes on refusing who is on the list"
        bars={6}
        isBusy={waiting}
        row={(row, columns) => (
          <tr
            key={row.user}
            {...storiesOf(row.user === null ? null : { kind: 'user', chainId: null, address: row.user })}
          >
            <Cells
              columns={columns}
              facts={{ row, isListed: isListed(row.user ?? ''), onBlacklist: setBlacklisting }}
            />
          </tr>
        )}
      >
        <Empty title="Nobody asked in this time">A row appears for each user who asks for a firm quote.</Empty>
      </DataTable>
      {blacklisting !== null && (
        <BlacklistDialog
          address={blacklisting.user ?? ''}
          reason={reasonOf(blacklisting, range.name)}
          onClose={() => setBlacklisting(null)}
        />
      )}
    </Panel>
  );
}

/** What stands in the history later: the figures that were on the screen. */
function reasonOf(row: TradedRow, within: string): string {
  const marks = MARKOUT_NAMES.map((name) => `${MARKS[name].text} ${markText(row[name])}`);
  return `Markout ${marks.join(', ')} bps over ${plural(row.fills, 'fill')}, ${countText(row.asked)} asked, in ${within}`;
}
