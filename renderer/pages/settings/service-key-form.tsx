import { useState } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { useClient } from '../../state/console.tsx';
import { faultOf, faultsElsewhere } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';

/** The key of this desk at a service: typed in, sealed, and never shown again. */
export function ServiceKeyForm(props: { origin: string; chainId: number; onSaved: () => void; onClose: () => void }) {
  const { origin, chainId, onSaved, onClose } = props;
  const client = useClient();
  const [key, setKey] = useState('');
  const save = useCommand(async () => {
    await client.settings.setServiceKey({ chainId, key: key.trim() });
    onSaved();
  });
  return (
    <Dialog title="Key to the service" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          save.run();
        }}
      >
        <Field
          label="Key"
          className="is-large"
          type="password"
          hint={`sent to ${origin} and nowhere else`}
          value={key}
          fault={faultOf(save.refusal, 'key')}
          onChange={(event) => setKey(event.target.value)}
        />
        {save.refusal !== null && (
          <RefusalNote refusal={save.refusal} elsewhere={faultsElsewhere(save.refusal, ['key'])} />
        )}
        <div className="actions">
          <button type="button" className="button is-large" onClick={onClose}>
            Leave it
          </button>
          <button type="submit" className="button is-large is-primary" disabled={key.trim() === '' || save.busy}>
            Keep it sealed
          </button>
        </div>
      </form>
    </Dialog>
  );
}
