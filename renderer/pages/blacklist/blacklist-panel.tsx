import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Empty, Waiting } from '../../components/empty.tsx';
import { Address } from '../../components/figures/address.tsx';
import { countText, plural } from '../../components/figures/counts.ts';
import { momentText } from '../../components/figures/times.ts';
import { RefusalNote } from '../../components/note.tsx';
import { Panel } from '../../components/panel.tsx';
import { RowGap } from '../../components/row-gap.tsx';
import { useRowWindow } from '../../components/use-row-window.ts';
import { useConsole } from '../../state/console.tsx';
import { refusalOf } from '../../state/refusal-of.ts';
import { BarReason } from './bar-reach.tsx';
import { ListMenu } from './list-menu.tsx';
import { RemoveDialog } from './remove-dialog.tsx';

/** Who is on the list of a chain now; read anew for what others did and for entries that come to their end. */
export function useBlacklist(chainId: number) {
  const { queries } = useConsole();
  return useQuery(queries.blacklist.list.queryOptions({ input: { chainId }, refetchInterval: 10_000 }));
}

export function BlacklistPanel({ chainId }: { chainId: number }) {
  const { queries, desk } = useConsole();
  const cache = useQueryClient();
  const list = useBlacklist(chainId);
  const [removing, setRemoving] = useState<{ address: string; onlyHere: boolean } | null>(null);
  const rows = list.data ?? [];
  const hidden = rows.filter(({ onlyHere }) => onlyHere).length;
  const { scroller, first, end, above, below } = useRowWindow(rows.length);
  return (
    <Panel
      name="On the list"
      aside={`${plural(rows.length, 'address', 'addresses')}${hidden === 0 ? '' : `, ${countText(hidden)} only here`}`}
      actions={<ListMenu chainId={chainId} users={rows} />}
    >
      <div className="scroll" ref={scroller}>
        {list.isPending && <Waiting />}
        {list.error !== null && <RefusalNote refusal={refusalOf(list.error)} />}
        {list.isSuccess && rows.length === 0 && <Empty title="Nobody">Every user is quoted who asks.</Empty>}
        {rows.length > 0 && (
          <table className="grid">
            <thead>
              <tr>
                <th className="b-address">User</th>
                <th>Reason</th>
                <th className="b-time">Until, UTC</th>
                <td className="b-action" />
              </tr>
            </thead>
            <tbody>
              <RowGap height={above} />
              {rows.slice(first, end).map(({ address, reason, since, until, onlyHere, actor }) => (
                <tr key={address}>
                  <td>
                    <Address hex={address} of="user’s address" />
                  </td>
                  <td
                    title={`${reason ?? 'No reason given'}\nsince ${momentText(since, desk.now())} UTC, by ${actor}${onlyHere ? '\nby this desk only: not in /blacklist' : ''}`}
                    data-may-clip=""
                  >
                    <BarReason reason={reason} onlyHere={onlyHere} />
                  </td>
                  <td className="muted">{until === null ? 'for good' : momentText(until, desk.now())}</td>
                  <td className="right">
                    <button type="button" className="link" onClick={() => setRemoving({ address, onlyHere })}>
                      Remove…
                    </button>
                  </td>
                </tr>
              ))}
              <RowGap height={below} />
            </tbody>
          </table>
        )}
      </div>
      {removing !== null && (
        <RemoveDialog
          chainId={chainId}
          {...removing}
          onClose={() => setRemoving(null)}
          onDone={() => cache.invalidateQueries({ queryKey: queries.blacklist.key() })}
        />
      )}
    </Panel>
  );
}
