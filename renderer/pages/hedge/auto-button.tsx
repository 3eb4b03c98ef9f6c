import { plural } from '../../components/figures/counts.ts';
import { Mark } from '../../components/mark.tsx';
import { autoState } from './auto-words.ts';
import { useAuto } from './use-auto.ts';

/** Whether anything is hedged without a person, in one chip; opens the settings. */
export function AutoButton({ onOpen }: { onOpen: () => void }) {
  const { data } = useAuto();
  const states = (data ?? []).map(({ settings }) => autoState(settings));
  const [on, dry] = [states.filter((state) => state === 'on').length, states.filter((state) => state === 'dry').length];
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
