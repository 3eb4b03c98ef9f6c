import { Link } from 'wouter';
import { takenBy } from '../../../electron/contract/fleet.ts';
import { useDesk, useLine } from '../../state/console.tsx';
import { pagePath } from '../../state/pages.ts';
import { Button } from '../button.tsx';
import { Countdown } from '../figures/age.tsx';
import { plural } from '../figures/counts.ts';
import { Mark } from '../mark.tsx';
import { stillLive } from '../still-live.ts';
import { WhyButton } from '../why-dialog.tsx';
import styles from './halted-bar.module.css';

/** Over a page of a halted desk: that it is, what is still live, and the way to the rest. */
export function HaltedBar({ onOpen }: { onOpen: () => void }) {
  const reason = useDesk((view) => view.status?.reason ?? null);
  const isNew = useDesk((view) => view.status?.isNew === true);
  const isHeard = useLine().state === 'connected';
  const { orders, zeroAt } = stillLive(useDesk((view) => view.exposure));
  // Once another desk has taken over this one is never resumed.
  const fleet = useDesk((view) => (view.fleet?.isOver === true ? view.fleet : null));
  return (
    <section className={styles.bar} aria-label="Halted">
      <Mark shape="octagon" />
      <b>HALTED</b>
      <p className="fill" title={reason ?? undefined}>
        {fleet !== null && `${takenBy(fleet) ?? 'Another desk'} trades now. End this one. `}
        {isNew
          ? 'Not live yet: nothing is quoted or signed until somebody resumes it.'
          : isHeard
            ? 'No signature leaves this desk.'
            : 'When last heard, no signature left this desk.'}{' '}
        {isNew && zeroAt === null ? null : zeroAt === null ? (
          'No quote can be filled any more; orders and allowances may be live.'
        ) : (
          <>
            {plural(orders, 'order')} can still be filled for{' '}
            <b>
              <Countdown until={zeroAt} />
            </b>
            .
          </>
        )}
        {reason !== null && !isNew && fleet === null && <> Reason: {reason}</>}
      </p>
      <WhyButton />
      <Button onClick={onOpen}>{fleet === null ? 'What is live, and resume' : 'What is live'}</Button>
    </section>
  );
}

/** Over a page of a desk that is still being set up: the way back to its steps. */
export function NewDeskBar() {
  return (
    <section className={styles.newDesk} aria-label="First start">
      <Mark shape="halted" tone="stop" />
      <p className="fill">
        <b className="strong">HALTED, and never LIVE yet.</b> What is missing stands beside the steps of the first
        start.
      </p>
      <Button asChild>
        <Link href={pagePath('desk')}>Back to First start</Link>
      </Button>
    </section>
  );
}
