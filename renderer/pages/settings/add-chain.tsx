import { useState } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { NetworkField, NodeField } from '../../components/network-fields.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { useClient } from '../../state/console.tsx';
import { NETWORKS } from '../../state/network-presets.ts';
import { faultOf, faultsElsewhere } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import type { SectionProps } from './section-props.ts';

/** Another chain from a preset: what is public comes from it, the node and the maker from the person. */
export function AddChain({ settings, onChanged, onClose }: SectionProps & { onClose: () => void }) {
  const client = useClient();
  const known = new Set(settings.desk.chains.map(({ chainId }) => chainId));
  const free = NETWORKS.filter(({ chainId }) => !known.has(chainId));
  const [chainId, setChainId] = useState(free[0]?.chainId ?? 0);
  const [rpcUrl, setRpcUrl] = useState('');
  const [maker, setMaker] = useState<string>(settings.desk.chains[0]?.maker ?? settings.signer.address ?? '');
  const add = useCommand(async () => {
    const preset = free.find((network) => network.chainId === chainId);
    if (preset === undefined) return;
    const signer = settings.desk.chains[0]?.signer ?? settings.signer.address ?? '';
    const chain = { ...preset, basePath: `/${chainId}`, rpcUrl: rpcUrl.trim(), maker: maker.trim(), signer };
    await client.settings.saveChain({ chain: chain as Parameters<typeof client.settings.saveChain>[0]['chain'] });
    onChanged();
    onClose();
  });
  return (
    <Dialog title="Add a chain" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          add.run();
        }}
      >
        <NetworkField networks={free} chainId={chainId} onChange={(network) => setChainId(network.chainId)} />
        <NodeField value={rpcUrl} fault={faultOf(add.refusal, 'rpcUrl')} onChange={setRpcUrl} />
        <Field
          label="Maker"
          className="is-large mono"
          placeholder="0x…"
          value={maker}
          fault={faultOf(add.refusal, 'maker')}
          onChange={(event) => setMaker(event.target.value)}
        />
        {add.refusal !== null && (
          <RefusalNote refusal={add.refusal} elsewhere={faultsElsewhere(add.refusal, ['rpcUrl', 'maker'])} />
        )}
        <div className="actions">
          <button type="button" className="button is-large" onClick={onClose}>
            Leave it
          </button>
          <button
            type="submit"
            className="button is-large is-primary"
            disabled={rpcUrl.trim() === '' || maker.trim() === '' || add.busy}
          >
            Add the chain
          </button>
        </div>
      </form>
    </Dialog>
  );
}
