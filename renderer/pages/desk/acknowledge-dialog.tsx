import { useState } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { useConsole } from '../../state/console.tsx';
import { faultOf, faultsElsewhere } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';

/** An alarm stands until somebody says what they found. */
export function AcknowledgeDialog({ seqs, onClose }: { seqs: number[]; onClose: () => void }) {
  const { connection, desk } = useConsole();
  const [reason, setReason] = useState('');
  const acknowledge = useCommand(async () => {
    desk.acknowledge(await connection.client.trading.acknowledgeAlarms({ seqs, reason }));
    onClose();
  });
  const fault = faultOf(acknowledge.refusal, 'reason');
  return (
    <Dialog title="Take this alarm off the screen" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          acknowledge.run();
        }}
      >
        <div className="stack">
          <Field
            label="What did you find?"
            className="is-large"
            hint="Goes into the journal with your name. Nothing is resumed by it."
            value={reason}
            fault={fault}
            maxLength={500}
            onChange={(event) => setReason(event.target.value)}
          />
          {acknowledge.refusal && fault === null && (
            <RefusalNote refusal={acknowledge.refusal} elsewhere={faultsElsewhere(acknowledge.refusal, ['reason'])} />
          )}
        </div>
        <div className="actions">
          <button type="button" className="button is-large" onClick={onClose}>
            Leave it there
          </button>
          <button
            type="submit"
            className="button is-large is-primary"
            disabled={reason.trim() === '' || acknowledge.busy}
          >
            I have looked
          </button>
        </div>
      </form>
    </Dialog>
  );
}
