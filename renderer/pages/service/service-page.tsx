import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Endpoint } from '../../../electron/contract/desk-view.ts';
import { Button } from '../../components/button.tsx';
import checkListStyles from '../../components/check-list.module.css';
import { CheckList } from '../../components/check-list.tsx';
import { Empty, NoChainPage, ReadState } from '../../components/empty.tsx';
import { Age, Countdown } from '../../components/figures/age.tsx';
import { PairName } from '../../components/figures/pair-name.tsx';
import { momentText } from '../../components/figures/times.ts';
import { Mark, outcomesText } from '../../components/mark.tsx';
import { PageBody, PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { ChainTabs } from '../../components/segmented.tsx';
import { Table } from '../../components/table.tsx';
import { useConsole, useDesk, useQueries } from '../../state/console.tsx';
import { zoneName } from '../../state/time-zone.ts';
import { AttentionButton } from '../desk/attention-button.tsx';
import { LineDialog } from './line-dialog.tsx';
import { OrderPanel } from './order-panel.tsx';
import styles from './service-page.module.css';
import { SourcesPanel } from './sources-panel.tsx';

/** The service as we see it: what it asks, what it has of us, where it probably stays away, and whether it could like us. */
export function ServicePage() {
  const first = useDesk((view) => view.chains[0]?.chainId);
  const [chosen, choose] = useState<number | undefined>(undefined);
  const chainId = chosen ?? first;
  if (chainId === undefined) {
    return <NoChainPage name="Service">The service polls each chain under an address of its own.</NoChainPage>;
  }
  return (
    <>
      <PageHead name="Service">
        <ChainTabs chainId={chainId} onChange={choose} />
      </PageHead>
      <PageBody className={styles.page}>
        <EndpointsPanel chainId={chainId} />
        <RestrictionsPanel chainId={chainId} />
        <SelfCheckPanel chainId={chainId} />
        <OrderPanel key={chainId} chainId={chainId} />
        <SourcesPanel chainId={chainId} />
      </PageBody>
    </>
  );
}

const ENDPOINTS: readonly { endpoint: Endpoint; method: string; path: string; what: string }[] = [
  { endpoint: 'prices', method: 'GET', path: '/prices', what: 'the grid' },
  { endpoint: 'pairs', method: 'GET', path: '/pairs', what: 'pairs' },
  { endpoint: 'tokens', method: 'GET', path: '/tokens', what: 'tokens' },
  { endpoint: 'blacklist', method: 'GET', path: '/blacklist', what: 'whom we do not quote' },
  { endpoint: 'firm', method: 'POST', path: '/firm', what: 'firm quotes' },
  { endpoint: 'ws', method: 'WS', path: '/ws', what: 'the grid as it changes' },
];

/**
 * A refused request, such as 404 or 422, is no fault of the surface; keys that do not fit (401) are one, and no answer (5xx), but
 * while the chain is stopped that is as it should be.
 */
export function markOf(status: number | undefined, isLive: boolean) {
  if (status === undefined) return { shape: 'expired', tone: 'quiet' } as const;
  if (status === 401 || (status >= 500 && isLive)) return { shape: 'look', tone: 'attn' } as const;
  return status < 400 ? ({ shape: 'done', tone: 'ok' } as const) : ({ shape: 'note', tone: 'quiet' } as const);
}

/** Every address the service may ask on a chain, and when it last did. */
function EndpointsPanel({ chainId }: { chainId: number }) {
  const chain = useDesk((view) => view.chains.find((candidate) => candidate.chainId === chainId));
  const surfaceUrl = useDesk((view) => view.surfaceUrl);
  const base = `${surfaceUrl ?? ''}${chain?.basePath ?? ''}`;
  const isLive = useDesk(
    ({ status }) => (status?.chains.find((one) => one.chainId === chainId)?.state ?? status?.state) === 'LIVE',
  );
  const [telling, setTelling] = useState(false);
  return (
    <Panel
      name="Endpoints"
      aside={surfaceUrl === null ? 'the desk does not listen' : base}
      actions={
        <Button needs="trade" onClick={() => setTelling(true)}>
          Send its log a line…
        </Button>
      }
    >
      {telling && <LineDialog chainId={chainId} onClose={() => setTelling(false)} />}
      <Scroll>
        <Table>
          <colgroup>
            <col className={styles.markColumn} />
            <col className={styles.pathColumn} />
            <col className="narrow-out" />
            <col className={styles.byColumn} />
            <col className={styles.statusColumn} />
            <col className={styles.ageColumn} />
          </colgroup>
          <thead>
            <tr>
              <th>
                <span className="only-read">State</span>
              </th>
              <th>Endpoint</th>
              <th className="narrow-out">Serves</th>
              <th>Last asked by</th>
              <th className="right">Answer</th>
              <th className="right">Age</th>
            </tr>
          </thead>
          <tbody>
            {ENDPOINTS.map(({ endpoint, method, path, what }) => {
              const beat = chain?.heartbeats.find((candidate) => candidate.endpoint === endpoint);
              return (
                <tr key={endpoint}>
                  <td>
                    <Mark {...markOf(beat?.status, isLive)} />
                  </td>
                  <td className="mono">
                    {method} {path}
                  </td>
                  <td className="muted narrow-out">
                    {what}
                    {endpoint === 'ws' && chain !== undefined && ` · ${chain.webSockets} open`}
                  </td>
                  <td>{beat?.by ?? '—'}</td>
                  <td className="right live-figure">{beat?.status ?? '—'}</td>
                  <td className="right">
                    {beat === undefined ? <span className="quiet">not yet</span> : <Age since={beat.at} />}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </Table>
      </Scroll>
    </Panel>
  );
}

/** Pairs the service probably skips now, until when and why: inferred from what we answered, it does not tell. */
function RestrictionsPanel({ chainId }: { chainId: number }) {
  const { desk } = useConsole();
  const list = useQuery(useQueries().service.restrictions.queryOptions({ input: { chainId }, refetchInterval: 5_000 }));
  return (
    <Panel name="Probably skipped" aside="inferred from what we answered">
      <Scroll>
        <ReadState
          read={list}
          rows={3}
          unknown="Which pairs the service skips is not known; the desk quotes as before"
        />
        {list.data?.length === 0 && (
          <Empty title="None">Nothing we answered lately makes the service skip a pair.</Empty>
        )}
        <ul className={checkListStyles.list}>
          {(list.data ?? []).map(({ pair, until, at, sentence }) => (
            <li key={pair}>
              <Mark shape="look" tone="attn" />
              <div className="fill">
                <b>
                  <PairName pair={pair} /> until {momentText(until, desk.now())} {zoneName(until)},{' '}
                  <Countdown until={until} /> left
                </b>
                <p>
                  {sentence} Last at {momentText(at, desk.now())} {zoneName(at)}.
                </p>
              </div>
            </li>
          ))}
        </ul>
      </Scroll>
    </Panel>
  );
}

/** Chain, signer, balances, and what a strict validator of the service would reject; made anew on demand. */
function SelfCheckPanel({ chainId }: { chainId: number }) {
  const checks = useQuery(useQueries().service.checks.queryOptions({ input: { chainId }, staleTime: 15_000 }));
  const { data, error, isFetching, refetch } = checks;
  return (
    <Panel
      name="Self-check"
      className={styles.selfCheck}
      aside={
        data === undefined ? undefined : (
          <>
            {outcomesText(data.checks)} · <Age since={data.at} /> ago
          </>
        )
      }
      actions={
        error === null && (
          <Button disabled={isFetching} onClick={() => void refetch()}>
            Check again
          </Button>
        )
      }
    >
      <Scroll>
        <ReadState read={checks} rows={8} unknown="What the checks find is not known; the desk goes on as before" />
        {data !== undefined && (
          <CheckList checks={data.checks} button={({ mend }) => <AttentionButton row={{ action: mend }} />} />
        )}
      </Scroll>
    </Panel>
  );
}
