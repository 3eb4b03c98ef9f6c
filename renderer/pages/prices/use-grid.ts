import { type ClipboardEvent, type KeyboardEvent, type RefObject, useMemo, useRef, useState } from 'react';
import { readCellInput } from './cell-input.ts';
import { copiedText, fillEdits } from './copy-and-fill.ts';
import type { DraftLine, SeenDraft } from './draft-line.ts';
import { type CellAt, type CellRange, COLUMNS, edgeOf, moved, rangeOf, rowsOf, tabbed, textAt } from './grid-cells.ts';
import { type GridCommand, readGridKey } from './grid-keys.ts';
import { columnPlaces } from './ladder-figures.ts';
import type { LadderValues } from './ladder-values.ts';
import { pastedValue } from './pasted-ladder.ts';
import { cutOf, type GridFocus, insertAt, type NudgeUnit, nudge, removeSelected, typeOver } from './selected-edits.ts';

/** How soon the second Esc must come to discard. Milliseconds. */
const TWICE_MS = 1_500;

export interface GridOptions {
  line: DraftLine;
  values: LadderValues;
  focus: GridFocus;
  unit: NudgeUnit;
  onFocus: (focus: GridFocus) => void;
  onPublish: () => void;
  onDiscard: () => void;
  /** A range was pasted over the cells of another, not just one value. */
  onPasted: (text: string, over: CellRange) => void;
}

/** What a cell does with the mouse and what is typed into it; the same object as long as the grid lives. */
export interface GridHands {
  typed: RefObject<string>;
  choose(cell: CellAt, extend: boolean): void;
  type(initial: string): void;
  take(): void;
}

/** What the keyboard and the clipboard do to the ladder. */
export function useGrid(options: GridOptions) {
  const now = useRef(options);
  now.current = options;
  const escaped = useRef(Number.NEGATIVE_INFINITY);
  const typed = useRef('');
  const [typing, setTyping] = useState<{ initial: string; seen: SeenDraft } | null>(null);
  const typingNow = useRef(typing);
  typingNow.current = typing;

  const commands = useMemo(() => {
    const goTo = (cell: CellAt, extend = false) => {
      const { focus, onFocus } = now.current;
      onFocus({ cell, anchor: extend ? focus.anchor : cell });
    };
    const type = (initial: string) => {
      typed.current = initial;
      typingNow.current = { initial, seen: now.current.line.seen() };
      setTyping(typingNow.current);
    };
    const stop = () => {
      typingNow.current = null;
      setTyping(null);
    };
    const take = () => {
      const begun = typingNow.current;
      if (begun === null) return;
      stop();
      const { line, focus } = now.current;
      const text = typed.current;
      line.edit((ladder) => typeOver(ladder, focus, text), begun.seen);
    };
    const choose = (cell: CellAt, extend: boolean) => {
      take();
      goTo(cell, extend);
    };
    /** Whether the command was the ladder's after all. */
    const obey = (command: GridCommand, at: number): boolean => {
      const { line, values, focus, unit, onFocus } = now.current;
      const { cell } = focus;
      if (command.kind === 'move') goTo(moved(values, cell, command.dx, command.dy), command.extend);
      else if (command.kind === 'edge') goTo(edgeOf(values, cell, command.dx, command.dy), command.extend);
      else if (command.kind === 'all') {
        const last = Math.max(0, Math.max(rowsOf(values, 0), rowsOf(values, 2)) - 2);
        onFocus({ cell: { row: 0, column: 0 }, anchor: { row: last, column: COLUMNS.length - 1 } });
      } else if (command.kind === 'tab') {
        take();
        const next = tabbed(values, cell, command.backwards);
        if (next === null) return false;
        goTo(next);
      } else if (command.kind === 'edit') type(command.text ?? textAt(values, cell));
      else if (command.kind === 'take') {
        const several = focus.anchor !== cell;
        take();
        if (!several) goTo(moved(values, cell, 0, command.dy));
      } else if (command.kind === 'cancel') stop();
      else if (command.kind === 'escape') {
        if (at - escaped.current < TWICE_MS) now.current.onDiscard();
        escaped.current = at;
        goTo(cell);
      } else if (command.kind === 'insert') line.edit((ladder) => insertAt(ladder, cell));
      else if (command.kind === 'remove') line.edit((ladder) => removeSelected(ladder, focus));
      else if (command.kind === 'nudge') {
        line.edit((ladder) => nudge(ladder, focus, { applyTo: 'selection', unit, units: command.units }));
      } else if (command.kind === 'undo') line.undo();
      else if (command.kind === 'redo') line.redo();
      else {
        take();
        now.current.onPublish();
      }
      return true;
    };
    const hands: GridHands = { typed, choose, type, take };
    const attributes = {
      role: 'grid',
      'aria-multiselectable': true,
      onKeyDown: (event: KeyboardEvent) => {
        const command = readGridKey(event, typingNow.current !== null);
        if (command?.kind === 'publish' && event.repeat) return event.preventDefault(); // it is held down
        if (command !== null && obey(command, event.timeStamp)) event.preventDefault();
      },
      onCopy: (event: ClipboardEvent) => {
        if (typingNow.current !== null) return;
        const { values, focus } = now.current;
        event.clipboardData.setData('text/plain', copiedText(values, rangeOf(focus.cell, focus.anchor)));
        event.preventDefault();
      },
      onPaste: (event: ClipboardEvent) => {
        if (typingNow.current !== null) return;
        const { line, focus, onPasted } = now.current;
        const range = rangeOf(focus.cell, focus.anchor);
        const text = event.clipboardData.getData('text/plain');
        const value = pastedValue(text);
        if (value === null) onPasted(text, range);
        else if (value !== '') {
          line.edit((ladder) => {
            const places = columnPlaces(ladder);
            return fillEdits(ladder, range, (at) =>
              readCellInput(value, textAt(ladder, at), {
                places: places[COLUMNS[at.column]?.field ?? 'price'],
                cut: cutOf(at.column),
              }),
            );
          });
        }
        event.preventDefault();
      },
    };
    return { hands, attributes };
  }, []);
  return { ...commands, typing: typing?.initial ?? null };
}
