import { useQuery } from '@tanstack/react-query';
import { Empty } from '../../components/empty.tsx';
import { Address } from '../../components/figures/address.tsx';
import { momentText } from '../../components/figures/times.ts';
import { Panel } from '../../components/panel.tsx';
import { useConsole } from '../../state/console.tsx';

/** Everything that ever happened to the list, newest first. */
export function BlacklistHistory({ chainId }: { chainId: number }) {
  const { queries, desk } = useConsole();
  const history = useQuery(queries.blacklist.history.queryOptions({ input: { chainId, limit: 200 } }));
  const rows = [...(history.data ?? [])].sort((a, b) => b.seq - a.seq);
  return (
    <Panel name="History" aside="newest first" className="blacklist-history">
      <div className="scroll">
        {history.isSuccess && rows.length === 0 && (
          <Empty title="Nothing yet">Additions and removals stay here for good.</Empty>
        )}
        <table className="grid">
          <thead>
            <tr>
              <th className="b-time">Time, UTC</th>
              <th className="b-action">What</th>
              <th className="b-address">User</th>
              <th>Reason</th>
              <th className="b-time">Until, UTC</th>
              <th className="b-actor">By</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={`${row.seq}:${row.address}`}>
                <td className="muted">{momentText(row.time, desk.now())}</td>
                <td className={row.action === 'added' ? 'strong' : 'muted'}>{row.action}</td>
                <td>
                  <Address hex={row.address} of="user’s address" />
                </td>
                <td title={row.reason ?? undefined}>{row.reason ?? '—'}</td>
                <td className="muted">{row.until === null ? '—' : momentText(row.until, desk.now())}</td>
                <td className="muted">{row.actor}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
