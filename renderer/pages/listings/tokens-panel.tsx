import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChainConfig } from '../../../electron/contract/desk-file.ts';
import { TextButton } from '../../components/button.tsx';
import { ChangesLink } from '../../components/changes-link.tsx';
import { ColumnsMenu } from '../../components/columns-menu.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Cells, DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Address } from '../../components/figures/address.tsx';
import { plural } from '../../components/figures/counts.ts';
import { Panel } from '../../components/panel.tsx';
import type { TableColumn } from '../../components/table-columns.ts';
import { useTableView } from '../../components/use-table-view.ts';
import { useClient, useQueries } from '../../state/console.tsx';
import { storiesOf } from '../../state/story.ts';
import { toldToAll } from '../../state/told-to-all.ts';
import styles from './listings-page.module.css';
import { TokenForm } from './token-form.tsx';

type Listed = Pick<ChainConfig, 'tokens' | 'pairs'>;

type TokenLine = { tokenId: string } & Listed['tokens'][string];

interface TokenFacts {
  row: TokenLine;
  chainId: number;
  onEdit: (tokenId: string) => void;
  onRemove: (tokenId: string) => void;
}

const COLUMNS: readonly TableColumn<TokenLine, TokenFacts>[] = [
  {
    id: 'token',
    name: 'Token',
    head: ['Token'],
    width: 58,
    grows: 0.4,
    rank: 0,
    className: 'strong',
    sortedBy: ({ tokenId }) => tokenId,
    cell: ({ row: { tokenId, symbol } }) => (
      <>
        {tokenId} {symbol !== tokenId && <span className="unit">{symbol}</span>}
      </>
    ),
  },
  {
    id: 'name',
    name: 'Name',
    head: ['Name'],
    width: 80,
    grows: 1,
    rank: 3,
    className: 'muted',
    sortedBy: ({ name }) => name,
    tip: ({ row }) => row.description,
    cell: ({ row }) => row.name,
  },
  {
    id: 'decimals',
    name: 'Decimals',
    head: ['Decimals'],
    width: 54,
    grows: 0,
    rank: 2,
    align: 'right',
    sortedBy: ({ decimals }) => decimals,
    cell: ({ row }) => row.decimals,
  },
  {
    id: 'contract',
    name: 'Contract',
    head: ['Contract'],
    width: 92,
    grows: 0.1,
    rank: 1,
    cell: ({ row }) => <Address hex={row.address} of="contract’s address" />,
  },
  {
    id: 'actions',
    name: 'Changes, edit, remove',
    head: [],
    width: 134,
    grows: 0,
    rank: 0,
    align: 'right',
    className: styles.actions,
    cell: ({ row: { tokenId }, chainId, onEdit, onRemove }) => (
      <>
        <ChangesLink of={{ kind: 'token', chainId, tokenId }} />{' '}
        <TextButton onClick={() => onEdit(tokenId)}>Edit</TextButton>{' '}
        <TextButton onClick={() => onRemove(tokenId)}>Remove…</TextButton>
      </>
    ),
  },
];

export function TokensPanel(
  props: Listed & {
    chainId: number;
    /** The token whose form the address of the page opens. */
    asked: string | null;
    onLeave: () => void;
  },
) {
  const { chainId, tokens, pairs, asked } = props;
  const client = useClient();
  const cache = useQueryClient();
  const queries = useQueries();
  const [editing, setEditing] = useState<string | null>(asked);
  /** Counts how often the form was opened anew. */
  const [opened, setOpened] = useState(0);
  const [removing, setRemoving] = useState<string | null>(null);
  const rows = Object.entries(tokens).map(([tokenId, token]) => ({ tokenId, ...token }));
  const view = useTableView({ name: 'tokens', columns: COLUMNS, rows });
  const usedBy = (tokenId: string) =>
    Object.entries(pairs).filter(([, pair]) => pair.base === tokenId || pair.quote === tokenId);
  const reread = async () => {
    await cache.invalidateQueries({ queryKey: queries.listings.list.key() });
    await toldToAll();
  };
  return (
    <Panel name="Tokens" aside={plural(rows.length, 'token')} actions={<ColumnsMenu view={view} of="Tokens" />}>
      <DataTable
        name="Tokens"
        view={view}
        rows={view.rows}
        row={(row, columns) => (
          <tr
            key={row.tokenId}
            aria-selected={editing === row.tokenId}
            {...storiesOf({ kind: 'token', chainId, tokenId: row.tokenId })}
          >
            <Cells columns={columns} facts={{ row, chainId, onEdit: setEditing, onRemove: setRemoving }} />
          </tr>
        )}
      >
        <Empty title="No token yet">Add the first one below; a pair needs two.</Empty>
      </DataTable>
      <TokenForm
        key={`${opened} ${editing ?? ''}`}
        chainId={chainId}
        edited={editing === null ? null : { tokenId: editing, token: tokens[editing] }}
        showNow={() => void reread().then(() => setOpened(opened + 1))}
        onDone={async () => {
          setEditing(null);
          await reread();
          props.onLeave();
        }}
        onCancel={() => {
          setEditing(null);
          props.onLeave();
        }}
      />
      {removing !== null && (
        <ConfirmDialog
          needs="settings"
          title={`Remove ${removing}?`}
          keep="Keep it"
          act={`Remove ${removing}`}
          onClose={() => setRemoving(null)}
          send={async () => {
            await client.listings.removeToken({ chainId, tokenId: removing });
            await reread();
          }}
        >
          {usedBy(removing).length === 0
            ? 'It leaves /tokens at once. Quotes that were signed stay fillable.'
            : `${usedBy(removing)
                .map(([pair]) => pair)
                .join(', ')} trade it: retire them first.`}
        </ConfirmDialog>
      )}
    </Panel>
  );
}
