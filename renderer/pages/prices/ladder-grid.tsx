import { useEffect, useRef } from 'react';
import type { LadderPerson } from '../../../electron/contract/ladder-preview.ts';
import { rangeOf } from './grid-cells.ts';
import { LadderHead } from './ladder-head.tsx';
import { LadderRow } from './ladder-row.tsx';
import type { Scene } from './row-model.ts';
import { type GridOptions, useGrid } from './use-grid.ts';
import { useRowModels } from './use-row-models.ts';

export interface LadderNames {
  pair: string;
  base: string;
  quote: string;
  revision: number;
  /** What distances are measured from: `ref` or `mid`. */
  from: string;
}

/** The draft as a grid that the keyboard owns: bids to the left, asks to the right, what is live at the outer edges. */
export function LadderGrid(props: GridOptions & { names: LadderNames; scene: Scene; people: readonly LadderPerson[] }) {
  const { names, scene, people, focus } = props;
  const table = useRef<HTMLTableElement>(null);
  const { hands, attributes, typing } = useGrid(props);
  const rows = useRowModels(scene);
  const { row, column } = focus.cell;
  const range = rangeOf(focus.cell, focus.anchor);
  const several = range.top !== range.bottom || range.left !== range.right;

  // The focus follows the cell only while the grid has it: a stream never takes it from somewhere else.
  const owned = useRef(false);
  const isTyping = typing !== null;
  useEffect(() => {
    if (isTyping || !owned.current) return;
    table.current?.querySelector<HTMLElement>(`[data-cell="${row}-${column}"]`)?.focus();
  }, [row, column, isTyping]);

  return (
    <section className="panel ladder" aria-label="Ladder">
      <div className="scroll">
        <table
          ref={table}
          className="ladder-grid"
          aria-label={`Draft of ${names.pair}`}
          {...attributes}
          onFocus={() => {
            owned.current = true;
          }}
          onBlur={(event) => {
            // A cell whose input goes away loses the focus to nothing: then it is still the grid's.
            if (event.relatedTarget !== null) owned.current = event.currentTarget.contains(event.relatedTarget);
          }}
        >
          <LadderHead names={names} people={people} />
          <tbody>
            {rows.map((model) => {
              const inside = several && model.level >= range.top && model.level <= range.bottom;
              return (
                <LadderRow
                  key={model.level}
                  row={model}
                  focus={model.level === row ? column : -1}
                  from={inside ? range.left : -1}
                  to={inside ? range.right : -1}
                  typing={model.level === row ? typing : null}
                  hands={hands}
                />
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}
