import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ColumnsMenu } from '../../components/columns-menu.tsx';
import { Cells, DataTable } from '../../components/data-table.tsx';
import { Empty, NoChainPage } from '../../components/empty.tsx';
import { User } from '../../components/figures/party.tsx';
import { momentText } from '../../components/figures/times.ts';
import { PageBody, PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { ChainTabs } from '../../components/segmented.tsx';
import type { TableColumn } from '../../components/table-columns.ts';
import { useTableView } from '../../components/use-table-view.ts';
import { useConsole, useDesk, useQueries } from '../../state/console.tsx';
import { zoneName } from '../../state/time-zone.ts';
import { BlacklistForm } from './blacklist-form.tsx';
import styles from './blacklist-page.module.css';
import { BlacklistPanel, useBlacklists } from './blacklist-panel.tsx';
import { BlacklistReason } from './blacklist-terms.tsx';
import { ToxicityBoard } from './toxicity-board.tsx';

/** Users that are not to be routed to us: who, why, until when, and who put them there. */
export function BlacklistPage() {
  const chains = useDesk((view) => view.chains);
  const [chosen, setChosen] = useState<number | null>(null);
  const chainId = chosen ?? chains[0]?.chainId;
  if (chainId === undefined) {
    return <NoChainPage name="Blacklist">Each chain has a list of its own of users who get no order.</NoChainPage>;
  }
  return (
    <>
      <PageHead name="Blacklist">
        <span className="quiet">
          users who get no order from us; the service is asked not to route here those on the public list
        </span>
        <ChainTabs chainId={chainId} onChange={setChosen} />
      </PageHead>
      <ChainBlacklist key={chainId} chainId={chainId} />
    </>
  );
}

function ChainBlacklist({ chainId }: { chainId: number }) {
  const lists = useBlacklists().map(({ data }) => new Set<string>(data?.map(({ address }) => address)));
  // The board sums all chains: who is left out of one list is quoted there.
  const isListed = (user: string) => lists.every((list) => list.has(user));
  return (
    <PageBody className={styles.page}>
      <div className={styles.column}>
        <ToxicityBoard isListed={isListed} />
        <BlacklistHistory chainId={chainId} />
      </div>
      <div className={styles.column}>
        <BlacklistPanel chainId={chainId} />
        <BlacklistForm chainId={chainId} />
      </div>
    </PageBody>
  );
}

/** What happened to the list of a chain. */
function useHistory(chainId: number) {
  return useQuery(useQueries().blacklist.history.queryOptions({ input: { chainId, limit: 1_000 } }));
}

type BlacklistEvent = NonNullable<ReturnType<typeof useHistory>['data']>[number];

const keyOf = ({ seq, address }: BlacklistEvent) => `${seq}:${address}`;

const COLUMNS: readonly TableColumn<BlacklistEvent, { row: BlacklistEvent; now: number }>[] = [
  {
    id: 'time',
    name: 'Time',
    get head() {
      return [`Time, ${zoneName()}`] as const;
    },
    width: 92,
    grows: 0.1,
    rank: 0,
    className: 'muted',
    sortedBy: ({ seq }) => seq,
    cell: ({ row, now }) => momentText(row.time, now),
  },
  {
    id: 'what',
    name: 'What',
    head: ['What'],
    width: 56,
    grows: 0.1,
    rank: 0,
    sortedBy: ({ action }) => action,
    cell: ({ row: { action } }) => <span className={action === 'added' ? 'strong' : 'muted'}>{action}</span>,
  },
  {
    id: 'user',
    name: 'User',
    head: ['User'],
    width: 92,
    namedWidth: 158,
    grows: 0.1,
    rank: 0,
    sortedBy: ({ address }) => address,
    cell: ({ row }) => <User address={row.address} copies />,
  },
  {
    id: 'reason',
    name: 'Reason',
    head: ['Reason'],
    width: 80,
    grows: 1,
    rank: 1,
    sortedBy: ({ reason }) => reason,
    cell: ({ row }) => <BlacklistReason reason={row.reason} onlyHere={row.onlyHere} />,
  },
  {
    id: 'until',
    name: 'Until',
    get head() {
      return [`Until, ${zoneName()}`] as const;
    },
    width: 92,
    grows: 0.1,
    rank: 2,
    className: 'muted',
    sortedBy: ({ until }) => until,
    cell: ({ row: { until }, now }) => (until === null ? '—' : momentText(until, now)),
  },
  {
    id: 'by',
    name: 'By',
    head: ['By'],
    width: 80,
    grows: 0.1,
    rank: 3,
    className: 'muted',
    sortedBy: ({ actor }) => actor,
    cell: ({ row }) => row.actor,
  },
];

/** Everything that ever happened to the list, newest first. */
function BlacklistHistory({ chainId }: { chainId: number }) {
  const { desk } = useConsole();
  const history = useHistory(chainId);
  const rows = useMemo(() => [...(history.data ?? [])].sort((a, b) => b.seq - a.seq), [history.data]);
  const view = useTableView({ name: 'blacklist-history', columns: COLUMNS, rows });
  return (
    <Panel
      name="History"
      aside="newest first"
      className={styles.history}
      actions={<ColumnsMenu view={view} of="History" />}
    >
      <DataTable
        name="History"
        view={view}
        rows={view.rows}
        read={history}
        unknown="What happened to the list is not known here; the journal keeps all of it"
        row={(row, columns) => (
          <tr key={keyOf(row)}>
            <Cells columns={columns} facts={{ row, now: desk.now() }} />
          </tr>
        )}
      >
        <Empty title="Nothing yet">Additions and removals stay here for good.</Empty>
      </DataTable>
    </Panel>
  );
}
