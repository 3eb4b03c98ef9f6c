import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { Stack } from '../../components/stack.tsx';
import { useClient } from '../../state/console.tsx';
import { readWhole } from '../../state/number-form.ts';
import { faultOf, faultsElsewhere, InputRefused } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';

const FIELDS = ['minutes'] as const;
const SHORTEST = 2;
const LONGEST = 1_440;

/** After how long without a sign of a person the desk halts. */
export function DeadManDialog(props: { minutes: number | null; onClose: () => void; onDone: () => Promise<unknown> }) {
  const client = useClient();
  const [typed, setTyped] = useState(`${props.minutes ?? ''}`);
  const read = readWhole(typed, SHORTEST, LONGEST);
  const save = useCommand(async () => {
    if (read.fault !== null) throw new InputRefused([{ path: 'minutes', message: read.fault }]);
    await client.settings.saveDeadMan({ minutes: read.value });
    await props.onDone();
    props.onClose();
  });
  return (
    <Dialog title="The dead-man switch on people" needs="settings" onClose={props.onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.run();
        }}
      >
        <Stack>
          <Field
            label="Halt without a sign of a person after, min"
            inputMode="numeric"
            hint="2 to 1,440; empty: never"
            value={typed}
            fault={faultOf(save.refusal, 'minutes')}
            onChange={(event) => setTyped(event.target.value)}
          />
          <p>
            A sign is whatever a person decides here or from the command line, and “I am here”. For the last quarter of
            the time, at most five minutes, an alert asks whether anybody is here. It can be changed only while the desk
            is halted.
          </p>
          {save.refusal !== null && (
            <RefusalNote refusal={save.refusal} elsewhere={faultsElsewhere(save.refusal, FIELDS)} />
          )}
        </Stack>
        <DialogActions>
          <Button size="large" onClick={props.onClose}>
            Keep it as it is
          </Button>
          <Button type="submit" look="primary" size="large" disabled={save.busy}>
            Change it
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
