import { useState } from 'react';
import { Countdown } from '../../components/figures/age.tsx';
import { Note } from '../../components/note.tsx';
import { ResumeDialog } from '../../components/resume-dialog.tsx';
import { useDesk } from '../../state/console.tsx';

/** While the whole desk drains: what that means, when it ends, and the way back. */
export function DrainNote() {
  const status = useDesk((view) => view.status);
  const [resuming, setResuming] = useState(false);
  if (status?.state !== 'DRAIN') return null;
  return (
    <>
      <Note
        level="look"
        title={
          <>
            The desk drains: HALTED in{' '}
            {status.drainUntil === null ? 'a moment' : <Countdown until={status.drainUntil} />}
          </>
        }
        actions={
          <button type="button" className="button" onClick={() => setResuming(true)}>
            Go live again…
          </button>
        }
      >
        No grid is served any more. Firm requests are still quoted, on the last grid that was published.
      </Note>
      {resuming && <ResumeDialog scope={{}} what="the whole desk" onClose={() => setResuming(false)} />}
    </>
  );
}
