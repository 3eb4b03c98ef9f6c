import { useQuery } from '@tanstack/react-query';
import { Empty, Waiting } from '../../components/empty.tsx';
import { Address } from '../../components/figures/address.tsx';
import { momentText } from '../../components/figures/times.ts';
import { RefusalNote } from '../../components/note.tsx';
import { Panel } from '../../components/panel.tsx';
import { RowGap } from '../../components/row-gap.tsx';
import { useRowWindow } from '../../components/use-row-window.ts';
import { useConsole } from '../../state/console.tsx';
import { refusalOf } from '../../state/refusal-of.ts';
import { BarReason } from './bar-reach.tsx';

/** Everything that ever happened to the list, newest first. */
export function BlacklistHistory({ chainId }: { chainId: number }) {
  const { queries, desk } = useConsole();
  const history = useQuery(queries.blacklist.history.queryOptions({ input: { chainId, limit: 1_000 } }));
  const rows = [...(history.data ?? [])].sort((a, b) => b.seq - a.seq);
  const { scroller, first, end, above, below } = useRowWindow(rows.length);
  return (
    <Panel name="History" aside="newest first" className="blacklist-history">
      <div className="scroll" ref={scroller}>
        {history.isPending && <Waiting />}
        {history.error !== null && <RefusalNote refusal={refusalOf(history.error)} />}
        {history.isSuccess && rows.length === 0 && (
          <Empty title="Nothing yet">Additions and removals stay here for good.</Empty>
        )}
        {rows.length > 0 && (
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
              <RowGap height={above} />
              {rows.slice(first, end).map((row) => (
                <tr key={`${row.seq}:${row.address}`}>
                  <td className="muted">{momentText(row.time, desk.now())}</td>
                  <td className={row.action === 'added' ? 'strong' : 'muted'}>{row.action}</td>
                  <td>
                    <Address hex={row.address} of="user’s address" />
                  </td>
                  <td title={row.reason ?? undefined} data-may-clip="">
                    <BarReason reason={row.reason} onlyHere={row.onlyHere} />
                  </td>
                  <td className="muted">{row.until === null ? '—' : momentText(row.until, desk.now())}</td>
                  <td className="muted">{row.actor}</td>
                </tr>
              ))}
              <RowGap height={below} />
            </tbody>
          </table>
        )}
      </div>
    </Panel>
  );
}
