import { useState } from 'react';
import type { Scope } from '../../electron/contract/trading.ts';
import { faultOf, faultsElsewhere } from '../state/refusal-of.ts';
import { useResume } from '../state/use-resume.ts';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';
import { RefusalNote, RefusedNow } from './note.tsx';
import { ResumeOutlookList, useResumeOutlook } from './resume-outlook.tsx';

/** Starting takes a reason, whatever is started. */
export function ResumeDialog({ scope, what, onClose }: { scope: Scope; what: string; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const outlook = useResumeOutlook(scope);
  const resume = useResume(scope, reason, outlook, onClose);
  const fault = faultOf(resume.refusal, 'reason');
  return (
    <Dialog title={`Go live on ${what}`} className="is-wide" onClose={onClose}>
      <div className="stack">
        <div className="resume-scroll">
          <ResumeOutlookList outlook={outlook} onLeave={onClose} />
        </div>
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          resume.run();
        }}
      >
        <div className="stack">
          <RefusedNow outlook={outlook.data} refusal={resume.refusal} />
          <Field
            label="Why is it safe to trade again?"
            className="is-large"
            autoFocus
            hint="Goes into the journal with your name."
            value={reason}
            fault={fault}
            maxLength={500}
            onChange={(event) => setReason(event.target.value)}
          />
          {resume.refusal && resume.refusal.code !== 'checks_failed' && fault === null && (
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
