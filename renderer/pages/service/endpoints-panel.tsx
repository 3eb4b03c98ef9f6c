import type { Endpoint } from '../../../electron/contract/desk-view.ts';
import { Age } from '../../components/figures/age.tsx';
import { Mark } from '../../components/mark.tsx';
import { Panel } from '../../components/panel.tsx';
import { useDesk } from '../../state/console.tsx';

const ENDPOINTS: readonly { endpoint: Endpoint; method: string; path: string; what: string }[] = [
  { endpoint: 'prices', method: 'GET', path: '/prices', what: 'the grid' },
  { endpoint: 'pairs', method: 'GET', path: '/pairs', what: 'pairs' },
  { endpoint: 'tokens', method: 'GET', path: '/tokens', what: 'tokens' },
  { endpoint: 'blacklist', method: 'GET', path: '/blacklist', what: 'whom we do not quote' },
  { endpoint: 'firm', method: 'POST', path: '/firm', what: 'firm quotes' },
  { endpoint: 'ws', method: 'WS', path: '/ws', what: 'the grid as it changes' },
];

/** Every address the service may ask on a chain, and when it last did. */
export function EndpointsPanel({ chainId }: { chainId: number }) {
  const chain = useDesk((view) => view.chains.find((candidate) => candidate.chainId === chainId));
  const surfaceUrl = useDesk((view) => view.surfaceUrl);
  const base = `${surfaceUrl ?? ''}${chain?.basePath ?? ''}`;
  return (
    <Panel name="Endpoints" aside={surfaceUrl === null ? 'the desk does not listen' : base}>
      <div className="scroll">
        <table className="grid">
          <colgroup>
            <col className="e-mark" />
            <col className="e-path" />
            <col className="narrow-out" />
            <col className="e-by" />
            <col className="e-status" />
            <col className="e-age" />
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
              const bad = beat !== undefined && beat.status >= 400;
              return (
                <tr key={endpoint}>
                  <td>
                    <Mark
                      shape={beat === undefined ? 'expired' : bad ? 'look' : 'live'}
                      tone={beat === undefined ? 'quiet' : bad ? 'attn' : 'ok'}
                    />
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
        </table>
      </div>
    </Panel>
  );
}
