import type { DraftCell } from '../../../electron/contract/book.ts';
import { COLUMNS, isInRange, rangeOf } from './grid-cells.ts';
import { cellText } from './ladder-figures.ts';
import type { RowProps } from './ladder-row.tsx';

/** One cell of the draft: violet with a notch where it differs from what is live, dotted where somebody else typed. */
export function LadderCell(props: RowProps & { column: 0 | 1 | 2 | 3 }) {
  const { level, column, cells, scene, actor, focus, typed, onType, onTake, onChoose } = props;
  const { side, field } = COLUMNS[column];
  const here = { row: level, column };
  const levels = scene.draft[side].length;
  if (level > levels) return <td className="cell is-absent" />;
  const cell: DraftCell | undefined = cells?.[side][level]?.[field];
  const inFocus = focus.cell.row === level && focus.cell.column === column;
  const places = field === 'price' ? scene.places.price : scene.places.amount;
  const what = `${side === 'bids' ? 'Bid' : 'Ask'} ${level + 1} ${field === 'price' ? 'price' : 'size'}`;
  const looks = [
    'cell',
    field === 'price' ? (side === 'bids' ? 'bid' : 'ask') : '',
    cell !== undefined && cell.value !== (scene.live[side][level]?.[field === 'price' ? 0 : 1] ?? '')
      ? 'is-changed'
      : '',
    cell?.editor != null && cell.editor !== actor ? 'is-others' : '',
    cell?.fault != null ? 'is-faulty' : '',
    isInRange(here, rangeOf(focus.cell, focus.anchor)) && focus.cell !== focus.anchor ? 'is-chosen' : '',
  ];
  return (
    <td
      className={looks.filter(Boolean).join(' ')}
      data-cell={`${level}-${column}`}
      tabIndex={inFocus ? 0 : -1}
      aria-label={`${what}: ${cell === undefined ? 'new level' : cellText(cell.value, places)}`}
      aria-invalid={cell?.fault != null ? true : undefined}
      title={cell?.fault ?? (cell?.editor == null ? undefined : `Changed by ${cell.editor}`)}
      onMouseDown={(event) => {
        onChoose(here, event.shiftKey);
        if (inFocus && typed !== null) return;
        event.currentTarget.focus();
      }}
      onDoubleClick={() => onType(cell?.value ?? '')}
    >
      {inFocus && typed !== null ? (
        <input
          aria-label={what}
          // The cell was asked to be edited: the caret belongs there.
          ref={(input) => input?.focus()}
          value={typed}
          spellCheck={false}
          autoComplete="off"
          inputMode="decimal"
          onChange={(event) => onType(event.target.value)}
          onBlur={onTake}
        />
      ) : cell === undefined ? (
        <span className="ghost" />
      ) : (
        <span>{cellText(cell.value, places)}</span>
      )}
      {cell?.editor != null && cell.editor !== actor && <small>{initials(cell.editor)}</small>}
    </td>
  );
}

function initials(name: string): string {
  return name
    .split(/\s+/)
    .map((word) => word.slice(0, 1).toUpperCase())
    .join('')
    .slice(0, 2);
}
