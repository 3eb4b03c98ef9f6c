import { Button } from '../../components/button.tsx';
import { plural } from '../../components/figures/counts.ts';
import { countdownText, momentText } from '../../components/figures/times.ts';
import { wholeDollarText } from '../../components/live-dollars.ts';
import { Mark } from '../../components/mark.tsx';
import { Meter } from '../../components/meter.tsx';
import { Sentence } from '../../components/sentence.tsx';
import { quotesOf, stillLive } from '../../components/still-live.ts';
import { WhyButton } from '../../components/why-dialog.tsx';
import { useDeskNow } from '../../state/clock.ts';
import { useDesk, useLine } from '../../state/console.tsx';
import { zoneName } from '../../state/time-zone.ts';
import styles from './halted-banner.module.css';
import { useLiveSum, useStillLive } from './use-still-live.ts';

/** Readable from two metres: halted, since when, by whom, and how long what was signed can still be filled. */
export function HaltedBanner({ onBack }: { onBack?: () => void }) {
  const status = useDesk((view) => view.status);
  const now = useDeskNow();
  const isHeard = useLine().state === 'connected';
  if (status === null) return null;
  return (
    <section className={styles.banner} aria-label="Halted">
      <Mark shape="octagon" />
      <div className="fill">
        <h1>HALTED</h1>
        <p className={styles.means}>
          {status.isNew === true
            ? 'Not live yet. Nothing is quoted or signed until somebody resumes it.'
            : isHeard
              ? 'No signature leaves this desk. All pairs, all chains.'
              : 'When last heard, no signature left this desk: all pairs, all chains.'}
        </p>
        <p className={styles.who}>
          Since <b>{momentText(status.since, now)}</b> {zoneName(status.since)}
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
              Reason:{' '}
              <b>
                <Sentence text={status.reason} />
              </b>
            </>
          )}{' '}
          <span className={styles.acts}>
            <WhyButton className={styles.onStop} />
            {onBack !== undefined && (
              <Button className={styles.onStop} onClick={onBack}>
                Back to the page
              </Button>
            )}
          </span>
        </p>
      </div>
      <Clock since={status.since} now={now} />
    </section>
  );
}

/** From here on the hours stand in front, and the figure is smaller. */
const HOUR_MS = 3_600_000;

function Clock({ since, now }: { since: number; now: number }) {
  const live = stillLive(useDesk((view) => view.exposure));
  const sum = useLiveSum();
  const asked = useStillLive();
  const said = asked.data;
  const chains = said?.chains ?? [];
  const byHand = chains.flatMap(({ nftOrders }) => nftOrders);
  const { quotes, quotesEnd } = quotesOf(live, chains);
  const [orders, permits] = [chains.flatMap((chain) => chain.orders), chains.flatMap((chain) => chain.permits)];
  const transactions = chains.reduce((count, chain) => count + chain.transactions.length + chain.approvals.length, 0);
  const others = byHand.length + orders.length + permits.length + transactions;
  const unknown = chains.flatMap((chain) => chain.unknown.map((sentence) => `${chain.name}: ${sentence}`));
  if (quotes === 0 && others === 0) {
    const allowances = chains.reduce((count, chain) => count + chain.allowances.length, 0);
    return (
      <div className={styles.clock}>
        <p className={styles.caption}>Signed before, can still be used</p>
        {said?.nothingSigned ? (
          <>
            <p className={styles.left}>none</p>
            <p>
              {said.nothing
                ? 'Nothing can be taken from us: no quote, order, permit or allowance. Every chain agrees.'
                : `Every chain agrees. ${plural(allowances, 'allowance')} still set, listed below.`}
            </p>
          </>
        ) : (
          <>
            <p className={`${styles.left} ${styles.long}`}>not known</p>
            <p title={unknown.join('\n')}>
              {asked.isPending ? 'The chains are being asked.' : (unknown[0] ?? 'The desk does not answer.')}
            </p>
          </>
        )}
      </div>
    );
  }
  const until = others === 0 ? live.zeroAt : (said?.until ?? null);
  const end = until === null ? null : Math.max(until, live.zeroAt ?? 0);
  const whole = end === null ? 1 : Math.max(1, end - Math.min(since, now));
  const left = end === null ? 1 : Math.max(0, Math.min(1, (end - now) / whole));
  // One order that lasts long does not hide when the quotes are over.
  const kind = (count: number, one: string, last: number | null) =>
    count === 0 ? [] : [`${plural(count, one)}${last === null ? '' : ` until ${momentText(last, now)}`}`];
  const lastOf = (lines: readonly { until: number }[]) => Math.max(...lines.map((line) => line.until));
  const kinds = [
    ...kind(quotes, 'quote', quotesEnd),
    ...kind(byHand.length, 'NFT order', lastOf(byHand)),
    ...kind(orders.length, 'intent order', lastOf(orders)),
    ...kind(permits.length, 'permit', lastOf(permits)),
    ...kind(transactions, 'transaction', null),
  ];
  return (
    <div className={styles.clock}>
      <p className={styles.caption}>Signed before, can still be used for</p>
      <p className={`${styles.left} live-figure ${end !== null && end - now >= HOUR_MS ? styles.long : ''}`}>
        {end === null ? 'no end' : countdownText(end - now)}
      </p>
      <p title={unknown.join('\n')}>
        {sum.dollars.digits > 0n && (
          <>
            <b className="live-figure">{wholeDollarText(sum.dollars)}</b> {sum.bound} ·{' '}
          </>
        )}
        {kinds.join(' · ')}
        {unknown.length > 0 && ', and more may be: not everything is known'}
      </p>
      <Meter share={left} className={styles.meter} />
    </div>
  );
}
