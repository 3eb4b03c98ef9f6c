import { useState } from 'react';
import type { CounterpartyConfig } from '../../../electron/contract/desk-file.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { useClient } from '../../state/console.tsx';
import { faultOf, faultsElsewhere } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';

const FIELDS = ['domain', 'accessKey', 'secretKey'];

/** A counterparty's credentials. Those of a known one may stay empty: then what is kept stays in force. */
export function CounterpartyForm(props: {
  known: CounterpartyConfig | null;
  onSaved: () => void;
  onClose: () => void;
}) {
  const { known, onSaved, onClose } = props;
  const client = useClient();
  const [domain, setDomain] = useState(known?.domain ?? '');
  const [accessKey, setAccessKey] = useState('');
  const [secretKey, setSecretKey] = useState('');
  const [signedPath, setSignedPath] = useState(known?.signedPath ?? 'full');
  const save = useCommand(async () => {
    const keys = { ...(accessKey !== '' && { accessKey }), ...(secretKey !== '' && { secretKey }) };
    await client.settings.saveCounterparty({ counterparty: { domain: domain.trim(), signedPath, ...keys } });
    onSaved();
  });
  const keep = known === null ? undefined : 'empty keeps the one there is';
  return (
    <Dialog title={known === null ? 'Add a counterparty' : `Change ${known.domain}`} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          save.run();
        }}
      >
        <Field
          label="Domain"
          className="is-large"
          hint="as agreed with the service"
          disabled={known !== null}
          value={domain}
          fault={faultOf(save.refusal, 'domain')}
          onChange={(event) => setDomain(event.target.value)}
        />
        <Field
          label="Access key"
          className="is-large"
          type="password"
          hint={keep}
          value={accessKey}
          fault={faultOf(save.refusal, 'accessKey')}
          onChange={(event) => setAccessKey(event.target.value)}
        />
        <Field
          label="Secret key"
          className="is-large"
          type="password"
          hint={keep}
          value={secretKey}
          fault={faultOf(save.refusal, 'secretKey')}
          onChange={(event) => setSecretKey(event.target.value)}
        />
        <div className="field">
          <label>
            <span className="label">Signed path</span>
            <select
              className="input is-large"
              value={signedPath}
              onChange={(event) => setSignedPath(event.target.value === 'full' ? 'full' : 'without-prefix')}
            >
              <option value="full">with the prefix, such as /1/prices</option>
              <option value="without-prefix">without it, /prices</option>
            </select>
          </label>
        </div>
        {save.refusal !== null && (
          <RefusalNote refusal={save.refusal} elsewhere={faultsElsewhere(save.refusal, FIELDS)} />
        )}
        <div className="actions">
          <button type="button" className="button is-large" onClick={onClose}>
            Leave it
          </button>
          <button type="submit" className="button is-large is-primary" disabled={domain.trim() === '' || save.busy}>
            Save
          </button>
        </div>
      </form>
    </Dialog>
  );
}
