import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { Note, RefusalNote } from '../../components/note.tsx';
import { FormStack } from '../../components/stack.tsx';
import { useClient } from '../../state/console.tsx';
import { faultOf, faultsElsewhere } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';

/** A line for the service's log: people over there read it beside what they see of this desk. */
export function LineDialog({ chainId, onClose }: { chainId: number; onClose: () => void }) {
  const client = useClient();
  const [line, setLine] = useState('');
  const [told, setTold] = useState<number | null>(null);
  const say = useCommand(async () => {
    setTold((await client.service.say({ chainId, line })).told);
    setLine('');
  });
  return (
    <Dialog title="Send a line to the service’s log" needs="trade" onClose={onClose}>
      <FormStack
        onSubmit={(event) => {
          event.preventDefault();
          if (line.trim() !== '') say.run();
        }}
      >
        <Field
          label="Line"
          large
          hint="over the WebSocket, to whoever is connected on this chain"
          value={line}
          fault={faultOf(say.refusal, 'line')}
          onChange={(event) => setLine(event.target.value)}
        />
        {told !== null && (
          <Note level={told > 0 ? 'note' : 'look'} title={told > 0 ? 'It was sent.' : 'It reached nobody.'}>
            {told > 0
              ? `To ${told} on the WebSocket of this chain.`
              : 'Nobody has the WebSocket of this chain open now.'}
          </Note>
        )}
        {say.refusal !== null && (
          <RefusalNote refusal={say.refusal} elsewhere={faultsElsewhere(say.refusal, ['line'])} />
        )}
        <DialogActions>
          <Button size="large" onClick={onClose}>
            Close
          </Button>
          <Button type="submit" look="primary" size="large" disabled={line.trim() === '' || say.busy}>
            Send it
          </Button>
        </DialogActions>
      </FormStack>
    </Dialog>
  );
}
