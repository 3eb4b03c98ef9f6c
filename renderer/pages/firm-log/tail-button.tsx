import { countText } from '../../components/figures/counts.ts';
import { Key } from '../../components/key.tsx';
import { Mark } from '../../components/mark.tsx';
import { useConnected } from '../../state/console.tsx';

/** Says whether rows arrive as they are written, and holds them. */
export function TailButton({ held, waiting, onHold }: { held: boolean; waiting: number; onHold: () => void }) {
  const connected = useConnected();
  const still = held || !connected;
  return (
    <button
      type="button"
      className="button is-quiet tail-button"
      aria-pressed={held}
      onClick={onHold}
      disabled={!connected}
    >
      <Mark shape={still ? 'withheld' : 'live'} tone={still ? '' : 'ok'} />
      {connected ? tailText(held, waiting) : 'Not live'} <Key of="hold" />
    </button>
  );
}

function tailText(held: boolean, waiting: number): string {
  if (held) return `Held · ${countText(waiting)} new`;
  return waiting === 0 ? 'Live tail' : `${countText(waiting)} new above`;
}
