import { useConnected } from '../state/console.tsx';
import { Button } from './button.tsx';
import { countText } from './figures/counts.ts';
import { Key } from './key.tsx';
import { Mark } from './mark.tsx';
import styles from './tail-button.module.css';

/** Says whether rows arrive as they are written, and holds them. */
export function TailButton({ held, waiting, onHold }: { held: boolean; waiting: number; onHold: () => void }) {
  const connected = useConnected();
  const still = held || !connected;
  return (
    <Button look="quiet" className={styles.tail} aria-pressed={held} onClick={onHold} disabled={!connected}>
      <Mark shape={still ? 'withheld' : 'live'} tone={still ? '' : 'ok'} />
      {connected ? tailText(held, waiting) : 'Not live'} <Key of="hold" />
    </Button>
  );
}

function tailText(held: boolean, waiting: number): string {
  if (held) return `Held · ${countText(waiting)} new`;
  return waiting === 0 ? 'Live tail' : `${countText(waiting)} new above`;
}
