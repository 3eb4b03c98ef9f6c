import { useState } from 'react';
import type { DeskElsewhereRow } from '../../../electron/contract/desks-elsewhere.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { PassphraseField } from '../../components/passphrase-field.tsx';
import { Stack } from '../../components/stack.tsx';
import type { DesksClient } from '../../state/desks-line.ts';
import { faultOf, faultsElsewhere } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import { linkParts } from './link-parts.ts';

const FIELDS = ['name', 'url', 'token'];

/** Adds a desk to the list, or changes the one of `row`. The token is typed here and never shown again. */
export function DeskDialog(props: {
  client: DesksClient;
  /** Why tokens are not kept; null where they are. */
  notKept: string | null;
  row?: DeskElsewhereRow;
  onClose: () => void;
}) {
  const { client, notKept, row, onClose } = props;
  const [name, setName] = useState(row?.name ?? '');
  const [url, setUrl] = useState(row?.url ?? '');
  const [token, setToken] = useState('');
  const hasToken = row !== undefined && row.token !== 'none';
  const save = useCommand(async () => {
    if (row === undefined) await client.add({ name, url, token });
    else await client.change({ of: row.name, name, url, token: token === '' ? null : token });
    onClose();
  });
  const typeUrl = (text: string) => {
    const parts = linkParts(text);
    setUrl(parts.url);
    if (parts.token !== null) setToken(parts.token);
  };
  const kept =
    notKept === null
      ? 'Sealed by the keychain of this computer, for this address alone.'
      : `${notKept} It is asked for again at the next start.`;
  return (
    <Dialog title={row === undefined ? 'Add a desk elsewhere' : `Change ${row.name}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.run();
        }}
      >
        <Stack>
          <Field
            label="Name"
            large
            autoFocus={row === undefined}
            value={name}
            maxLength={32}
            fault={faultOf(save.refusal, 'name')}
            hint="Small letters and digits, such as fra-1. It stands over its console."
            onChange={(event) => setName(event.target.value)}
          />
          <Field
            label="Address of its console, or the link that was handed to you"
            large
            value={url}
            fault={faultOf(save.refusal, 'url')}
            hint="https, such as https://desk.example.com"
            onChange={(event) => typeUrl(event.target.value)}
          />
          <PassphraseField
            label="Token"
            autoFocus={row !== undefined}
            value={token}
            fault={faultOf(save.refusal, 'token')}
            hint={hasToken ? `Empty leaves the one it has. ${kept}` : kept}
            onChange={setToken}
          />
          {save.refusal && <RefusalNote refusal={save.refusal} elsewhere={faultsElsewhere(save.refusal, FIELDS)} />}
        </Stack>
        <DialogActions>
          <Button size="large" onClick={onClose}>
            Leave it
          </Button>
          <Button type="submit" look="primary" size="large" disabled={save.busy}>
            {row === undefined ? 'Add it' : 'Save'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
