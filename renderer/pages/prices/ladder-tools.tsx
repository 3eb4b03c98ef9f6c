import type { ReactNode } from 'react';
import type { PairRow } from '../../../electron/contract/book.ts';
import { Key } from '../../components/key.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { useClient, useConsole } from '../../state/console.tsx';
import { refusalOf } from '../../state/refusal-of.ts';
import { keysText } from '../../state/shortcuts.ts';
import { useCommand } from '../../state/use-command.ts';
import type { DraftLine } from './draft-line.ts';
import {
  type ApplyTo,
  cellsOf,
  changeCells,
  type GridFocus,
  insertAt,
  type NudgeUnit,
  nudge,
  removeSelected,
} from './selected-edits.ts';

/** What the buttons above the ladder work with; kept while pairs change. */
export interface ToolSettings {
  applyTo: ApplyTo;
  unit: NudgeUnit;
}

const APPLY: readonly { value: ApplyTo; text: string }[] = [
  { value: 'bids', text: 'Bids' },
  { value: 'asks', text: 'Asks' },
  { value: 'both', text: 'Both' },
  { value: 'selection', text: 'Selection' },
];
const UNITS: readonly { value: NudgeUnit; text: string }[] = [
  { value: 'bps', text: 'bps' },
  { value: 'ticks', text: 'ticks' },
];

/** Changes that need no typing: to one side, to both, or to what is selected. */
export function LadderTools(props: {
  line: DraftLine;
  focus: GridFocus;
  settings: ToolSettings;
  onSettings: (settings: ToolSettings) => void;
  onBuild: () => void;
  children: ReactNode;
}) {
  const { line, focus, settings, onSettings } = props;
  const { applyTo, unit } = settings;
  const move = (units: number, outwards = false) =>
    line.edit((now) => nudge(now, focus, { applyTo, unit, units, outwards }));
  const resize = (factor: string) =>
    line.edit((now) => changeCells(now, cellsOf(now, focus, applyTo, 'amount'), () => `*${factor}`));
  return (
    <div className="ladder-tools" role="toolbar" aria-label="Ladder">
      <span className="tool">
        <span className="label spare">Apply to</span>
        <Segmented
          label="Apply to"
          options={APPLY}
          value={applyTo}
          onChoose={(value) => onSettings({ ...settings, applyTo: value })}
        />
      </span>
      <span className="tool">
        <span className="label spare">Nudge</span>
        <span className="choice">
          {[-10, -1, 1, 10].map((units) => (
            <button
              key={units}
              type="button"
              className={`button ${Math.abs(units) === 10 ? 'far' : ''}`}
              title={units < 0 ? '[ in the ladder; with Shift 10' : '] in the ladder; with Shift 10'}
              onClick={() => move(units)}
            >
              {units < 0 ? `−${-units}` : `+${units}`}
            </button>
          ))}
        </span>
      </span>
      <Segmented
        label="Nudge by"
        options={UNITS}
        value={unit}
        onChoose={(value) => onSettings({ ...settings, unit: value })}
      />
      <span className="choice">
        <button
          type="button"
          className="button"
          title={`Bids up, asks down, by one ${unit === 'bps' ? 'bp' : 'tick'}`}
          onClick={() => move(-1, true)}
        >
          Tighten
        </button>
        <button
          type="button"
          className="button"
          title={`Bids down, asks up, by one ${unit === 'bps' ? 'bp' : 'tick'}`}
          onClick={() => move(1, true)}
        >
          Widen
        </button>
      </span>
      <span className="tool">
        <span className="label narrow-out">Size</span>
        <span className="choice">
          {['0.8', '1.25'].map((factor) => (
            <button key={factor} type="button" className="button" onClick={() => resize(factor)}>
              ×{factor}
            </button>
          ))}
        </span>
      </span>
      <span className="choice spare">
        <button
          type="button"
          className="button"
          title={keysText('insertLevel')}
          aria-label="Add level"
          onClick={() => line.edit((now) => insertAt(now, focus.cell))}
        >
          + Level
        </button>
        <button
          type="button"
          className="button"
          title={keysText('removeLevels')}
          aria-label="Remove level"
          onClick={() => line.edit((now) => removeSelected(now, focus))}
        >
          − Level
        </button>
      </span>
      <button type="button" className="button" onClick={props.onBuild}>
        Build ladder…
      </button>
      <span className="fill" />
      {props.children}
      <button type="button" className="button is-quiet" onClick={() => line.undo()}>
        Undo <Key of="undo" />
      </button>
    </div>
  );
}

/** Whether the ladder moves with the reference. A publish by hand asks whether it goes on. */
export function FollowSwitch(props: {
  chainId: number;
  pair: string;
  follow: PairRow['follow'];
  hasReference: boolean;
}) {
  const { chainId, pair, follow, hasReference } = props;
  const { ladders } = useClient();
  const { toasts } = useConsole();
  const command = useCommand(async (on: boolean) => {
    try {
      await ladders.setFollow({ chainId, pair, on });
    } catch (error) {
      const { sentence, remedy } = refusalOf(error);
      toasts.show({ level: 'stop', title: sentence, detail: remedy });
    }
  });
  if (follow === undefined || (!hasReference && !follow.on)) return null;
  const note = follow.on
    ? (follow.note ?? 'The ladder keeps its shape and moves with the reference. Publishing asks whether it goes on.')
    : 'The ladder stands where it was published. Switched on, it keeps its shape and moves with the reference.';
  return (
    <label className="follow" title={note}>
      <button
        type="button"
        role="switch"
        aria-checked={follow.on}
        aria-label="Follow the reference"
        className="switch"
        disabled={command.busy}
        onClick={() => command.run(!follow.on)}
      />
      <span className={follow.on ? 'strong' : 'muted'}>{follow.on ? 'Follows reference' : 'Follow reference'}</span>
    </label>
  );
}
