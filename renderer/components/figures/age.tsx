import { useDeskNow } from '../../state/clock.ts';
import { zoneName } from '../../state/time-zone.ts';
import { ageText, countdownText, stampText } from './times.ts';

/** How long ago something was, ticking by the desk's clock. */
export function Age({ since }: { since: number }) {
  const now = useDeskNow();
  return (
    <span className="live-figure" title={`${stampText(since)} ${zoneName(since)}`}>
      {ageText(now - since)}
    </span>
  );
}

/** What is left until a moment, ticking by the desk's clock. */
export function Countdown({ until }: { until: number }) {
  const now = useDeskNow();
  return (
    <span className="live-figure" title={`until ${stampText(until)} ${zoneName(until)}`}>
      {countdownText(until - now)}
    </span>
  );
}
