import { useState } from 'react';
import { useConsole, useDesk } from '../../state/console.tsx';
import { Countdown } from '../figures/age.tsx';
import { plural } from '../figures/counts.ts';
import { Mark } from '../mark.tsx';
import { ResumeDialog } from '../resume-dialog.tsx';
import { stillLive } from '../still-live.ts';

/** While the whole desk drains, on every page: when it ends, what is live, and the two ways out. */
export function DrainBar() {
  const { halt } = useConsole();
  const until = useDesk((view) => view.status?.drainUntil ?? null);
  const { quotes } = stillLive(useDesk((view) => view.exposure));
  const [resuming, setResuming] = useState(false);
  return (
    <section className="drain-bar" aria-label="Drain">
      <Mark shape="drain" />
      <div className="fill">
        <b>DRAIN: HALTED in {until === null ? 'a moment' : <Countdown until={until} />}</b>
        <p>
          No grid is served any more. Firm requests are still quoted, on the last grid that was published.{' '}
          {quotes === 0 ? 'No quote is open.' : `${plural(quotes, 'quote')} can be filled now.`}
        </p>
      </div>
      <button type="button" className="button is-large" onClick={() => setResuming(true)}>
        Go live again…
      </button>
      <button type="button" className="button is-large is-stop" onClick={() => halt.now()}>
        Halt now
      </button>
      {resuming && <ResumeDialog scope={{}} what="the whole desk" onClose={() => setResuming(false)} />}
    </section>
  );
}
