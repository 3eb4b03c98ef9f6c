import { useState } from 'react';
import { useConsole, useDesk } from '../state/console.tsx';
import { faultOf, faultsElsewhere } from '../state/refusal-of.ts';
import { useCommand } from '../state/use-command.ts';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';
import { RefusalNote } from './note.tsx';

/** A halt is one key without words; this adds them while there is time. */
export function WhyButton({ look = '' }: { look?: string }) {
  const reason = useDesk((view) => view.status?.reason ?? null);
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={`button ${look}`} onClick={() => setOpen(true)}>
        {reason === null ? 'Say why…' : 'Say more…'}
      </button>
      {open && <WhyDialog before={reason} onClose={() => setOpen(false)} />}
    </>
  );
}

function WhyDialog({ before, onClose }: { before: string | null; onClose: () => void }) {
  const { connection, desk } = useConsole();
  const [reason, setReason] = useState('');
  const explain = useCommand(async () => {
    const answer = await connection.client.trading.explain({ scope: {}, reason });
    desk.acknowledge(answer.status);
    onClose();
  });
  const fault = faultOf(explain.refusal, 'reason');
  return (
    <Dialog title="Why is the desk halted?" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (reason.trim() !== '') explain.run();
        }}
      >
        <div className="stack">
          {before !== null && (
            <p>
              So far: <b className="strong">{before}</b>
            </p>
          )}
          <Field
            label="What happened?"
            className="is-large"
            hint="Goes into the journal with your name, and stands in the status. The desk stays halted."
            value={reason}
            fault={fault}
            maxLength={500}
            onChange={(event) => setReason(event.target.value)}
          />
          {explain.refusal && fault === null && (
            <RefusalNote refusal={explain.refusal} elsewhere={faultsElsewhere(explain.refusal, ['reason'])} />
          )}
        </div>
        <div className="actions">
          <button type="button" className="button is-large" onClick={onClose}>
            Leave it as it is
          </button>
          <button type="submit" className="button is-large is-primary" disabled={reason.trim() === '' || explain.busy}>
            Add it
          </button>
        </div>
      </form>
    </Dialog>
  );
}
