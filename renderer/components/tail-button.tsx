import { useConnected } from '../state/console.tsx';
import { useShortcuts } from '../state/shortcuts.ts';
import { Button } from './button.tsx';
import { countText } from './figures/counts.ts';
import { Key } from './key.tsx';
import { Mark } from './mark.tsx';
import styles from './tail-button.module.css';

/** Says whether rows arrive as they are written, and holds them; Space does what a press on it does. */
export function TailButton(props: {
  /** Whether the list they come to is here; while it was not read, or cannot be, none arrives. */
  isRead: boolean;
  held: boolean;
  waiting: number;
  onHold: () => void;
}) {
  const { isRead, held, waiting, onHold } = props;
  const isLive = useConnected() && isRead;
  const still = held || !isLive;
  useShortcuts({ hold: () => isLive && onHold() });
  return (
    <Button look="quiet" className={styles.tail} aria-pressed={held} onClick={onHold} disabled={!isLive}>
      <Mark shape={still ? 'withheld' : 'live'} tone={still ? '' : 'ok'} />
      {isLive ? tailText(held, waiting) : 'Not live'} <Key of="hold" />
    </Button>
  );
}

function tailText(held: boolean, waiting: number): string {
  if (held) return `Held · ${countText(waiting)} new`;
  return waiting === 0 ? 'Live tail' : `${countText(waiting)} new above`;
}
