import { useQueries as useEach, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, TextButton } from '../../components/button.tsx';
import { ColumnsMenu } from '../../components/columns-menu.tsx';
import { Cells, DataTable } from '../../components/data-table.tsx';
import { Dialog, DialogActions, Lead } from '../../components/dialog.tsx';
import { Empty } from '../../components/empty.tsx';
import { Field } from '../../components/field.tsx';
import { countText, plural } from '../../components/figures/counts.ts';
import { User } from '../../components/figures/party.tsx';
import { momentText } from '../../components/figures/times.ts';
import { RefusalNote } from '../../components/note.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stack } from '../../components/stack.tsx';
import type { TableColumn } from '../../components/table-columns.ts';
import { useTableView } from '../../components/use-table-view.ts';
import { useClient, useConsole, useDesk } from '../../state/console.tsx';
import { useNames, userText } from '../../state/names.tsx';
import { faultOf } from '../../state/refusal-of.ts';
import { storiesOf } from '../../state/story.ts';
import { zoneName } from '../../state/time-zone.ts';
import { useCommand } from '../../state/use-command.ts';
import { BlacklistReason } from './blacklist-terms.tsx';
import { ListMenu } from './list-menu.tsx';

/** Who is on the list of a chain now; read anew for what others did and for entries that come to their end. */
export function useBlacklist(chainId: number) {
  const { queries } = useConsole();
  return useQuery(queries.blacklist.list.queryOptions({ input: { chainId }, refetchInterval: 10_000 }));
}

/** The lists of all chains, in their order. */
export function useBlacklists() {
  const { queries } = useConsole();
  const chains = useDesk((view) => view.chains);
  const lists = useEach({
    queries: chains.map(({ chainId }) =>
      queries.blacklist.list.queryOptions({ input: { chainId }, refetchInterval: 10_000 }),
    ),
  });
  return lists.map((list, index) => ({ ...list, chainId: chains[index]?.chainId, chain: chains[index]?.name ?? '' }));
}

type Blacklisted = NonNullable<ReturnType<typeof useBlacklist>['data']>[number];
const NOBODY: readonly Blacklisted[] = [];

interface UserFacts {
  user: Blacklisted;
  now: number;
  onRemove: (user: Blacklisted) => void;
}

const COLUMNS: readonly TableColumn<Blacklisted, UserFacts>[] = [
  {
    id: 'user',
    name: 'User',
    head: ['User'],
    width: 112,
    namedWidth: 180,
    grows: 0.1,
    rank: 0,
    sortedBy: ({ address }) => address,
    cell: ({ user }) => <User address={user.address} copies renames />,
  },
  {
    id: 'reason',
    name: 'Reason',
    head: ['Reason'],
    width: 60,
    grows: 1,
    rank: 0,
    sortedBy: ({ reason }) => reason,
    tip: ({ user: { since, actor, onlyHere }, now }) =>
      `since ${momentText(since, now)} ${zoneName(since)}, by ${actor}${onlyHere ? '\nby this desk only: not in /blacklist' : ''}`,
    cell: ({ user }) => <BlacklistReason reason={user.reason} onlyHere={user.onlyHere} />,
  },
  {
    id: 'until',
    name: 'Until',
    get head() {
      return [`Until, ${zoneName()}`] as const;
    },
    width: 82,
    grows: 0.1,
    rank: 1,
    className: 'muted',
    // One for good ends after all others.
    sortedBy: ({ until }) => until ?? Number.POSITIVE_INFINITY,
    cell: ({ user: { until }, now }) => (until === null ? 'for good' : momentText(until, now)),
  },
  {
    id: 'remove',
    name: 'Remove',
    head: [],
    width: 58,
    grows: 0,
    rank: 0,
    align: 'right',
    cell: ({ user, onRemove }) => <TextButton onClick={() => onRemove(user)}>Remove…</TextButton>,
  },
];

export function BlacklistPanel({ chainId }: { chainId: number }) {
  const { queries, desk } = useConsole();
  const cache = useQueryClient();
  const list = useBlacklist(chainId);
  const [removing, setRemoving] = useState<Blacklisted | null>(null);
  const rows = list.data ?? NOBODY;
  const view = useTableView({ name: 'blacklist', columns: COLUMNS, rows });
  const hidden = rows.filter(({ onlyHere }) => onlyHere).length;
  return (
    <Panel
      name="On the list"
      aside={
        list.data === undefined
          ? undefined
          : `${plural(rows.length, 'address', 'addresses')}${hidden === 0 ? '' : `, ${countText(hidden)} only here`}`
      }
      actions={
        <>
          <ListMenu chainId={chainId} users={list.data} />
          <ColumnsMenu view={view} of="On the list" />
        </>
      }
    >
      <DataTable
        name="On the list"
        view={view}
        rows={view.rows}
        read={list}
        unknown="The list is not known here; the desk goes on refusing who is on it"
        row={(user, columns) => (
          <tr key={user.address} {...storiesOf({ kind: 'user', chainId, address: user.address })}>
            <Cells columns={columns} facts={{ user, now: desk.now(), onRemove: setRemoving }} />
          </tr>
        )}
      >
        <Empty title="Nobody is on the list">
          It refuses nobody. Add a user from the board, or with the form below.
        </Empty>
      </DataTable>
      {removing !== null && (
        <RemoveDialog
          chainId={chainId}
          address={removing.address}
          onlyHere={removing.onlyHere}
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
    <Dialog title={`Quote ${userText(useNames(), props.address)} again?`} needs="trade" onClose={props.onClose}>
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
            : 'The service probably keeps the address for good where it has read it from our list or was answered 403 for it: ask it to take the address off.'}
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
