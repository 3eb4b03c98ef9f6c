import { plural } from '../../components/figures/counts.ts';
import { Mark } from '../../components/mark.tsx';
import { useAutoCounts } from '../../state/auto-hedge.ts';

/** Whether anything is hedged without a person, in one chip; opens the settings. */
export function AutoButton({ onOpen }: { onOpen: () => void }) {
  const { on, dry } = useAutoCounts();
  const words = [
    on > 0 ? `on for ${plural(on, 'pair')}` : null,
    dry > 0 ? `dry run for ${plural(dry, 'pair')}` : null,
  ].filter((word) => word !== null);
  return (
    <button type="button" className={`button ${words.length > 0 ? 'is-set-auto' : ''}`} onClick={onOpen}>
      <Mark shape={on > 0 ? 'live' : dry > 0 ? 'part' : 'off'} tone={on > 0 ? 'ok' : 'quiet'} />
      <span>Automatic hedging {words.length === 0 ? 'is off' : words.join(', ')}…</span>
    </button>
  );
}
