import { useState } from 'react';
import type { ChainRow, Endpoint } from '../../../electron/contract/desk-view.ts';
import { servingOf } from '../../../electron/contract/fleet.ts';
import type { Status } from '../../../electron/contract/trading.ts';
import { useConsole, useDesk } from '../../state/console.tsx';
import { Button } from '../button.tsx';
import { Dialog, DialogActions, Lead } from '../dialog.tsx';
import { Age, Countdown } from '../figures/age.tsx';
import { countText, plural, signedMsText } from '../figures/counts.ts';
import { JARGON } from '../jargon.ts';
import { Mark, TradingMark } from '../mark.tsx';
import { ResumeDialog } from '../resume-dialog.tsx';
import { chainsInStrip, chainWord, hiddenText } from './chains-in-strip.ts';
import styles from './strip.module.css';

const ENDPOINTS: readonly Endpoint[] = ['prices', 'pairs', 'tokens', 'blacklist', 'firm'];

/** Asked for seldom, and listed on Service: they give way in a small window. */
const SELDOM: readonly Endpoint[] = ['pairs', 'tokens', 'blacklist'];

const NOTHING = 'LIVE, and no side of any pair is quoted now: Desk says why, pair by pair.';

/** One row a chain: its state, the age of each kind of poll, the WebSocket, the clock's skew, the block. */
export function StripChains() {
  const chains = useDesk((view) => view.chains);
  const status = useDesk((view) => view.status);
  const fleet = useDesk((view) => view.fleet);
  const [menu, setMenu] = useState<number | 'all' | null>(null);
  if (status === null) return null;
  const { shown, hidden } = chainsInStrip(chains, status);
  const surfaces = fleet === null || fleet.isOver || fleet.surfaces.length === 0 ? null : servingOf(fleet);
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
                  className={`${styles.chainsBehind} live-figure`}
                  title={`${hiddenText(hidden, status)}. All chains…`}
                  onClick={() => setMenu('all')}
                >
                  {hiddenText(hidden, status)}
                </button>
              )}
            </th>
            {ENDPOINTS.map((endpoint) => (
              <th key={endpoint} data-column={endpoint} className={SELDOM.includes(endpoint) ? 'tight-out' : ''}>
                {endpoint}
              </th>
            ))}
            {surfaces !== null && <th title={JARGON.surface}>surfaces</th>}
            <th data-column="feeds">WebSocket</th>
            <th data-column="skew" className="tight-out">
              Skew
            </th>
            <th data-column="block">Block · age</th>
          </tr>
        </thead>
        <tbody>
          {shown.length === 0 && (
            <tr>
              <td>
                <TradingMark state={status.state} />
                <span className={styles.none}>no chain yet</span>
              </td>
              {ENDPOINTS.map((endpoint) => (
                <td key={endpoint} className={SELDOM.includes(endpoint) ? 'tight-out' : ''}>
                  —
                </td>
              ))}
              {surfaces !== null && <SurfacesCell surfaces={surfaces} />}
              <td>—</td>
              <td className="tight-out">—</td>
              <td>—</td>
            </tr>
          )}
          {shown.map((chain) => (
            <StripChain
              key={chain.chainId}
              chain={chain}
              status={status}
              surfaces={surfaces}
              onMenu={() => setMenu(chain.chainId)}
            />
          ))}
        </tbody>
      </table>
      {menu === 'all' && <ChainsDialog onChoose={setMenu} onClose={() => setMenu(null)} />}
      {typeof menu === 'number' && (
        // What is answered late does not close the menu of another chain.
        <ChainMenu key={menu} chainId={menu} onClose={() => setMenu((open) => (open === menu ? null : open))} />
      )}
    </>
  );
}

function StripChain(props: {
  chain: ChainRow;
  status: Status;
  /** How many surfaces elsewhere serve; null where there are none. */
  surfaces: ReturnType<typeof servingOf> | null;
  onMenu: () => void;
}) {
  const { chain, status, surfaces, onMenu } = props;
  const state = status.chains.find(({ chainId }) => chainId === chain.chainId)?.state ?? status.state;
  const word = chainWord(chain, status);
  const quotesNothing = word === 'LIVE' && chain.quotes === false;
  return (
    <tr>
      <td>
        <button
          type="button"
          className={`${styles.chainState} live-figure`}
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
          <span className={styles.name}>{chain.name}</span>
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
        <td key={endpoint} className={SELDOM.includes(endpoint) ? 'tight-out' : ''}>
          <Heartbeat chain={chain} endpoint={endpoint} />
        </td>
      ))}
      {surfaces !== null && <SurfacesCell surfaces={surfaces} />}
      <td
        className="live-figure"
        title={`${plural(chain.webSockets, 'WebSocket')} open; the age is that of the newest`}
      >
        <OpenFeeds chain={chain} none={word === 'LIVE' ? 'none' : 'closed'} />
      </td>
      <td
        className="live-figure tight-out"
        title="Their clock minus ours on the last signed request; refused beyond ±30 s"
      >
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

