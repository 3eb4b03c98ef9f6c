import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { CheckList } from '../../components/check-list.tsx';
import { Field } from '../../components/field.tsx';
import { NetworkField, NodeField, SecondNodeField } from '../../components/network-fields.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { useClient } from '../../state/console.tsx';
import { NETWORKS } from '../../state/network-presets.ts';
import { faultOf, faultsElsewhere } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import { useTriedNode } from '../../state/use-tried-node.ts';
import styles from './first-start.module.css';
import type { SetUp } from './set-up.ts';

const FIELDS = ['rpcUrl', 'secondRpcUrl', 'rfqContract', 'domainName'] as const;

/** The chain and its node: what is public comes from the preset, and the node is asked while it is typed. */
export function NetworkStep({ settings, chain, signer, onChanged, onChain }: SetUp) {
  const client = useClient();
  const known = new Set(settings.desk.chains.map((one) => one.chainId));
  const networks = NETWORKS.filter((one) => !known.has(one.chainId));
  const [chainId, setChainId] = useState(chain?.chainId ?? networks[0]?.chainId ?? 1);
  const preset = NETWORKS.find((network) => network.chainId === chainId);
  const [texts, setTexts] = useState({
    rpcUrl: chain?.rpcUrl ?? '',
    secondRpcUrl: chain?.secondRpcUrl ?? '',
    rfqContract: chain?.rfqContract ?? preset?.rfqContract ?? '',
    domainName: chain?.domainName ?? preset?.domainName ?? '',
  });
  const { checks, isFine } = useTriedNode({ chainId, ...texts });
  const take = useCommand(async () => {
    const second = texts.secondRpcUrl.trim();
    const changed = {
      chainId,
      rpcUrl: texts.rpcUrl.trim(),
      secondRpcUrl: second === '' ? null : second,
      rfqContract: texts.rfqContract.trim().toLowerCase(),
      domainName: texts.domainName,
    };
    if (chain !== null) {
      const { rpcUrl, secondRpcUrl = null, rfqContract, domainName } = chain;
      const seen = { rpcUrl, secondRpcUrl, rfqContract, domainName };
      await client.settings.saveChain({ chain: changed, seen } as SaveChain);
    } else {
      const own = { basePath: `/${chainId}`, maker: signer, signer };
      await client.settings.saveChain({ chain: { ...preset, ...changed, ...own }, seen: null } as SaveChain);
      onChain(chainId);
    }
    onChanged();
  });
  type SaveChain = Parameters<typeof client.settings.saveChain>[0];
  const field = (name: (typeof FIELDS)[number]) => ({
    value: texts[name],
    fault: faultOf(take.refusal, name),
    onChange: (event: { target: { value: string } }) => setTexts({ ...texts, [name]: event.target.value }),
  });
  return (
    <form
      className={styles.stack}
      onSubmit={(event) => {
        event.preventDefault();
        if (isFine && signer !== null) take.run();
      }}
    >
      <div className={styles.pairOfFields}>
        {chain === null ? (
          <NetworkField
            networks={networks}
            chainId={chainId}
            onChange={({ chainId: id, rfqContract, domainName }) => {
              setChainId(id);
              setTexts({ ...texts, rfqContract, domainName });
            }}
          />
        ) : (
          <Field label="Network" large disabled value={chain.name} hint={`chain ${chain.chainId}`} />
        )}
        <NodeField
          value={texts.rpcUrl}
          fault={faultOf(take.refusal, 'rpcUrl')}
          onChange={(rpcUrl) => setTexts({ ...texts, rpcUrl })}
        />
        <SecondNodeField
          value={texts.secondRpcUrl}
          fault={faultOf(take.refusal, 'secondRpcUrl')}
          onChange={(secondRpcUrl) => setTexts({ ...texts, secondRpcUrl })}
        />
        <Field
          label="RFQ contract"
          large
          className="mono"
          hint="from the preset; orders are signed for it"
          {...field('rfqContract')}
        />
        <Field label="Domain name" large hint="from the preset; of the EIP-712 domain" {...field('domainName')} />
      </div>
      <div className={styles.checks}>
        <CheckList checks={checks} />
      </div>
      {take.refusal !== null && (
        <RefusalNote refusal={take.refusal} elsewhere={faultsElsewhere(take.refusal, FIELDS)} showNow={onChanged} />
      )}
      <div className={styles.row}>
        <Button type="submit" look="primary" size="large" disabled={!isFine || signer === null || take.busy}>
          {chain === null ? 'Take this network' : 'Save the network'}
        </Button>
        {signer === null && (
          <span className="muted">It waits for the key, whose signature its contract has to take.</span>
        )}
      </div>
    </form>
  );
}
