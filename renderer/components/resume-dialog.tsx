import { useState } from 'react';
import type { Scope } from '../../electron/contract/trading.ts';
import { useConsole } from '../state/console.tsx';
import { faultOf, faultsElsewhere } from '../state/refusal-of.ts';
import { useCommand } from '../state/use-command.ts';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';
import { RefusalNote } from './note.tsx';

/** Starting takes a reason, whatever is started. */
export function ResumeDialog({ scope, what, onClose }: { scope: Scope; what: string; onClose: () => void }) {
  const { connection, desk } = useConsole();
  const [reason, setReason] = useState('');
  const resume = useCommand(async () => {
    const answer = await connection.client.trading.resume({ scope, reason });
    desk.acknowledge(answer.status);
    onClose();
  });
  const fault = faultOf(resume.refusal, 'reason');
  return (
    <Dialog title={`Go live on ${what}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          resume.run();
        }}
      >
        <div className="stack">
          <Field
            label="Why is it safe to trade again?"
            className="is-large"
            hint="Goes into the journal with your name."
            value={reason}
            fault={fault}
            maxLength={500}
            onChange={(event) => setReason(event.target.value)}
          />
          {resume.refusal && fault === null && (
            <RefusalNote refusal={resume.refusal} elsewhere={faultsElsewhere(resume.refusal, ['reason'])} />
          )}
        </div>
        <div className="actions">
          <button type="button" className="button is-large" onClick={onClose}>
            Stay stopped
          </button>
          <button type="submit" className="button is-large is-primary" disabled={reason.trim() === '' || resume.busy}>
            Go live
          </button>
        </div>
      </form>
    </Dialog>
  );
}
