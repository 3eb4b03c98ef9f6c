import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, TextButton } from '../../components/button.tsx';
import { Dialog, DialogActions, Lead } from '../../components/dialog.tsx';
import { Empty } from '../../components/empty.tsx';
import { Field } from '../../components/field.tsx';
import { Address } from '../../components/figures/address.tsx';
import { countText, plural, shortHex } from '../../components/figures/counts.ts';
import { momentText } from '../../components/figures/times.ts';
import { RefusalNote } from '../../components/note.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stack } from '../../components/stack.tsx';
import { RowTable } from '../../components/virtual-rows.tsx';
import { useClient, useConsole } from '../../state/console.tsx';
import { faultOf } from '../../state/refusal-of.ts';
import { zoneName } from '../../state/time-zone.ts';
import { useCommand } from '../../state/use-command.ts';
import styles from './blacklist-page.module.css';
import { BlacklistReason } from './blacklist-terms.tsx';
import { ListMenu } from './list-menu.tsx';

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
  return (
    <Panel
      name="On the list"
      aside={`${plural(rows.length, 'address', 'addresses')}${hidden === 0 ? '' : `, ${countText(hidden)} only here`}`}
      actions={<ListMenu chainId={chainId} users={rows} />}
    >
      <RowTable
        rows={rows}
        read={list}
        head={
          <thead>
            <tr>
              <th className={styles.addressColumn}>User</th>
              <th>Reason</th>
              <th className={styles.timeColumn}>Until, {zoneName()}</th>
              <td className={styles.actionColumn} />
            </tr>
          </thead>
        }
        row={({ address, reason, since, until, onlyHere, actor }) => (
          <tr key={address}>
            <td>
              <Address hex={address} of="user’s address" />
            </td>
            <td
              title={`${reason ?? 'No reason given'}\nsince ${momentText(since, desk.now())} ${zoneName(since)}, by ${actor}${onlyHere ? '\nby this desk only: not in /blacklist' : ''}`}
              data-may-clip=""
            >
              <BlacklistReason reason={reason} onlyHere={onlyHere} />
            </td>
            <td className="muted">{until === null ? 'for good' : momentText(until, desk.now())}</td>
            <td className="right">
              <TextButton onClick={() => setRemoving({ address, onlyHere })}>Remove…</TextButton>
            </td>
          </tr>
        )}
      >
        <Empty title="Nobody">Every user is quoted who asks.</Empty>
      </RowTable>
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

function RemoveDialog(props: {
  chainId: number;
  address: string;
  onlyHere: boolean;
  onClose: () => void;
  onDone: () => Promise<unknown>;
}) {
  const client = useClient();
  const [reason, setReason] = useState('');
  const remove = useCommand(async () => {
    await client.blacklist.remove({
      chainId: props.chainId,
      address: props.address,
      ...(reason.trim() === '' ? {} : { reason }),
    });
    await props.onDone();
    props.onClose();
  });
  return (
    <Dialog title={`Quote ${shortHex(props.address)} again?`} onClose={props.onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          remove.run();
        }}
      >
        <Lead>
          The next firm request of this user is answered with an order.{' '}
          {props.onlyHere
            ? 'The service was not told of this entry, so nothing of it stays with it.'
            : 'The service keeps the address for good where it has read it from our list or was answered 403 for it: ask it to take the address off.'}
        </Lead>
        <Stack>
          <Field
            label="Reason"
            hint="Goes into the history."
            large
            value={reason}
            fault={faultOf(remove.refusal, 'reason')}
            onChange={(event) => setReason(event.target.value)}
          />
          {remove.refusal && <RefusalNote refusal={remove.refusal} />}
        </Stack>
        <DialogActions>
          <Button size="large" onClick={props.onClose}>
            Keep on the list
          </Button>
          <Button type="submit" look="primary" size="large" disabled={remove.busy}>
            Remove
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
