import { useState } from 'react';
import { useConsole, useDesk } from '../../state/console.tsx';
import { useCommand } from '../../state/use-command.ts';
import { Dialog } from '../dialog.tsx';
import { RefusalNote } from '../note.tsx';
import { ResumeDialog } from '../resume-dialog.tsx';

/** What can be done to one chain: drain or halt at a click, resume with a reason. */
export function ChainMenu({ chainId, onClose }: { chainId: number; onClose: () => void }) {
  const { connection, desk } = useConsole();
  const name = useDesk((view) => view.chains.find((chain) => chain.chainId === chainId)?.name ?? `chain ${chainId}`);
  const state = useDesk((view) => view.status?.chains.find((chain) => chain.chainId === chainId)?.state);
  const deskState = useDesk((view) => view.status?.state);
  const [resuming, setResuming] = useState(false);
  const stop = useCommand(async (kind: 'drain' | 'halt') => {
    const scope = { chainId };
    const answer =
      kind === 'halt'
        ? await connection.client.trading.halt({ scope })
        : await connection.client.trading.drain({ scope });
    desk.acknowledge(answer.status);
    onClose();
  });
  if (resuming) return <ResumeDialog scope={{ chainId }} what={name} onClose={onClose} />;
  return (
    <Dialog title={name} onClose={onClose}>
      <p className="lead">
        {state === 'HALTED'
          ? deskState === 'HALTED'
            ? 'The whole desk is halted; it is resumed on the Desk page.'
            : 'This chain signs nothing and serves no grid.'
          : 'Drain serves no grid any more, keeps quoting on the last one for 10 s, then halts. Halt signs nothing from now on. Stopped for longer than about 5 s, the service does not poll for 120 s.'}
      </p>
      {stop.refusal && <RefusalNote refusal={stop.refusal} />}
      <div className="actions">
        <button type="button" className="button is-large is-quiet" onClick={onClose}>
          Leave it
        </button>
        {state !== 'LIVE' && deskState !== 'HALTED' && (
          <button type="button" className="button is-large" onClick={() => setResuming(true)}>
            Resume {name}…
          </button>
        )}
        {state === 'LIVE' && (
          <button type="button" className="button is-large" onClick={() => stop.run('drain')}>
            Drain {name}
          </button>
        )}
        {state !== 'HALTED' && (
          <button type="button" className="button is-large is-stop" onClick={() => stop.run('halt')}>
            Halt {name}
          </button>
        )}
      </div>
    </Dialog>
  );
}
