import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Empty, Waiting } from '../../components/empty.tsx';
import { Address } from '../../components/figures/address.tsx';
import { plural } from '../../components/figures/counts.ts';
import { momentText } from '../../components/figures/times.ts';
import { RefusalNote } from '../../components/note.tsx';
import { Panel } from '../../components/panel.tsx';
import { useConsole } from '../../state/console.tsx';
import { refusalOf } from '../../state/refusal-of.ts';
import { RemoveDialog } from './remove-dialog.tsx';

/** Who is on the list now. */
export function BlacklistPanel({ chainId }: { chainId: number }) {
  const { queries, desk } = useConsole();
  const cache = useQueryClient();
  const list = useQuery(queries.blacklist.list.queryOptions({ input: { chainId }, refetchInterval: 10_000 }));
  const [removing, setRemoving] = useState<string | null>(null);
  const rows = list.data ?? [];
  return (
    <Panel name="On the list" aside={plural(rows.length, 'address', 'addresses')}>
      <div className="scroll">
        {list.isPending && <Waiting />}
        {list.error !== null && <RefusalNote refusal={refusalOf(list.error)} />}
        {list.isSuccess && rows.length === 0 && <Empty title="Nobody">Every user is quoted who asks.</Empty>}
        <table className="grid">
          <thead>
            <tr>
              <th className="b-address">User</th>
              <th>Reason</th>
              <th className="b-time">Since, UTC</th>
              <th className="b-time">Until, UTC</th>
              <th className="b-actor">By</th>
              <td className="b-action" />
            </tr>
          </thead>
          <tbody>
            {rows.map(({ address, reason, since, until, actor }) => (
              <tr key={address}>
                <td>
                  <Address hex={address} of="user’s address" />
                </td>
                <td title={reason ?? undefined}>{reason ?? <span className="quiet">none given</span>}</td>
                <td className="muted">{momentText(since, desk.now())}</td>
                <td className="muted">{until === null ? 'for good' : momentText(until, desk.now())}</td>
                <td className="muted">{actor}</td>
                <td className="right">
                  <button type="button" className="link" onClick={() => setRemoving(address)}>
                    Remove…
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {removing !== null && (
        <RemoveDialog
          chainId={chainId}
          address={removing}
          onClose={() => setRemoving(null)}
          onDone={() => cache.invalidateQueries({ queryKey: queries.blacklist.key() })}
        />
      )}
    </Panel>
  );
}
