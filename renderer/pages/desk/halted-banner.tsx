import { Button } from '../../components/button.tsx';
import { plural } from '../../components/figures/counts.ts';
import { countdownText, momentText } from '../../components/figures/times.ts';
import { Mark } from '../../components/mark.tsx';
import { Meter } from '../../components/meter.tsx';
import { Sentence } from '../../components/sentence.tsx';
import { stillLive } from '../../components/still-live.ts';
import { WhyButton } from '../../components/why-dialog.tsx';
import { useDeskNow } from '../../state/clock.ts';
import { useDesk, useLine } from '../../state/console.tsx';
import { zoneName } from '../../state/time-zone.ts';
import styles from './halted-banner.module.css';
import { useStillLive } from './use-still-live.ts';

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
          <WhyButton className={styles.onStop} />
          {onBack !== undefined && (
            <>
              {' '}
              <Button className={styles.onStop} onClick={onBack}>
                Back to the page
              </Button>
            </>
          )}
        </p>
      </div>
      <Clock since={status.since} now={now} />
    </section>
  );
}

/** From here on the hours stand in front, and the figure is smaller. */
const HOUR_MS = 3_600_000;

function Clock({ since, now }: { since: number; now: number }) {
  const { quotes: giving, zeroAt } = stillLive(useDesk((view) => view.exposure));
  const asked = useStillLive();
  const said = asked.data;
  const chains = said?.chains ?? [];
  const byHand = chains.flatMap(({ nftOrders }) => nftOrders);
  // Those that give tokens are among what the exposure counts.
  const quotes = Math.max(0, giving - byHand.filter(({ givesNft }) => !givesNft).length);
  const count = (what: 'orders' | 'permits' | 'transactions' | 'approvals') =>
    chains.reduce((sum, chain) => sum + chain[what].length, 0);
  const [orders, permits] = [count('orders'), count('permits')];
  const transactions = count('transactions') + count('approvals');
  const others = byHand.length + orders + permits + transactions;
  const unknown = chains.flatMap((chain) => chain.unknown.map((sentence) => `${chain.name}: ${sentence}`));
  if (quotes === 0 && others === 0) {
    const allowances = chains.reduce((sum, chain) => sum + chain.allowances.length, 0);
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
  const until = others === 0 ? zeroAt : (said?.until ?? null);
  const end = until === null ? null : Math.max(until, zeroAt ?? 0);
  const whole = end === null ? 1 : Math.max(1, end - Math.min(since, now));
  const left = end === null ? 1 : Math.max(0, Math.min(1, (end - now) / whole));
  const kinds = [
    quotes > 0 && plural(quotes, 'quote'),
    byHand.length > 0 && plural(byHand.length, 'NFT order'),
    orders > 0 && plural(orders, 'intent order'),
    permits > 0 && plural(permits, 'permit'),
    transactions > 0 && plural(transactions, 'transaction'),
  ].filter((kind) => kind !== false);
  return (
    <div className={styles.clock}>
      <p className={styles.caption}>Signed before, can still be used for</p>
      <p className={`${styles.left} live-figure ${end !== null && end - now >= HOUR_MS ? styles.long : ''}`}>
        {end === null ? 'no end' : countdownText(end - now)}
      </p>
      <p title={unknown.join('\n')}>
        <b>{kinds.join(', ')}</b>
        {end !== null && <>, the last until {momentText(end, now)}</>}
        {unknown.length > 0 && ', and more may be: not everything is known'}
      </p>
      <Meter share={left} className={styles.meter} />
    </div>
  );
}
