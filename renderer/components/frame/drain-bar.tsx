import { useState } from 'react';
import { useDeskNow } from '../../state/clock.ts';
import { useConsole, useDesk } from '../../state/console.tsx';
import { serviceRest } from '../../state/service-rest.ts';
import { Countdown } from '../figures/age.tsx';
import { plural } from '../figures/counts.ts';
import { Mark } from '../mark.tsx';
import { ResumeDialog } from '../resume-dialog.tsx';
import { stillLive } from '../still-live.ts';

/** While the whole desk drains, on every page: when it ends, what is live, and the two ways out. */
export function DrainBar() {
  const { halt } = useConsole();
  const until = useDesk((view) => view.status?.drainUntil ?? null);
  const since = useDesk((view) => view.status?.since ?? null);
  const { quotes, zeroAt } = stillLive(useDesk((view) => view.exposure));
  const [resuming, setResuming] = useState(false);
  return (
    <section className="drain-bar" aria-label="Drain">
      <Mark shape="drain" />
      <div className="fill">
        <b>DRAIN: HALTED in {until === null ? 'a moment' : <Countdown until={until} />}</b>
        <p>
          No grid is served any more. Firm requests are still quoted, on the last grid that was published.{' '}
          {quotes === 0 ? 'No quote is open.' : `${plural(quotes, 'quote')} can be filled now`}
          {quotes > 0 && zeroAt === null && '.'}
          {quotes > 0 && zeroAt !== null && (
            <>
              , the last one for another <Countdown until={zeroAt} />.
            </>
          )}{' '}
          The service has probably dropped us; after five failed polls, 5 to 10 s, it does not poll for another 120 s
          {since === null ? '.' : <Rest since={since} />}
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

/** How long the stop may still last without that, or how long that probably lasts: the end of the sentence. */
function Rest({ since }: { since: number }) {
  const { phase, until } = serviceRest(since, useDeskNow());
  if (phase === 'may_rest') return ': go live again, and it may be two minutes until it asks.';
  if (phase === 'rests') {
    return (
      <>
        , which has probably begun and ends within <Countdown until={until} />.
      </>
    );
  }
  return (
    <>
      : go live again within <Countdown until={until} />, and it probably asks at once.
    </>
  );
}
