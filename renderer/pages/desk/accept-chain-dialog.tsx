import { useState } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { useClient, useDesk } from '../../state/console.tsx';
import { faultOf, faultsElsewhere } from '../../state/refusal-of.ts';
import { useToasts } from '../../state/toasts.ts';
import { useCommand } from '../../state/use-command.ts';

/** Asks whether a chain really was begun anew, as `makerdesk accept-chain` does: whoever says so ends what was signed for the old one. */
export function AcceptChainDialog({
  chainId,
  genesis,
  onClose,
}: {
  chainId: number;
  genesis: string;
  onClose: () => void;
}) {
  const client = useClient();
  const toasts = useToasts();
  const name = useDesk((view) => view.chains.find((chain) => chain.chainId === chainId)?.name ?? `chain ${chainId}`);
  const [reason, setReason] = useState('');
  const accept = useCommand(async () => {
    await client.trading.acceptChain({ chainId, reason });
    toasts.show({
      level: 'done',
      title: `${name} is taken as begun anew`,
      detail:
        'With the next look at its node every order signed for the old one ends. It stays halted until it is resumed.',
    });
    onClose();
  });
  const fault = faultOf(accept.refusal, 'reason');
  return (
    <Dialog title={`Was ${name} really begun anew?`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          accept.run();
        }}
      >
        <div className="stack">
          <p>
            Its node has another chain, which begins with block{' '}
            <span className="mono">{`${genesis.slice(0, 10)}…${genesis.slice(-8)}`}</span>. If you say yes, every order
            that was signed for the old one counts as ended. If the node is wrong, those orders can still be filled and
            this desk looks away: name another node instead.
          </p>
          <Field
            label="How do you know that it was begun anew?"
            className="is-large"
            hint="Goes into the journal with your name. Nothing is resumed by it."
            value={reason}
            fault={fault}
            maxLength={500}
            onChange={(event) => setReason(event.target.value)}
          />
          {accept.refusal && fault === null && (
            <RefusalNote refusal={accept.refusal} elsewhere={faultsElsewhere(accept.refusal, ['reason'])} />
          )}
        </div>
        <div className="actions">
          <button type="button" className="button is-large" onClick={onClose}>
            Leave it closed
          </button>
          <button type="submit" className="button is-large is-stop" disabled={reason.trim() === '' || accept.busy}>
            It was begun anew
          </button>
        </div>
      </form>
    </Dialog>
  );
}
