import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChainConfig } from '../../../electron/contract/desk-file.ts';
import { TextButton } from '../../components/button.tsx';
import { ChangesLink } from '../../components/changes-link.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Empty } from '../../components/empty.tsx';
import { Address } from '../../components/figures/address.tsx';
import { plural } from '../../components/figures/counts.ts';
import { Panel } from '../../components/panel.tsx';
import { RowTable } from '../../components/virtual-rows.tsx';
import { useClient, useQueries } from '../../state/console.tsx';
import styles from './listings-page.module.css';
import { TokenForm } from './token-form.tsx';

type Listed = Pick<ChainConfig, 'tokens' | 'pairs'>;

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
  const rows = Object.entries(tokens);
  const usedBy = (tokenId: string) =>
    Object.entries(pairs).filter(([, pair]) => pair.base === tokenId || pair.quote === tokenId);
  const reread = () => cache.invalidateQueries({ queryKey: queries.listings.list.key() });
  return (
    <Panel name="Tokens" aside={plural(rows.length, 'token')}>
      <RowTable
        rows={rows}
        head={
          <>
            <colgroup>
              <col className={styles.idColumn} />
              <col />
              <col className={styles.decimalsColumn} />
              <col className={styles.addressColumn} />
              <col className={styles.actionsColumn} />
            </colgroup>
            <thead>
              <tr>
                <th>Token</th>
                <th>Name</th>
                <th className="right">Decimals</th>
                <th>Contract</th>
                <td />
              </tr>
            </thead>
          </>
        }
        row={([tokenId, token]) => (
          <tr key={tokenId} aria-selected={editing === tokenId}>
            <td className="strong">
              {tokenId} {token.symbol !== tokenId && <span className="unit">{token.symbol}</span>}
            </td>
            <td className="muted" title={token.description}>
              {token.name}
            </td>
            <td className="right">{token.decimals}</td>
            <td>
              <Address hex={token.address} of="contract’s address" />
            </td>
            <td className="right">
              <ChangesLink chainId={chainId} tokenId={tokenId} />{' '}
              <TextButton onClick={() => setEditing(tokenId)}>Edit</TextButton>{' '}
              <TextButton onClick={() => setRemoving(tokenId)}>Remove…</TextButton>
            </td>
          </tr>
        )}
      >
        <Empty title="No token yet">Add the first one below; a pair needs two.</Empty>
      </RowTable>
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
