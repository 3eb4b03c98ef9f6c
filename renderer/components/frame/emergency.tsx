import { useLayoutEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { HaltedPage } from '../../pages/desk/halted-page.tsx';
import { useDeskNow } from '../../state/clock.ts';
import { useConsole, useDesk, useHaltPhase } from '../../state/console.tsx';
import { useMay } from '../../state/rights.ts';
import { serviceRest } from '../../state/service-rest.ts';
import { Button } from '../button.tsx';
import { Countdown } from '../figures/age.tsx';
import { plural } from '../figures/counts.ts';
import { Mark } from '../mark.tsx';
import { ResumeDialog } from '../resume-dialog.tsx';
import { stillLive } from '../still-live.ts';
import appStyles from './app.module.css';
import styles from './emergency.module.css';
import haltedBarStyles from './halted-bar.module.css';
import { HaltedBar, NewDeskBar } from './halted-bar.tsx';

/**
 * A halt is told on every page at once and at full width. Halted while another page was open, it lies over that page,
 * which keeps what was typed; a page opened while halted has a bar instead, and the Desk page is the emergency itself.
 */
export function Emergency() {
  const state = useDesk((view) => view.status?.state ?? null);
  const configured = useDesk((view) => view.chains.length > 0);
  const isNew = useDesk((view) => view.status?.isNew === true);
  const phase = useHaltPhase();
  const mayLook = useMay('look');
  const [location] = useLocation();
  const [over, setOver] = useState(false);
  const before = useRef(state);
  const place = useRef(location);
  useLayoutEffect(() => {
    const moved = place.current !== location;
    const halted = state === 'HALTED' && before.current !== null && before.current !== 'HALTED';
    [before.current, place.current] = [state, location];
    if (moved || state !== 'HALTED') setOver(false);
    else if (halted) setOver(true);
  }, [state, location]);
  if (phase !== 'idle' && state !== 'HALTED') return <AskedBar phase={phase} />;
  if (state === 'DRAIN') return <DrainBar />;
  if (state !== 'HALTED' || !configured || !mayLook || location === '/') return null;
  if (isNew) return <NewDeskBar />;
  if (!over) return <HaltedBar onOpen={() => setOver(true)} />;
  return (
    <div className={appStyles.emergency}>
      <HaltedPage onBack={() => setOver(false)} />
    </div>
  );
}

/** A halt that nobody has acknowledged yet: shown by CSS only once it takes longer than a halt does. */
function AskedBar({ phase }: { phase: 'asked' | 'waiting' }) {
  const { inApp } = useConsole();
  return (
    <section className={`${haltedBarStyles.bar} ${haltedBarStyles.asked}`} aria-label="Halt asked" role="status">
      <Mark shape="octagon" />
      <b>HALT asked</b>
      <span>
        {phase === 'asked'
          ? 'The desk has not acknowledged it yet and may still be quoting. Each press asks again; '
          : 'The desk cannot be reached and may still be quoting. HALT is sent as soon as it can; '}
        {inApp && 'the app asks whether to end its process; '}
        <span className="mono">makerdesk halt --force</span> ends it from a terminal.
      </span>
    </section>
  );
}

/** While the whole desk drains, on every page: when it ends, what is live, and the two ways out. */
function DrainBar() {
  const { halt } = useConsole();
  const until = useDesk((view) => view.status?.drainUntil ?? null);
  const since = useDesk((view) => view.status?.since ?? null);
  const { orders, zeroAt } = stillLive(useDesk((view) => view.exposure));
  const [resuming, setResuming] = useState(false);
  return (
    <section className={styles.drain} aria-label="Drain">
      <Mark shape="drain" tone="attn" />
      <p
        className="fill"
        title="No grid is served any more. Firm requests are still quoted, on the last grid that was published."
      >
        <b>DRAIN: HALTED in {until === null ? 'a moment' : <Countdown until={until} />}</b> ·{' '}
        {orders === 0 ? 'nothing can be filled' : `${plural(orders, 'order')} can be filled`}
        {orders > 0 && zeroAt !== null && (
          <>
            {' '}
            for <Countdown until={zeroAt} />
          </>
        )}
        {since !== null && <Rest since={since} />}
      </p>
      <Button needs="trade" onClick={() => setResuming(true)}>
        Go live again…
      </Button>
      <Button look="stop" onClick={() => halt.now()}>
        Halt now
      </Button>
      {resuming && <ResumeDialog scope={{}} what="the whole desk" onClose={() => setResuming(false)} />}
    </section>
  );
}

/** How long the stop may still last without a rest of the service, or how long that probably lasts. */
function Rest({ since }: { since: number }) {
  const { phase, until } = serviceRest(since, useDeskNow());
  if (phase === 'may_rest') return ' · live again, it may be two minutes until the service asks';
  return (
    <>
      {phase === 'rests'
        ? ' · the service probably asks again within '
        : ' · the service probably asks at once if live within '}
      <Countdown until={until} />
    </>
  );
}
