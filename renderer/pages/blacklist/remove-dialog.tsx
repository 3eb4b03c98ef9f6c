import { useState } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { shortHex } from '../../components/figures/counts.ts';
import { RefusalNote } from '../../components/note.tsx';
import { useClient } from '../../state/console.tsx';
import { faultOf } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';

export function RemoveDialog(props: {
  chainId: number;
  address: string;
  onlyHere: boolean;
  onClose: () => void;
  onDone: () => Promise<unknown>;
}) {
  const client = useClient();
  const [reason, setReason] = useState('');
  const remove = useCommand(async () => {
    await client.blacklist.remove({
      chainId: props.chainId,
      address: props.address,
      ...(reason.trim() === '' ? {} : { reason }),
    });
    await props.onDone();
    props.onClose();
  });
  return (
    <Dialog title={`Quote ${shortHex(props.address)} again?`} onClose={props.onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          remove.run();
        }}
      >
        <p className="lead">
          The next firm request of this user is answered with an order.{' '}
          {props.onlyHere
            ? 'The service was not told of this bar, so nothing of it stays with it.'
            : 'The service keeps the address for good where it has read it from our list or was answered 403 for it: ask it to take the address off.'}
        </p>
        <div className="stack">
          <Field
            label="Reason"
            hint="Goes into the history."
            className="is-large"
            value={reason}
            fault={faultOf(remove.refusal, 'reason')}
            onChange={(event) => setReason(event.target.value)}
          />
          {remove.refusal && <RefusalNote refusal={remove.refusal} />}
        </div>
        <div className="actions">
          <button type="button" className="button is-large" onClick={props.onClose}>
            Keep on the list
          </button>
          <button type="submit" className="button is-large is-primary" disabled={remove.busy}>
            Remove
          </button>
        </div>
      </form>
    </Dialog>
  );
}
