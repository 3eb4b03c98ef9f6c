import { useDesk } from '../../state/console.tsx';
import { Dialog } from '../dialog.tsx';
import { Mark } from '../mark.tsx';
import { TradingMark } from '../trading-mark.tsx';
import { chainWord } from './chains-in-strip.ts';

/** Every chain of the desk, the worst first; one is chosen to drain, halt or resume it. */
export function ChainsDialog({ onChoose, onClose }: { onChoose: (chainId: number) => void; onClose: () => void }) {
  const chains = useDesk((view) => view.chains);
  const status = useDesk((view) => view.status);
  if (status === null) return null;
  const order = ['HALTED', 'closed', 'DRAIN', 'LIVE'];
  const rows = chains
    .map((chain) => ({ chain, word: chainWord(chain, status) }))
    .sort((a, b) => order.indexOf(a.word) - order.indexOf(b.word));
  return (
    <Dialog title="Chains" onClose={onClose}>
      <ul className="chain-list">
        {rows.map(({ chain: { chainId, name, fault }, word }) => (
          <li key={chainId}>
            <span className="chain-word">
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
            <button type="button" className="button" onClick={() => onChoose(chainId)}>
              Drain, halt or resume…
            </button>
          </li>
        ))}
      </ul>
      <div className="actions">
        <button type="button" className="button is-large" onClick={onClose}>
          Leave them
        </button>
      </div>
    </Dialog>
  );
}
