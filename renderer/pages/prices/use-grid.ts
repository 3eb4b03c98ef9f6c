import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react';
import { readCellInput } from './cell-input.ts';
import { type CellAt, COLUMNS, moved, rangeOf, tabbed, textAt, writeAt } from './grid-cells.ts';
import { copiedText, pastedCells, pasteEdits } from './grid-clipboard.ts';
import { type GridCommand, readGridKey } from './grid-keys.ts';
import { columnPlaces } from './ladder-figures.ts';
import type { LadderValues } from './ladder-values.ts';
import { changeSelected, cutOf, type GridFocus, insertAt, removeSelected } from './selected-edits.ts';
import type { DraftDesk } from './use-draft.ts';

/** How soon the second Esc must come to discard. Milliseconds. */
const TWICE_MS = 1_500;

/** What the keyboard and the clipboard do to the ladder, and the text of the cell that is being typed into. */
export function useGrid(desk: DraftDesk, draft: LadderValues, focus: GridFocus, onFocus: (focus: GridFocus) => void) {
  const escaped = useRef(Number.NEGATIVE_INFINITY);
  const [editing, setEditing] = useState<string | null>(null);
  const places = columnPlaces(draft);

  const read = (text: string, at: CellAt) =>
    readCellInput(text, textAt(draft, at), {
      places: COLUMNS[at.column]?.field === 'price' ? places.price : places.amount,
      cut: cutOf(at.column),
    });
  const goTo = (cell: CellAt, extend = false) => onFocus({ cell, anchor: extend ? focus.anchor : cell });
  const take = () => {
    if (editing === null) return;
    setEditing(null);
    const value = read(editing, focus.cell);
    const edit = writeAt(draft, focus.cell, value);
    if (edit !== null && value !== '' && value !== textAt(draft, focus.cell)) desk.edit([edit]);
  };

  /** Whether the command was the ladder's after all. */
  const obey = (command: GridCommand, at: number): boolean => {
    if (command.kind === 'move') goTo(moved(draft, focus.cell, command.dx, command.dy), command.extend);
    else if (command.kind === 'tab') {
      take();
      const next = tabbed(draft, focus.cell, command.backwards);
      if (next === null) return false;
      goTo(next);
    } else if (command.kind === 'edit') setEditing(command.text ?? textAt(draft, focus.cell));
    else if (command.kind === 'take') {
      take();
      goTo(moved(draft, focus.cell, 0, command.dy));
    } else if (command.kind === 'cancel') setEditing(null);
    else if (command.kind === 'escape') {
      if (at - escaped.current < TWICE_MS) desk.discard();
      escaped.current = at;
      goTo(focus.cell);
    } else if (command.kind === 'insert') desk.edit(insertAt(draft, focus.cell));
    else if (command.kind === 'remove') desk.edit(removeSelected(draft, focus));
    else if (command.kind === 'nudge') {
      desk.edit(changeSelected(draft, focus, 'price', `${command.bps > 0 ? '+' : ''}${command.bps}bp`));
    } else if (command.kind === 'undo') desk.undo();
    else if (command.kind === 'redo') desk.redo();
    else {
      take();
      desk.publish();
    }
    return true;
  };

  return {
    editing,
    setEditing,
    take,
    goTo,
    places,
    attributes: {
      role: 'grid',
      onKeyDown: (event: KeyboardEvent) => {
        const { key, code, shiftKey: shift, altKey: alt } = event;
        const command = readGridKey({ key, code, shift, alt, ctrl: event.ctrlKey || event.metaKey }, editing !== null);
        if (command !== null && obey(command, event.timeStamp)) event.preventDefault();
      },
      onCopy: (event: ClipboardEvent) => {
        if (editing !== null) return;
        event.clipboardData.setData('text/plain', copiedText(draft, rangeOf(focus.cell, focus.anchor)));
        event.preventDefault();
      },
      onPaste: (event: ClipboardEvent) => {
        if (editing !== null) return;
        desk.edit(pasteEdits(draft, focus.cell, pastedCells(event.clipboardData.getData('text/plain')), read));
        event.preventDefault();
      },
    },
  };
}
