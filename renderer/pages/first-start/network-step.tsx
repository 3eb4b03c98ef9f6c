import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { SelfCheck } from '../../../electron/contract/service-view.ts';
import { Button } from '../../components/button.tsx';
import { CheckList } from '../../components/check-list.tsx';
import { Field } from '../../components/field.tsx';
import { NetworkField, NodeField } from '../../components/network-fields.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { useClient, useQueries } from '../../state/console.tsx';
import { NETWORKS } from '../../state/network-presets.ts';
import { faultOf, faultsElsewhere, refusalOf } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import styles from './first-start.module.css';
import type { SetUp } from './set-up.ts';

const SETTLED_MS = 600;
const FIELDS = ['rpcUrl', 'rfqContract', 'domainName'] as const;

/** The chain and its node: what is public comes from the preset, and the node is asked while it is typed. */
export function NetworkStep({ chain, signer, onChanged }: SetUp) {
  const client = useClient();
  const [chainId, setChainId] = useState(chain?.chainId ?? NETWORKS[0]?.chainId ?? 1);
  const preset = NETWORKS.find((network) => network.chainId === chainId);
  const [texts, setTexts] = useState({
    rpcUrl: chain?.rpcUrl ?? '',
    rfqContract: chain?.rfqContract ?? preset?.rfqContract ?? '',
    domainName: chain?.domainName ?? preset?.domainName ?? '',
  });
  const asked = { chainId, rpcUrl: texts.rpcUrl.trim(), rfqContract: texts.rfqContract.trim().toLowerCase() };
  const { checks, isFine } = useTriedNode(asked);
  const take = useCommand(async () => {
    const changed = { ...asked, domainName: texts.domainName };
    if (chain !== null) {
      const { rpcUrl, rfqContract, domainName } = chain;
      await client.settings.saveChain({ chain: changed, seen: { rpcUrl, rfqContract, domainName } } as SaveChain);
    } else {
      const own = { basePath: `/${chainId}`, maker: signer, signer };
      await client.settings.saveChain({ chain: { ...preset, ...changed, ...own }, seen: null } as SaveChain);
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
            networks={NETWORKS}
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

/** What the node says of itself, of the chain and of the contract; anew once nobody has typed for a moment. */
function useTriedNode(asked: { chainId: number; rpcUrl: string; rfqContract: string }): {
  checks: readonly SelfCheck[];
  isFine: boolean;
} {
  const text = JSON.stringify(asked);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const lacks = lackOf(asked);
  const tried = useQuery(
    useQueries().settings.tryChain.queryOptions({
      input: { ...JSON.parse(settled), tokens: {} },
      enabled: lacks === null && settled === text,
      staleTime: 10_000,
      refetchInterval: ({ state }) => (state.data?.every(({ outcome }) => outcome === 'passed') ? false : 3_000),
    }),
  );
  const said = (outcome: SelfCheck['outcome'], sentence: string) => ({
    checks: [{ name: 'node', outcome, sentence }],
    isFine: false,
  });
  if (lacks !== null) return said('waiting', lacks);
  if (settled !== text) return said('waiting', 'Asking the node…');
  if (tried.data !== undefined) {
    return { checks: tried.data, isFine: tried.data.every(({ outcome }) => outcome === 'passed') };
  }
  return tried.error === null ? said('waiting', 'Asking the node…') : said('failed', refusalOf(tried.error).sentence);
}

function lackOf({ rpcUrl, rfqContract }: { rpcUrl: string; rfqContract: string }): string | null {
  if (!/^(https?|wss?):\/\/\S+$/.test(rpcUrl)) return 'The address of a node: http, https, ws or wss.';
  return /^0x[0-9a-f]{40}$/.test(rfqContract) ? null : 'The address of the RFQ contract has 40 digits behind 0x.';
}
