import type { PracticeState } from '../../../electron/contract/practice.ts';
import { RefusalNote } from '../../components/note.tsx';
import { Panel } from '../../components/panel.tsx';
import { useClient } from '../../state/console.tsx';
import { useCommand } from '../../state/use-command.ts';

const SPEEDS = [0, 1, 5, 20, 50, 200] as const;

/** How many firm quotes the takers ask for in a second. */
export function SpeedPanel({ speed, onState }: { speed: number; onState: (state: PracticeState) => void }) {
  const client = useClient();
  const set = useCommand(async (asksPerSecond: number) => onState(await client.practice.speed({ asksPerSecond })));
  return (
    <Panel name="Takers" aside={`${speed} firm requests a second`}>
      {set.refusal !== null && <RefusalNote refusal={set.refusal} />}
      <div className="speed">
        <fieldset className="choice" aria-label="Firm requests a second">
          {SPEEDS.map((value) => (
            <button
              key={value}
              type="button"
              className="button is-large"
              aria-pressed={value === speed}
              disabled={set.busy}
              onClick={() => set.run(value)}
            >
              {value === 0 ? 'none' : value}
            </button>
          ))}
        </fieldset>
        <span className="muted">a second, over all takers of a chain</span>
      </div>
    </Panel>
  );
}
