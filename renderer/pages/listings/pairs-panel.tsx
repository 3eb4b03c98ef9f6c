import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChainConfig } from '../../../electron/contract/desk-file.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Empty } from '../../components/empty.tsx';
import { countText, plural } from '../../components/figures/counts.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { stampText } from '../../components/figures/times.ts';
import { Mark } from '../../components/mark.tsx';
import { Panel } from '../../components/panel.tsx';
import { RowGap } from '../../components/row-gap.tsx';
import { useRowWindow } from '../../components/use-row-window.ts';
import { useClient, useDesk, useQueries } from '../../state/console.tsx';
import { findPair } from '../../state/live-desk.ts';
import { PairForm } from './pair-form.tsx';

type Listed = Pick<ChainConfig, 'tokens' | 'pairs' | 'retireHours'>;

export function PairsPanel({ chainId, tokens, pairs, retireHours }: { chainId: number } & Listed) {
  const client = useClient();
  const cache = useQueryClient();
  const queries = useQueries();
  const live = useDesk((view) => view.pairs);
  const [editing, setEditing] = useState<string | null>(null);
  const [retiring, setRetiring] = useState<string | null>(null);
  const reread = () => cache.invalidateQueries({ queryKey: queries.listings.list.key() });
  const rows = Object.entries(pairs);
  const { scroller, first, end, above, below } = useRowWindow(rows.length);
  return (
    <Panel name="Pairs" aside={plural(rows.length, 'pair')}>
      <div className="scroll" ref={scroller}>
        {rows.length === 0 && <Empty title="No pair yet">Add one below; then give it prices (G P).</Empty>}
        <table className="grid">
          <colgroup>
            <col />
            <col className="t-usd" />
            <col className="t-state" />
            <col className="t-actions" />
          </colgroup>
          <thead>
            <tr>
              <th>Pair</th>
              <th className="right">Liquidity, USD</th>
              <th>State</th>
              <td />
            </tr>
          </thead>
          <tbody>
            <RowGap height={above} />
            {rows.slice(first, end).map(([pair, { base, quote, liquidityUSD }]) => {
              const row = findPair(live, chainId, pair);
              return (
                <tr key={pair} aria-selected={editing === pair}>
                  <td>
                    <PairName pair={pair} />{' '}
                    {pair !== `${base}/${quote}` && (
                      <span className="unit">
                        {base} for {quote}
                      </span>
                    )}
                  </td>
                  <td className="right">{countText(Math.floor(liquidityUSD))}</td>
                  <PairState fault={row?.fault ?? null} retiredUntil={row?.retiredUntil ?? null} />
                  <td className="actions">
                    <button type="button" className="link" onClick={() => setEditing(pair)}>
                      Edit
                    </button>{' '}
                    {(row?.retiredUntil ?? null) === null && (
                      <button type="button" className="link" onClick={() => setRetiring(pair)}>
                        Retire…
                      </button>
                    )}
                  </td>
                </tr>
              );
            })}
            <RowGap height={below} />
          </tbody>
        </table>
      </div>
      <PairForm
        key={editing ?? ''}
        chainId={chainId}
        tokenIds={Object.keys(tokens)}
        edited={editing === null ? null : { pair: editing, definition: pairs[editing] }}
        onDone={() => {
          setEditing(null);
          return reread();
        }}
        onCancel={() => setEditing(null)}
      />
      {retiring !== null && (
        <ConfirmDialog
          title={`Retire ${retiring}?`}
          keep="Keep quoting it"
          act={`Retire ${retiring}`}
          onClose={() => setRetiring(null)}
          send={async () => {
            await client.listings.retirePair({ chainId, pair: retiring });
            await reread();
          }}
        >
          Its prices are served as {'{}'} from now on and no quote is signed. After {retireHours} h it leaves /pairs.
          What is signed stays fillable until it expires.
        </ConfirmDialog>
      )}
    </Panel>
  );
}

function PairState({ fault, retiredUntil }: { fault: string | null; retiredUntil: number | null }) {
  if (fault !== null) {
    return (
      <td className="stop with-mark" title={fault}>
        <Mark shape="refused" />
        {fault}
      </td>
    );
  }
  if (retiredUntil !== null) return <td className="muted">retired, listed until {stampText(retiredUntil)}</td>;
  return <td className="muted">listed</td>;
}
