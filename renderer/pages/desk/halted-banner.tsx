import { plural } from '../../components/figures/counts.ts';
import { countdownText, momentText } from '../../components/figures/times.ts';
import { Mark } from '../../components/mark.tsx';
import { stillLive } from '../../components/still-live.ts';
import { WhyButton } from '../../components/why-dialog.tsx';
import { useDeskNow } from '../../state/clock.ts';
import { useDesk } from '../../state/console.tsx';

/** Readable from two metres: halted, since when, by whom, and how long what was signed can still be filled. */
export function HaltedBanner({ onBack }: { onBack?: () => void }) {
  const status = useDesk((view) => view.status);
  const now = useDeskNow();
  if (status === null) return null;
  return (
    <section className="halted-banner" aria-label="Halted">
      <Mark shape="octagon" />
      <div className="fill">
        <h1>HALTED</h1>
        <p className="means">No signature leaves this desk. All pairs, all chains.</p>
        <p className="who">
          Since <b>{momentText(status.since, now)}</b> UTC
          {status.actor !== null && (
            <>
              {' '}
              by <b>{status.actor}</b>
            </>
          )}
          .{' '}
          {status.reason === null ? (
            'No reason given.'
          ) : (
            <>
              Reason: <b>{status.reason}</b>
            </>
          )}{' '}
          <WhyButton look="on-stop" />
          {onBack !== undefined && (
            <>
              {' '}
              <button type="button" className="button on-stop" onClick={onBack}>
                Back to the page
              </button>
            </>
          )}
        </p>
      </div>
      <Clock since={status.since} now={now} />
    </section>
  );
}

function Clock({ since, now }: { since: number; now: number }) {
  const { quotes, zeroAt } = stillLive(useDesk((view) => view.exposure));
  if (zeroAt === null) {
    return (
      <div className="halted-clock">
        <p className="caption">Signed before, can still be filled</p>
        <p className="left">none</p>
        <p>No quote is open. Nothing can be taken from us.</p>
      </div>
    );
  }
  const whole = Math.max(1, zeroAt - Math.min(since, now));
  const left = Math.max(0, Math.min(1, (zeroAt - now) / whole));
  return (
    <div className="halted-clock">
      <p className="caption">Signed before, can still be filled for</p>
      <p className="left live-figure">{countdownText(zeroAt - now)}</p>
      <p>
        <b>{plural(quotes, 'quote')}</b>, the last until {momentText(zeroAt, now)}
      </p>
      <span className="meter">
        <i style={{ width: `${left * 100}%` }} />
      </span>
    </div>
  );
}
