import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Empty, NoChainPage } from '../../components/empty.tsx';
import { Address } from '../../components/figures/address.tsx';
import { momentText } from '../../components/figures/times.ts';
import { PageBody, PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { ChainTabs } from '../../components/segmented.tsx';
import { RowTable } from '../../components/virtual-rows.tsx';
import { useConsole, useDesk } from '../../state/console.tsx';
import { zoneName } from '../../state/time-zone.ts';
import { BlacklistForm } from './blacklist-form.tsx';
import styles from './blacklist-page.module.css';
import { BlacklistPanel, useBlacklist } from './blacklist-panel.tsx';
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
      <ChainBlacklist key={chainId} chainId={chainId} chains={chains.length} />
    </>
  );
}

function ChainBlacklist({ chainId, chains }: { chainId: number; chains: number }) {
  const list = useBlacklist(chainId).data;
  const listed = useMemo(() => new Set<string>(list?.map(({ address }) => address)), [list]);
  return (
    <PageBody className={styles.page}>
      <div className={styles.column}>
        <ToxicityBoard listed={listed} />
        <BlacklistHistory chainId={chainId} />
      </div>
      <div className={styles.column}>
        <BlacklistPanel chainId={chainId} />
        <BlacklistForm chainId={chainId} chains={chains} />
      </div>
    </PageBody>
  );
}

/** Everything that ever happened to the list, newest first. */
function BlacklistHistory({ chainId }: { chainId: number }) {
  const { queries, desk } = useConsole();
  const history = useQuery(queries.blacklist.history.queryOptions({ input: { chainId, limit: 1_000 } }));
  const rows = [...(history.data ?? [])].sort((a, b) => b.seq - a.seq);
  return (
    <Panel name="History" aside="newest first">
      <RowTable
        rows={rows}
        read={history}
        head={
          <thead>
            <tr>
              <th className={styles.timeColumn}>Time, {zoneName()}</th>
              <th className={styles.actionColumn}>What</th>
              <th className={styles.addressColumn}>User</th>
              <th>Reason</th>
              <th className={styles.timeColumn}>Until, {zoneName()}</th>
              <th className={styles.actorColumn}>By</th>
            </tr>
          </thead>
        }
        row={(row) => (
          <tr key={`${row.seq}:${row.address}`}>
            <td className="muted">{momentText(row.time, desk.now())}</td>
            <td className={row.action === 'added' ? 'strong' : 'muted'}>{row.action}</td>
            <td>
              <Address hex={row.address} of="user’s address" />
            </td>
            <td title={row.reason ?? undefined} data-may-clip="">
              <BlacklistReason reason={row.reason} onlyHere={row.onlyHere} />
            </td>
            <td className="muted">{row.until === null ? '—' : momentText(row.until, desk.now())}</td>
            <td className="muted">{row.actor}</td>
          </tr>
        )}
      >
        <Empty title="Nothing yet">Additions and removals stay here for good.</Empty>
      </RowTable>
    </Panel>
  );
}
