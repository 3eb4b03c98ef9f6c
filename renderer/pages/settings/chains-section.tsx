import { useState } from 'react';
import { Link } from 'wouter';
import type { SetUpChain } from '../../../electron/contract/console/settings.ts';
import { Button } from '../../components/button.tsx';
import { CheckList } from '../../components/check-list.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { Empty } from '../../components/empty.tsx';
import { Field } from '../../components/field.tsx';
import { plural } from '../../components/figures/counts.ts';
import { NetworkField, NodeField, SecondNodeField } from '../../components/network-fields.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { FormStack } from '../../components/stack.tsx';
import { useClient } from '../../state/console.tsx';
import { NETWORKS } from '../../state/network-presets.ts';
import { pagePath } from '../../state/pages.ts';
import { faultOf, faultsElsewhere } from '../../state/refusal-of.ts';
import { pageKeys } from '../../state/shortcuts.ts';
import { useCommand } from '../../state/use-command.ts';
import { useTriedNode } from '../../state/use-tried-node.ts';
import { ChainForm } from './chain-form.tsx';
import { useHalted } from './halted-only.tsx';
import styles from './settings-page.module.css';
import type { SectionProps } from './use-settings.ts';

const WHILE_HALTED = 'Chains are added and removed only while the desk is halted.';

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
      {chains.length === 0 && (
        <Empty title="No chain yet">
          <Link href={pagePath('desk')}>Desk</Link> ({pageKeys('desk')}) walks through the first one.
        </Empty>
      )}
      {chains.map((chain) => (
        <section key={chain.chainId} className={styles.setting} aria-label={chain.name}>
          <header>
            <h3>{chain.name}</h3>
            <span className="quiet">
              chain {chain.chainId} · {plural(chain.tokenIds.length, 'token')} · {plural(chain.pairs, 'pair')}
            </span>
            <Button
              look="quiet"
              aria-expanded={open === chain.chainId}
              onClick={() => setOpen(open === chain.chainId ? null : chain.chainId)}
            >
              {open === chain.chainId ? 'Fold' : 'Edit'}
            </Button>
            <Button
              look="quiet"
              disabled={!halted}
              title={halted ? undefined : WHILE_HALTED}
              onClick={() => setRemoving(chain)}
            >
              Remove…
            </Button>
          </header>
          {open === chain.chainId && <ChainForm key={JSON.stringify(chain)} chain={chain} onSaved={onChanged} />}
        </section>
      ))}
      <div className={styles.foot}>
        <Button disabled={!halted} title={halted ? undefined : WHILE_HALTED} onClick={() => setAdding(true)}>
          Add a chain…
        </Button>
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

/** Another chain from a preset: what is public comes from it, the node and the maker from the person. */
function AddChain({ settings, onChanged, onClose }: SectionProps & { onClose: () => void }) {
  const client = useClient();
  const known = new Set(settings.desk.chains.map(({ chainId }) => chainId));
  const free = NETWORKS.filter(({ chainId }) => !known.has(chainId));
  const [chainId, setChainId] = useState(free[0]?.chainId ?? 0);
  const [rpcUrl, setRpcUrl] = useState('');
  const [secondRpcUrl, setSecondRpcUrl] = useState('');
  const [maker, setMaker] = useState<string>(settings.desk.chains[0]?.maker ?? settings.signer.address ?? '');
  const preset = free.find((network) => network.chainId === chainId);
  const tried = useTriedNode({ chainId, rpcUrl, secondRpcUrl, rfqContract: preset?.rfqContract ?? '' });
  const add = useCommand(async () => {
    if (preset === undefined) return;
    const signer = settings.desk.chains[0]?.signer ?? settings.signer.address ?? '';
    const second = secondRpcUrl.trim();
    const nodes = { rpcUrl: rpcUrl.trim(), ...(second !== '' && { secondRpcUrl: second }) };
    const chain = { ...preset, basePath: `/${chainId}`, ...nodes, maker: maker.trim(), signer };
    await client.settings.saveChain({
      chain: chain as Parameters<typeof client.settings.saveChain>[0]['chain'],
      seen: null,
    });
    onChanged();
    onClose();
  });
  return (
    <Dialog title="Add a chain" onClose={onClose}>
      <FormStack
        onSubmit={(event) => {
          event.preventDefault();
          add.run();
        }}
      >
        <NetworkField networks={free} chainId={chainId} onChange={(network) => setChainId(network.chainId)} />
        <NodeField value={rpcUrl} fault={faultOf(add.refusal, 'rpcUrl')} onChange={setRpcUrl} />
        <SecondNodeField value={secondRpcUrl} fault={faultOf(add.refusal, 'secondRpcUrl')} onChange={setSecondRpcUrl} />
        {rpcUrl.trim() !== '' && <CheckList checks={tried.checks} />}
        <Field
          label="Maker"
          large
          className="mono"
          placeholder="0x…"
          value={maker}
          fault={faultOf(add.refusal, 'maker')}
          onChange={(event) => setMaker(event.target.value)}
        />
        {add.refusal !== null && (
          <RefusalNote
            refusal={add.refusal}
            elsewhere={faultsElsewhere(add.refusal, ['rpcUrl', 'secondRpcUrl', 'maker'])}
          />
        )}
        <DialogActions>
          <Button size="large" onClick={onClose}>
            Leave it
          </Button>
          <Button
            type="submit"
            look="primary"
            size="large"
            disabled={rpcUrl.trim() === '' || maker.trim() === '' || add.busy}
          >
            Add the chain
          </Button>
        </DialogActions>
      </FormStack>
    </Dialog>
  );
}
