import type { LadderValues } from './ladder-values.ts';
import { changeSelected, type GridFocus, insertAt, removeSelected } from './selected-edits.ts';
import type { DraftDesk } from './use-draft.ts';

/** Changes to the selected cells that need no typing. */
export function LadderTools({ desk, draft, focus }: { desk: DraftDesk; draft: LadderValues; focus: GridFocus }) {
  const change = (field: 'price' | 'amount', input: string) => desk.edit(changeSelected(draft, focus, field, input));
  return (
    <div className="ladder-tools" role="toolbar" aria-label="Selected cells">
      <span className="quiet">Selected prices</span>
      <Buttons inputs={['-10bp', '-1bp', '+1bp', '+10bp']} onPick={(input) => change('price', input)} />
      <span className="quiet">Selected sizes</span>
      <Buttons inputs={['*0.8', '*1.25']} onPick={(input) => change('amount', input)} />
      <button type="button" className="button" onClick={() => desk.edit(insertAt(draft, focus.cell))}>
        Add level <kbd>Ins</kbd>
      </button>
      <button type="button" className="button" onClick={() => desk.edit(removeSelected(draft, focus))}>
        Remove level <kbd>Del</kbd>
      </button>
      <span className="fill" />
      <button type="button" className="button is-quiet" onClick={desk.undo}>
        Undo <kbd>Ctrl Z</kbd>
      </button>
    </div>
  );
}

function Buttons({ inputs, onPick }: { inputs: readonly string[]; onPick: (input: string) => void }) {
  return (
    <span className="choice">
      {inputs.map((input) => (
        <button key={input} type="button" className="button" onClick={() => onPick(input)}>
          {input.replace('-', '−').replace('*', '×').replace('bp', ' bp')}
        </button>
      ))}
    </span>
  );
}
