import { useState } from 'react';
import { asRead } from '../../electron/contract/names.ts';
import { useConsole } from '../state/console.tsx';
import { useNames, userText } from '../state/names.tsx';
import { faultOf, faultsElsewhere } from '../state/refusal-of.ts';
import { useCommand } from '../state/use-command.ts';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import { Field } from './field.tsx';
import { shortHex } from './figures/counts.ts';
import styles from './name-dialog.module.css';
import { RefusalNote } from './note.tsx';
import { Stack } from './stack.tsx';

/** Opens the question beside what it is about. */
export function NameButton({ of, id }: { of: 'user' | 'counterparty'; id: string }) {
  const [open, setOpen] = useState(false);
  const name = useNames()[of](id);
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        {name === undefined ? 'Name…' : 'Rename…'}
      </Button>
      {open && <NameDialog of={of} id={id} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Asks what people call a user or a counterparty; an empty name takes it away. */
export function NameDialog({ of, id, onClose }: { of: 'user' | 'counterparty'; id: string; onClose: () => void }) {
  const { connection, toasts } = useConsole();
  const names = useNames();
  // What the person had in view when they began: the desk refuses where somebody else changed it meanwhile.
  const [seen, setSeen] = useState<string | null>(() => names[of](id) ?? null);
  const [typed, setTyped] = useState(seen ?? '');
  const name = typed.trim();
  const short = of === 'user' ? shortHex(id) : id;
  const other = names.given.find((one) => one.of === 'user' && one.id !== id && asRead(one.name) === asRead(name));
  const save = useCommand(async () => {
    const named = of === 'user' ? { of, id: id as `0x${string}` } : { of, id };
    await connection.client.names.set({ ...named, name: name === '' ? null : name, seen });
    toasts.show({
      level: 'done',
      title: name === '' ? `${short} has no name` : `${short} is named`,
      detail: 'On every console.',
    });
    onClose();
  });
  return (
    <Dialog title={`Name ${of} ${short}`} needs="trade" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.run();
        }}
      >
        <p className={`mono ${styles.whole}`}>{id}</p>
        <Stack>
          <Field
            label="Name"
            large
            autoFocus
            value={typed}
            maxLength={40}
            dir="auto"
            fault={faultOf(save.refusal, 'name')}
            hint={
              of === 'user'
                ? 'Everybody at this desk sees it, beside the address. Empty takes it away.'
                : 'Everybody at this desk sees it, beside the domain. Empty takes it away.'
            }
            onChange={(event) => setTyped(event.target.value)}
          />
          {of === 'user' && other !== undefined && (
            <p className="muted">
              {userText(names, other.id)} is called that already: only the addresses tell them apart.
            </p>
          )}
          {save.refusal && (
            <RefusalNote
              refusal={save.refusal}
              elsewhere={faultsElsewhere(save.refusal, ['name'])}
              showNow={() => {
                const now = names[of](id) ?? null;
                setSeen(now);
                setTyped(now ?? '');
                save.reset();
              }}
            />
          )}
        </Stack>
        <DialogActions>
          <Button size="large" onClick={onClose}>
            Leave it
          </Button>
          <Button type="submit" look="primary" size="large" disabled={save.busy || name === (seen ?? '')}>
            {name === '' && seen !== null ? 'Take the name away' : 'Save'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
