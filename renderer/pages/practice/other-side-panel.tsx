import type { PracticeService } from '../../../electron/contract/practice.ts';
import { Age, Countdown } from '../../components/figures/age.tsx';
import { plural, shortHex } from '../../components/figures/counts.ts';
import { clockText } from '../../components/figures/times.ts';
import { Mark } from '../../components/mark.tsx';
import { Panel } from '../../components/panel.tsx';

/** What the other side of the wire thinks of this desk: on a practice desk it can be asked. */
export function OtherSidePanel({ service }: { service: readonly PracticeService[] }) {
  return (
    <Panel name="What the practice service thinks" aside="a real one never says" className="other-side">
      <div className="scroll">
        {service.map((chain) => (
          <section key={chain.chainId} className="other-chain" aria-label={chain.name}>
            <h3>
              <Mark shape={chain.enabled ? 'live' : 'halted'} tone={chain.enabled ? 'ok' : 'stop'} />
              {chain.name}
              <span className="muted">
                {chain.enabled ? 'routes to us' : `does not route to us: ${chain.why ?? 'no reason given'}`} for{' '}
                <Age since={chain.since} /> · {chain.mode} checks
              </span>
            </h3>
            <p className="muted">
              {(['tokens', 'pairs', 'prices', 'blacklist'] as const).map((endpoint) => {
                const { at, status, fault } = chain.endpoints[endpoint];
                return (
                  <span key={endpoint} className="polled" title={fault ?? undefined}>
                    {endpoint} {at === null ? 'not yet' : <Age since={at} />}
                    {at !== null && status !== 200 && <b className="attn"> {status ?? 'no answer'}</b>}
                  </span>
                );
              })}
              <span className="polled">
                WebSocket {chain.socket.connected ? 'open' : 'closed'}, {plural(chain.socket.messages, 'message')}
              </span>
            </p>
            {chain.restrictions.map(({ pairId, until, why }) => (
              <p key={pairId} className="with-mark">
                <Mark shape="look" tone="attn" />
                {pairId} restricted, <Countdown until={until} /> left: {why}
              </p>
            ))}
            {chain.blacklist.length > 0 && (
              <p className="muted">
                {plural(chain.blacklist.length, 'address', 'addresses')} not asked for:{' '}
                {chain.blacklist
                  .slice(0, 4)
                  .map(({ address, from }) => `${shortHex(address)} (${from})`)
                  .join(', ')}
              </p>
            )}
            <p className="muted">{plural(chain.complaints.count, 'complaint')} about our answers</p>
            <ul>
              {chain.complaints.last.slice(-6).map(({ at, sentence }) => (
                <li key={`${at} ${sentence}`}>
                  <span className="quiet">{clockText(at)}</span> {sentence}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Panel>
  );
}
