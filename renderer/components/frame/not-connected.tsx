import { useDeskNow } from '../../state/clock.ts';
import { useConsole, useDesk, useLine } from '../../state/console.tsx';
import { Chip } from '../chip.tsx';
import { ageText, clockText } from '../figures/times.ts';
import { Mark } from '../mark.tsx';
import { Note } from '../note.tsx';
import styles from './strip.module.css';

/** In the strip: how old everything on the screen is while the desk is not heard. */
export function HeardAgo() {
  const line = useLine();
  const now = useDeskNow();
  const skewMs = useDesk((view) => view.skewMs);
  if (line.state === 'connected' || line.heardAt === null) return null;
  const heardAt = line.heardAt + skewMs;
  return (
    <Chip tone="attn" className={styles.dated}>
      <Mark shape="look" />
      as of {clockText(heardAt)}, {ageText(now - heardAt)} ago
    </Chip>
  );
}

/** Over the page: what it means and how to stop all the same. */
export function NotConnected() {
  const line = useLine();
  const { inApp, elsewhere } = useConsole();
  const heard = useDesk((view) => view.status !== null);
  if (line.state === 'connected' || (line.state === 'connecting' && !heard)) return null;
  return (
    <Note
      level="look"
      title={heard ? 'This screen has lost the desk, which may still be trading.' : 'No desk answers here yet.'}
    >
      {line.why} {inApp ? 'If it runs, the app connects to it again by itself.' : 'The screen keeps trying to connect.'}{' '}
      HALT here is sent as soon as it answers{elsewhere !== null && ', and by the app again until it has confirmed'}
      {inApp && ', and offers to end its process if it hangs'}; to stop it from a terminal run{' '}
      <span className="mono">makerdesk halt --force</span> on the desk’s machine.
    </Note>
  );
}
