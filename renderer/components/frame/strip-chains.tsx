import { useState } from 'react';
import type { ChainRow, Endpoint } from '../../../electron/contract/desk-view.ts';
import type { Status } from '../../../electron/contract/trading.ts';
import { useDesk } from '../../state/console.tsx';
import { Age, Countdown } from '../figures/age.tsx';
import { countText, signedMsText } from '../figures/counts.ts';
import { Mark } from '../mark.tsx';
import { TradingMark } from '../trading-mark.tsx';
import { ChainMenu } from './chain-menu.tsx';
import { ChainsDialog } from './chains-dialog.tsx';
import { chainsInStrip, chainWord, hiddenText } from './chains-in-strip.ts';

const ENDPOINTS: readonly Endpoint[] = ['prices', 'pairs', 'tokens', 'blacklist', 'firm'];

const NOTHING = 'LIVE, and no side of any pair is quoted now: Desk says why, pair by pair.';

/** One row a chain: its state, the age of each kind of poll, the WebSocket, the clock's skew, the block. */
export function StripChains() {
  const chains = useDesk((view) => view.chains);
  const status = useDesk((view) => view.status);
  const [menu, setMenu] = useState<number | 'all' | null>(null);
  if (status === null) return null;
  const { shown, hidden } = chainsInStrip(chains, status);
  return (
    <>
      <table>
        <thead>
          <tr>
            <th>
              {hidden.length === 0 ? (
                'Trading'
              ) : (
                <button
                  type="button"
                  className="chains-behind live-figure"
                  title={`${hiddenText(hidden, status)}. All chains…`}
                  onClick={() => setMenu('all')}
                >
                  {hiddenText(hidden, status)}
                </button>
              )}
            </th>
            {ENDPOINTS.map((endpoint) => (
              <th key={endpoint} className={`s-${endpoint}`}>
                {endpoint}
              </th>
            ))}
            <th>WebSocket</th>
            <th className="s-skew">Skew</th>
            <th className="s-block">Block · age</th>
          </tr>
        </thead>
        <tbody>
          {shown.length === 0 && (
            <tr>
              <td>
                <TradingMark state={status.state} />
                <span className="strip-none">no chain yet</span>
              </td>
            </tr>
          )}
          {shown.map((chain) => (
            <StripChain key={chain.chainId} chain={chain} status={status} onMenu={() => setMenu(chain.chainId)} />
          ))}
        </tbody>
      </table>
      {menu === 'all' && <ChainsDialog onChoose={setMenu} onClose={() => setMenu(null)} />}
      {typeof menu === 'number' && <ChainMenu chainId={menu} onClose={() => setMenu(null)} />}
    </>
  );
}

function StripChain({ chain, status, onMenu }: { chain: ChainRow; status: Status; onMenu: () => void }) {
  const state = status.chains.find(({ chainId }) => chainId === chain.chainId)?.state ?? status.state;
  const word = chainWord(chain, status);
  const quotesNothing = word === 'LIVE' && chain.quotes === false;
  return (
    <tr>
      <td>
        <button
          type="button"
          className="chain-state live-figure"
          onClick={onMenu}
          title="Drain, halt or resume this chain"
        >
          {word === 'closed' || quotesNothing ? (
            <span className="stop strong with-mark" title={quotesNothing ? NOTHING : (chain.fault ?? undefined)}>
              <Mark shape="halted" />
              {quotesNothing ? 'no quotes' : 'closed'}
            </span>
          ) : (
            <TradingMark state={state} />
          )}
          {state === 'DRAIN' && status.drainUntil !== null && (
            <>
              {' '}
              <Countdown until={status.drainUntil} />
            </>
          )}
          <span className="name">{chain.name}</span>
        </button>
        {state === 'DRAIN' && chain.closed !== null && (
          <span className="stop with-mark" title={chain.fault ?? undefined}>
            {' '}
            <Mark shape="halted" />
            closed
          </span>
        )}
      </td>
      {ENDPOINTS.map((endpoint) => (
        <td key={endpoint}>
          <Heartbeat chain={chain} endpoint={endpoint} />
        </td>
      ))}
      <td className="live-figure">
        {chain.webSockets === 0 ? (word === 'LIVE' ? 'none' : 'closed') : `${chain.webSockets} open`}
      </td>
      <td className="live-figure" title="Their clock minus ours on the last signed request; refused beyond ±30 s">
        {chain.skewMs === null ? '—' : signedMsText(chain.skewMs)}
      </td>
      <td className="live-figure" title={chain.fault ?? 'The newest block the desk saw, and how long ago'}>
        {chain.block === null ? '—' : countText(chain.block)}
        {chain.blockSeenAt !== null && (
          <>
            {' · '}
            <Age since={chain.blockSeenAt} />
          </>
        )}
      </td>
    </tr>
  );
}

/** How long ago an endpoint was asked; with the status when the answer was no success. */
function Heartbeat({ chain, endpoint }: { chain: ChainRow; endpoint: Endpoint }) {
  const beat = chain.heartbeats.find((candidate) => candidate.endpoint === endpoint);
  if (beat === undefined) return <span title={`Nobody asked for ${endpoint} yet`}>—</span>;
  return (
    <span title={`${beat.by ?? 'Somebody'} asked, got ${beat.status}`}>
      {beat.status >= 400 && <span className="quiet live-figure">{beat.status} </span>}
      <Age since={beat.at} />
    </span>
  );
}
