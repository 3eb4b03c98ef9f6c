import { useEffect, useMemo, useRef } from 'react';
import type { PairRow } from '../../../electron/contract/book.ts';
import { toPixels } from '../../components/figures/decimal-text.ts';
import { useDesk } from '../../state/console.tsx';
import type { CellAt } from './grid-cells.ts';
import { midOf, totalsOf } from './ladder-figures.ts';
import { LadderHead } from './ladder-head.tsx';
import { LadderRow } from './ladder-row.tsx';
import type { LadderScene } from './ladder-scene.ts';
import type { LadderValues } from './ladder-values.ts';
import type { GridFocus } from './selected-edits.ts';
import type { DraftDesk } from './use-draft.ts';
import { useGrid } from './use-grid.ts';

/** The draft as a grid that the keyboard owns: bids to the left, asks to the right, what is live at the outer edges. */
export function LadderGrid(props: {
  row: PairRow;
  desk: DraftDesk;
  draft: LadderValues;
  live: LadderValues;
  revision: number;
  focus: GridFocus;
  onFocus: (focus: GridFocus) => void;
}) {
  const { desk, draft, live, focus, onFocus } = props;
  const actor = useDesk((view) => view.actor);
  const table = useRef<HTMLTableElement>(null);
  const grid = useGrid(desk, draft, focus, onFocus);
  const { row, column } = focus.cell;

  // The focus follows the cell only while the grid has it: a stream never takes it from somewhere else.
  const owned = useRef(false);
  const typing = grid.editing !== null;
  useEffect(() => {
    if (typing || !owned.current) return;
    table.current?.querySelector<HTMLElement>(`[data-cell="${row}-${column}"]`)?.focus();
  }, [row, column, typing]);

  const scene = useMemo((): LadderScene => {
    const totals = { bids: totalsOf(draft.bids), asks: totalsOf(draft.asks) };
    const whole = [...totals.bids, ...totals.asks].map((total) => (total === null ? 0 : toPixels(total)));
    return { draft, live, totals, most: Math.max(0, ...whole), mid: midOf(live), places: grid.places };
  }, [draft, live, grid.places]);
  const levels = Array.from(
    { length: Math.max(draft.bids.length + 1, draft.asks.length + 1, live.bids.length, live.asks.length) },
    (_, level) => level,
  );
  const chosen = (cell: CellAt, extend: boolean) => {
    if (cell.row !== row || cell.column !== column) grid.take();
    grid.goTo(cell, extend);
  };
  return (
    <section className="panel ladder" aria-label="Ladder">
      <div className="scroll">
        <table
          ref={table}
          aria-label={`Draft of ${props.row.pair}`}
          {...grid.attributes}
          onFocus={() => {
            owned.current = true;
          }}
          onBlur={(event) => {
            // A cell whose input goes away loses the focus to nothing: then it is still the grid's.
            if (event.relatedTarget !== null) owned.current = event.currentTarget.contains(event.relatedTarget);
          }}
        >
          <LadderHead row={props.row} revision={props.revision} />
          <tbody>
            {levels.map((level) => (
              <LadderRow
                key={level}
                level={level}
                cells={desk.draft}
                scene={scene}
                actor={actor}
                focus={focus}
                typed={grid.editing}
                onType={grid.setEditing}
                onTake={grid.take}
                onChoose={chosen}
              />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