function SurfacesCell({ surfaces: { serving, on } }: { surfaces: ReturnType<typeof servingOf> }) {
  return (
    <td
      className={`live-figure ${serving < on ? 'attn strong' : ''}`}
      title="Surfaces elsewhere that serve, of those that are switched on"
    >
      {serving} of {on}
    </td>
  );
}

/** How long the one feed is open, so that one that breaks again and again is seen; of several how many there are. */
function OpenFeeds({ chain, none }: { chain: ChainRow; none: string }) {
  const newest = chain.heartbeats.find(({ endpoint, status }) => endpoint === 'ws' && status < 400);
  if (chain.webSockets === 0) return none;
  if (chain.webSockets > 1 || newest === undefined) return `${chain.webSockets} open`;
  return (
    <>
      open <Age since={newest.at} />
    </>
  );
}

/** How long ago an endpoint was asked; with the status when the answer was no success. */
function Heartbeat({ chain, endpoint }: { chain: ChainRow; endpoint: Endpoint }) {
  const beat = chain.heartbeats.find((candidate) => candidate.endpoint === endpoint);
  if (beat === undefined) return <span title={`Nobody asked for ${endpoint} yet`}>—</span>;
  return (
    <span title={`${beat.by ?? 'Somebody'} asked, got ${beat.status}`}>
      {beat.status >= 400 && <span className="quiet live-figure">{beat.status} · </span>}
      <Age since={beat.at} />
    </span>
  );
}

/** What can be done to one chain: drain or halt at a click, resume with a reason. */
function ChainMenu({ chainId, onClose }: { chainId: number; onClose: () => void }) {
  const { connection, desk, halt } = useConsole();
  const name = useDesk((view) => view.chains.find((chain) => chain.chainId === chainId)?.name ?? `chain ${chainId}`);
  const state = useDesk((view) => view.status?.chains.find((chain) => chain.chainId === chainId)?.state);
  const deskState = useDesk((view) => view.status?.state);
  const [resuming, setResuming] = useState(false);
  const scope = { chainId };
  // Each press for itself: a halt does not wait for the answer to a drain.
  const stop = (stopping: Promise<void>) => void stopping.then(onClose, halt.notStopped);
  const drain = async () => desk.acknowledge((await connection.client.trading.drain({ scope })).status);
  if (resuming) return <ResumeDialog scope={scope} what={name} onClose={onClose} />;
  return (
    <Dialog title={name} onClose={onClose}>
      <Lead title={JARGON.grid}>
        {state === 'HALTED'
          ? deskState === 'HALTED'
            ? 'The whole desk is halted; it is resumed on the Desk page.'
            : 'This chain signs nothing and serves no grid.'
          : 'Drain serves no grid any more, keeps quoting on the last one for 10 s, then halts. Halt signs nothing from now on. Stopped for longer than about 5 s, the service does not poll for 120 s.'}
      </Lead>
      <DialogActions>
        <Button look="quiet" size="large" onClick={onClose}>
          Leave it
        </Button>
        {state !== 'LIVE' && deskState !== 'HALTED' && (
          <Button size="large" needs="trade" onClick={() => setResuming(true)}>
            Resume {name}…
          </Button>
        )}
        {state === 'LIVE' && (
          <Button size="large" onClick={() => stop(drain())}>
            Drain {name}
          </Button>
        )}
        {state !== 'HALTED' && (
          <Button look="stop" size="large" onClick={() => stop(halt.scope(scope))}>
            Halt {name}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

/** Every chain of the desk, the worst first; one is chosen to drain, halt or resume it. */
function ChainsDialog({ onChoose, onClose }: { onChoose: (chainId: number) => void; onClose: () => void }) {
  const chains = useDesk((view) => view.chains);
  const status = useDesk((view) => view.status);
  if (status === null) return null;
  const order = ['HALTED', 'closed', 'DRAIN', 'LIVE'];
  const rows = chains
    .map((chain) => ({ chain, word: chainWord(chain, status) }))
    .sort((a, b) => order.indexOf(a.word) - order.indexOf(b.word));
  return (
    <Dialog title="Chains" onClose={onClose}>
      <ul className={styles.chainList}>
        {rows.map(({ chain: { chainId, name, fault }, word }) => (
          <li key={chainId}>
            <span className={styles.chainWord}>
              {word === 'closed' ? (
                <span className="with-mark strong stop">
                  <Mark shape="halted" />
                  closed
                </span>
              ) : (
                <TradingMark state={word} />
              )}
            </span>
            <span className="fill">
              <b className="strong">{name}</b> <span className="quiet">chain {chainId}</span>
              {fault !== null && <p className="muted">{fault}</p>}
            </span>
            <Button onClick={() => onChoose(chainId)}>Drain, halt or resume…</Button>
          </li>
        ))}
      </ul>
      <DialogActions>
        <Button size="large" onClick={onClose}>
          Leave them
        </Button>
      </DialogActions>
    </Dialog>
  );
}
