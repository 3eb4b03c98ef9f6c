import { useState } from 'react';
import type { CounterpartyConfig } from '../../../electron/contract/desk-file.ts';
import { CounterpartyFields, type CounterpartyTexts } from '../../components/counterparty-fields.tsx';
import { Dialog } from '../../components/dialog.tsx';
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
  const [texts, setTexts] = useState<CounterpartyTexts>({
    domain: known?.domain ?? '',
    accessKey: '',
    secretKey: '',
    signedPath: known?.signedPath ?? 'full',
    oneOrderPerSignature: known?.oneOrderPerSignature !== false,
  });
  const save = useCommand(async () => {
    const { domain, accessKey, secretKey, signedPath, oneOrderPerSignature } = texts;
    const keys = { ...(accessKey !== '' && { accessKey }), ...(secretKey !== '' && { secretKey }) };
    const counterparty = { domain: domain.trim(), signedPath, oneOrderPerSignature, ...keys };
    await client.settings.saveCounterparty({ counterparty });
    onSaved();
  });
  return (
    <Dialog title={known === null ? 'Add a counterparty' : `Change ${known.domain}`} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          save.run();
        }}
      >
        <CounterpartyFields
          texts={texts}
          set={(change) => setTexts({ ...texts, ...change })}
          faultOf={(field) => faultOf(save.refusal, field)}
          prefix="its prefix, such as /1"
          isKnown={known !== null}
        />
        {save.refusal !== null && (
          <RefusalNote refusal={save.refusal} elsewhere={faultsElsewhere(save.refusal, FIELDS)} />
        )}
        <div className="actions">
          <button type="button" className="button is-large" onClick={onClose}>
            Leave it
          </button>
          <button
            type="submit"
            className="button is-large is-primary"
            disabled={texts.domain.trim() === '' || save.busy}
          >
            Save
          </button>
        </div>
      </form>
    </Dialog>
  );
}
