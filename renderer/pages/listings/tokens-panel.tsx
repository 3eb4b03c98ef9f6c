import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { ExposureRow } from '../../../electron/contract/desk-view.ts';
import { Button, TextButton } from '../../components/button.tsx';
import { ChangesLink } from '../../components/changes-link.tsx';
import { ColumnsMenu } from '../../components/columns-menu.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Cells, DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Address } from '../../components/figures/address.tsx';
import { amountText } from '../../components/figures/amounts.ts';
import { plural } from '../../components/figures/counts.ts';
import { fromRaw, readDecimal } from '../../components/figures/decimal-text.ts';
import { decimalText, exactText } from '../../components/figures/prices.ts';
import { InSight } from '../../components/note.tsx';
import { Panel } from '../../components/panel.tsx';
import type { TableColumn } from '../../components/table-columns.ts';
import { useTableView } from '../../components/use-table-view.ts';
import { useClient, useDesk, useQueries } from '../../state/console.tsx';
import { storiesOf } from '../../state/story.ts';
import type { Token, useListings } from '../../state/tokens.ts';
import { toldToAll } from '../../state/told-to-all.ts';
import styles from './listings-page.module.css';
import { TokenForm } from './token-form.tsx';
import { useOpenForm } from './use-open-form.ts';

/** `held`: what the maker has of it and what is signed for; null where the desk does not say. */
type TokenLine = { tokenId: string; held: ExposureRow | null } & Token;

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
    id: 'price',
    name: 'Price, USD',
    head: ['Price, USD'],
    title: 'A dollar token counts as 1, any other as the fresh reference of its pair in dollars',
    width: 72,
    grows: 0,
    rank: 4,
    align: 'right',
    className: 'live-figure',
    sortedBy: ({ held }) => readDecimal(held?.dollars ?? ''),
    tip: ({ row: { tokenId, held } }) =>
      held?.dollars ? exactText(held.dollars) : `No dollar price of ${tokenId} is known, or it is too old`,
    cell: ({ row: { held } }) => (held?.dollars ? dollarPriceText(held.dollars) : '—'),
  },
  {
    id: 'held',
    name: 'Held by the maker',
    head: ['Held'],
    title: 'By the maker',
    width: 104,
    grows: 0,
    rank: 5,
    align: 'right',
    className: 'live-figure',
    sortedBy: ({ held, decimals }) => (held?.balance == null ? null : fromRaw(held.balance, decimals)),
    cell: ({ row: { held, ...token } }) => (held?.balance == null ? '—' : amountText(held.balance, token)),
  },
  {
    id: 'live',
    name: 'Signed and still live',
    head: ['Still live'],
    title: 'Signed and can still be filled',
    width: 84,
    grows: 0,
    rank: 6,
    align: 'right',
    className: 'live-figure',
    sortedBy: ({ held, decimals }) => (held === null ? null : fromRaw(held.live, decimals)),
    cell: ({ row: { held, ...token } }) => (held === null ? '—' : amountText(held.live, token, 'up')),
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

/** With two decimals, below one with four digits that are not leading zeros: its point stands still while it moves. */
export function dollarPriceText(dollars: string): string {
  const zeros = /^0\.(0*)[1-9]/.exec(dollars)?.[1]?.length;
  return decimalText(dollars, zeros === undefined ? 2 : zeros + 4);
}

const NONE: Record<string, never> = {};

export function TokensPanel(props: {
  chainId: number;
  listed: ReturnType<typeof useListings>;
  /** The token whose form the address of the page opens. */
  asked: string | null;
  onLeave: () => void;
}) {
  const { chainId, listed } = props;
  const tokens = listed.data?.tokens ?? NONE;
  const client = useClient();
  const cache = useQueryClient();
  const queries = useQueries();
  const { form, key, isAdding, around, open, anew, close } = useOpenForm(props.asked, props.onLeave);
  const [removing, setRemoving] = useState<string | null>(null);
  const exposure = useDesk((view) => view.exposure);
  const rows = useMemo(() => {
    const held = new Map(exposure.filter((row) => row.chainId === chainId).map((row) => [row.tokenId, row]));
    return Object.entries(tokens).map(([tokenId, token]) => ({ tokenId, held: held.get(tokenId) ?? null, ...token }));
  }, [tokens, exposure, chainId]);
  const view = useTableView({ name: 'tokens', columns: COLUMNS, rows });
  const usedBy = (tokenId: string) =>
    Object.entries(listed.data?.pairs ?? NONE).filter(([, pair]) => pair.base === tokenId || pair.quote === tokenId);
  const reread = async () => {
    await cache.invalidateQueries({ queryKey: queries.listings.list.key() });
    await toldToAll();
  };
  return (
    <Panel
      name="Tokens"
      aside={listed.data && plural(rows.length, 'token')}
      actions={
        <>
          <Button
            needs="settings"
            disabled={listed.data === undefined}
            aria-expanded={isAdding}
            onClick={() => open(null)}
          >
            Add a token…
          </Button>
          <ColumnsMenu view={view} of="Tokens" />
        </>
      }
    >
      <DataTable
        name="Tokens"
        view={view}
        rows={view.rows}
        read={listed}
        unknown="The tokens are not known here; they are served as before"
        bars={5}
        row={(row, columns) => (
          <tr
            key={row.tokenId}
            aria-selected={form?.edited === row.tokenId}
            {...storiesOf({ kind: 'token', chainId, tokenId: row.tokenId })}
          >
            <Cells columns={columns} facts={{ row, chainId, onEdit: open, onRemove: setRemoving }} />
          </tr>
        )}
      >
        <Empty title="No token yet">Press “Add a token…” above; a pair needs two.</Empty>
      </DataTable>
      {listed.data !== undefined && form !== null && (
        <InSight of={form.edited}>
          <div {...around}>
            <TokenForm
              key={key}
              chainId={chainId}
              edited={form.edited === null ? null : { tokenId: form.edited, token: tokens[form.edited] }}
              showNow={() => void reread().then(anew)}
              onDone={() => {
                close();
                return reread();
              }}
              onCancel={close}
            />
          </div>
        </InSight>
      )}
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
