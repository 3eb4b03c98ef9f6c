import { COLUMNS } from './grid-cells.ts';
import type { CellModel } from './row-model.ts';
import { cellName } from './row-model.ts';
import { TypedCell } from './typed-cell.tsx';
import type { GridHands } from './use-grid.ts';
import { initials } from './use-people.ts';

/** One cell of the draft: violet with a notch where it differs from what is live, dotted where somebody else is or was. */
export function LadderCell(props: {
  level: number;
  column: number;
  cell: CellModel | 'new' | null;
  inFocus: boolean;
  chosen: boolean;
  /** What the cell is typed into from, or null. */
  typing: string | null;
  hands: GridHands;
}) {
  const { level, column, cell, inFocus, chosen, typing, hands } = props;
  if (cell === null) return <td className="cell is-absent" />;
  const at = COLUMNS[column];
  const here = { row: level, column };
  const known = cell === 'new' ? null : cell;
  const name = cellName(column, level);
  const looks = [
    'cell',
    at?.field === 'price' ? (at.side === 'bids' ? 'bid' : 'ask') : '',
    known?.changed ? 'is-changed' : '',
    known?.editor != null || (known?.people ?? '') !== '' ? 'is-others' : '',
    known?.fault != null ? 'is-faulty' : '',
    chosen ? 'is-chosen' : '',
  ];
  const mark = known === null ? '' : known.people || (known.editor === null ? '' : initials(known.editor));
  return (
    <td
      className={looks.filter(Boolean).join(' ')}
      data-cell={`${level}-${column}`}
      data-by={mark === '' ? undefined : mark}
      tabIndex={inFocus ? 0 : -1}
      aria-label={`${name}: ${known === null ? 'new level' : known.text}`}
      aria-invalid={known?.fault != null ? true : undefined}
      title={known?.fault ?? (known?.editor == null ? undefined : `Changed by ${known.editor}`)}
      onMouseDown={(event) => {
        if (inFocus && typing !== null) return;
        hands.choose(here, event.shiftKey);
        event.currentTarget.focus();
        event.preventDefault();
      }}
      onMouseEnter={(event) => {
        if (event.buttons === 1) hands.choose(here, true);
      }}
      onDoubleClick={() => hands.type(known?.value ?? '')}
    >
      {inFocus && typing !== null ? (
        <TypedCell name={name} initial={typing} typed={hands.typed} onTake={hands.take} />
      ) : known === null ? (
        <span className="ghost" />
      ) : (
        <span>{known.text}</span>
      )}
    </td>
  );
}
