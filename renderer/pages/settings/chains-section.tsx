import { useState } from 'react';
import type { SetUpChain } from '../../../electron/contract/console/settings.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Empty } from '../../components/empty.tsx';
import { plural } from '../../components/figures/counts.ts';
import { useClient } from '../../state/console.tsx';
import { AddChain } from './add-chain.tsx';
import { ChainForm } from './chain-form.tsx';
import { HaltedOnly, useHalted } from './halted-only.tsx';
import type { SectionProps } from './section-props.ts';

/** The chains of the desk: one is open for editing at a time. */
export function ChainsSection({ settings, onChanged }: SectionProps) {
  const client = useClient();
  const halted = useHalted();
  const { chains } = settings.desk;
  const [open, setOpen] = useState<number | null>(chains[0]?.chainId ?? null);
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<SetUpChain | null>(null);
  return (
    <>
      <HaltedOnly />
      {chains.length === 0 && <Empty title="No chain yet">The Desk page (G D) walks through the first one.</Empty>}
      {chains.map((chain) => (
        <section key={chain.chainId} className="setting" aria-label={chain.name}>
          <header>
            <h3>{chain.name}</h3>
            <span className="quiet">
              chain {chain.chainId} · {plural(chain.tokenIds.length, 'token')} · {plural(chain.pairs, 'pair')}
            </span>
            <span className="fill" />
            <button
              type="button"
              className="button is-quiet"
              aria-expanded={open === chain.chainId}
              onClick={() => setOpen(open === chain.chainId ? null : chain.chainId)}
            >
              {open === chain.chainId ? 'Fold' : 'Edit'}
            </button>
            <button type="button" className="button is-quiet" disabled={!halted} onClick={() => setRemoving(chain)}>
              Remove…
            </button>
          </header>
          {open === chain.chainId && <ChainForm key={JSON.stringify(chain)} chain={chain} onSaved={onChanged} />}
        </section>
      ))}
      <div className="setting-foot">
        <button type="button" className="button" disabled={!halted} onClick={() => setAdding(true)}>
          Add a chain…
        </button>
      </div>
      {adding && <AddChain settings={settings} onChanged={onChanged} onClose={() => setAdding(false)} />}
      {removing !== null && (
        <ConfirmDialog
          title={`Remove ${removing.name}?`}
          keep="Keep it"
          act={`Remove ${removing.name}`}
          send={async () => {
            await client.settings.removeChain({ chainId: removing.chainId });
            onChanged();
          }}
          onClose={() => setRemoving(null)}
        >
          Its tokens, {plural(removing.pairs, 'pair')} and ladders leave the desk. What was signed stays in the log, and
          what is open stays fillable until it expires.
        </ConfirmDialog>
      )}
    </>
  );
}
