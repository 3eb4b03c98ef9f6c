import { memo, type ReactNode, useId } from 'react';
import type { PairRow } from '../../../electron/contract/book.ts';
import { Button } from '../../components/button.tsx';
import { Key } from '../../components/key.tsx';
import { ButtonGroup, Segmented } from '../../components/segmented.tsx';
import { Switch } from '../../components/switch.tsx';
import { useClient, useConsole } from '../../state/console.tsx';
import { refusalOf } from '../../state/refusal-of.ts';
import { keysText } from '../../state/shortcuts.ts';
import { useCommand } from '../../state/use-command.ts';
import type { DraftLine } from './draft-line.ts';
import styles from './ladder-tools.module.css';
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

/** Changes that need no typing: to one side, to both, or to what is selected. Drawn anew only when one of its own things changed. */
export const LadderTools = memo(function LadderTools(props: {
  line: DraftLine;
  focus: GridFocus;
  settings: ToolSettings;
  onSettings: (settings: ToolSettings) => void;
  onBuild: () => void;
  onReprice: () => void;
  children: ReactNode;
}) {
  const { line, focus, settings, onSettings } = props;
  const { applyTo, unit } = settings;
  const move = (units: number, outwards = false) =>
    line.edit((now) => nudge(now, focus, { applyTo, unit, units, outwards }));
  const resize = (factor: string) =>
    line.edit((now) => changeCells(now, cellsOf(now, focus, applyTo, 'amount'), () => `*${factor}`));
  return (
    <div className={styles.tools} role="toolbar" aria-label="Ladder">
      <span className={styles.tool}>
        <span className={`label ${styles.spare}`}>Apply to</span>
        <Segmented
          label="Apply to"
          options={APPLY}
          value={applyTo}
          onChoose={(value) => onSettings({ ...settings, applyTo: value })}
        />
      </span>
      <span className={styles.tool}>
        <span className={`label ${styles.spare}`}>Nudge</span>
        <ButtonGroup>
          {[-10, -1, 1, 10].map((units) => (
            <Button
              key={units}
              className={Math.abs(units) === 10 ? styles.far : ''}
              title={`${units < 0 ? '[ or Alt ↓' : '] or Alt ↑'} in the ladder; with Shift 10`}
              onClick={() => move(units)}
            >
              {units < 0 ? `−${-units}` : `+${units}`}
            </Button>
          ))}
        </ButtonGroup>
      </span>
      <Segmented
        label="Nudge by"
        options={UNITS}
        value={unit}
        onChoose={(value) => onSettings({ ...settings, unit: value })}
      />
      <ButtonGroup>
        <Button title={`Bids up, asks down, by one ${unit === 'bps' ? 'bp' : 'tick'}`} onClick={() => move(-1, true)}>
          Tighten
        </Button>
        <Button title={`Bids down, asks up, by one ${unit === 'bps' ? 'bp' : 'tick'}`} onClick={() => move(1, true)}>
          Widen
        </Button>
      </ButtonGroup>
      <span className={styles.tool}>
        <span className="label narrow-out">Size</span>
        <ButtonGroup>
          {['0.8', '1.25'].map((factor) => (
            <Button key={factor} onClick={() => resize(factor)}>
              ×{factor}
            </Button>
          ))}
        </ButtonGroup>
      </span>
      <ButtonGroup className={styles.spare}>
        <Button
          title={keysText('insertLevel')}
          aria-label="Add level"
          onClick={() => line.edit((now) => insertAt(now, focus.cell))}
        >
          + Level
        </Button>
        <Button
          title={keysText('removeLevels')}
          aria-label="Remove level"
          onClick={() => line.edit((now) => removeSelected(now, focus))}
        >
          − Level
        </Button>
      </ButtonGroup>
      <Button title="A ladder from its spread, steps and sizes; also for many pairs" onClick={props.onBuild}>
        Build…
      </Button>
      <Button title="Many pairs at once: all of a token, wider, shifted or resized" onClick={props.onReprice}>
        Reprice…
      </Button>
      <span className="fill" />
      {props.children}
      <Button look="quiet" onClick={() => line.undo()}>
        Undo <Key of="undo" />
      </Button>
    </div>
  );
});

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
  const id = useId();
  if (follow === undefined || (!hasReference && !follow.on)) return null;
  const note = follow.on
    ? (follow.note ?? 'The ladder keeps its shape and moves with the reference. Publishing asks whether it goes on.')
    : 'The ladder stands where it was published. Switched on, it keeps its shape and moves with the reference.';
  return (
    <label htmlFor={id} className={styles.follow} title={note}>
      <Switch
        id={id}
        on={follow.on}
        aria-label="Follow the reference"
        disabled={command.busy}
        onClick={() => command.run(!follow.on)}
      />
      <span className={follow.on ? 'strong' : 'muted'}>{follow.on ? 'Follows reference' : 'Follow reference'}</span>
    </label>
  );
}
