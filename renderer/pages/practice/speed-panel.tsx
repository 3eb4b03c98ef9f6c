import type { PracticeState } from '../../../electron/contract/practice.ts';
import { RefusalNote } from '../../components/note.tsx';
import { Panel } from '../../components/panel.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { useClient } from '../../state/console.tsx';
import { useCommand } from '../../state/use-command.ts';

const SPEEDS = [0, 1, 5, 20, 50, 200].map((value) => ({ value, text: value === 0 ? 'none' : `${value}` }));

/** How many firm quotes the takers ask for in a second. */
export function SpeedPanel({ speed, onState }: { speed: number; onState: (state: PracticeState) => void }) {
  const client = useClient();
  const set = useCommand(async (asksPerSecond: number) => onState(await client.practice.speed({ asksPerSecond })));
  return (
    <Panel name="Takers" aside={`${speed} firm requests a second`}>
      {set.refusal !== null && <RefusalNote refusal={set.refusal} />}
      <div className="speed">
        <Segmented
          label="Firm requests a second"
          options={SPEEDS}
          value={speed}
          onChoose={(value) => set.run(value)}
          large
          disabled={set.busy}
        />
        <span className="muted">a second, over all takers of a chain</span>
      </div>
    </Panel>
  );
}
