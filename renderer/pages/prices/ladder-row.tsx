import { type CSSProperties, memo, type RefObject, useState } from 'react';
import { Mark, type Side } from '../../components/mark.tsx';
import { isSureToFit } from '../../components/table-columns.ts';
import { storiesOf } from '../../state/story.ts';
import { shortFault } from './checks-of.ts';
import { COLUMNS } from './grid-cells.ts';
import styles from './ladder.module.css';
import { type CellModel, cellName, type LiveModel, type RowModel, type SideModel } from './row-model.ts';
import { initials } from './use-draft.ts';
import type { GridHands } from './use-grid.ts';

/** One level of both sides, mirrored around its number. Drawn anew only when something of it changed. */
export const LadderRow = memo(function LadderRow(props: {
  row: RowModel;
  /** The column in focus, -1 when it is in another row. */
  focus: number;
  /** First and last selected column, -1 when none of this row is. */
  from: number;
  to: number;
  typing: string | null;
  hands: GridHands;
  chainId: number;
  pair: string;
  /** What text has in the wide columns, CSS pixels. */
  room: number;
}) {
  const { row, focus, from, to, typing, hands, chainId, pair, room } = props;
  const cell = (column: number) => (
    <LadderCell
      key={column}
      level={row.level}
      column={column}
      cell={row.cells[column] ?? null}
      inFocus={focus === column}
      chosen={column >= from && column <= to}
      typing={focus === column ? typing : null}
      hands={hands}
      chainId={chainId}
      pair={pair}
      room={room}
    />
  );
  return (
    <tr>
      <LiveFigure figure={row.bids.amount} narrow />
      <LiveFigure figure={row.bids.price} />
      <Aside side="bids" model={row.bids} room={room} />
      {cell(0)}
      {cell(1)}
      <td className={styles.level}>{row.level + 1}</td>
      {cell(2)}
      {cell(3)}
      <Aside side="asks" model={row.asks} room={room} />
      <LiveFigure figure={row.asks.price} />
      <LiveFigure figure={row.asks.amount} narrow />
    </tr>
  );
});

/** What the text of a narrow column has at least. CSS pixels. */
const NARROW = 46;

/** What is live; struck through where the draft would replace it. */
function LiveFigure({ figure, narrow }: { figure: LiveModel | null; narrow?: boolean }) {
  const looks = `right ${styles.live} ${narrow ? styles.spareColumn : ''}`;
  if (figure === null) return <td className={looks} />;
  return (
    <td
      className={looks}
      title={narrow ? figure.value : undefined}
      data-fits={isSureToFit(figure.text, NARROW) ? '' : undefined}
    >
      {figure.replaced ? <s>{figure.text}</s> : figure.text}
    </td>
  );
}

/** How far the level is from the reference and what adds up to it, or why it cannot be published. */
function Aside({ side, model, room }: { side: Side; model: SideModel; room: number }) {
  if (model.fault !== null) {
    return (
      <td colSpan={2} className={styles.fault} data-side={side} data-fault="" title={model.fault.fault}>
        <span>
          <Mark shape="refused" /> {shortFault(model.fault)}
        </span>
      </td>
    );
  }
  const distance = (
    <td key="distance" className="right quiet" data-fits={isSureToFit(model.distance, NARROW) ? '' : undefined}>
      {model.distance}
    </td>
  );
  const total = (
    <td
      key="total"
      className={`right ${styles.total}`}
      data-side={side}
      data-fits={isSureToFit(model.total, room) ? '' : undefined}
      style={{ '--share': `${model.share}%` } as CSSProperties}
    >
      {model.total}
    </td>
  );
  return side === 'bids' ? [distance, total] : [total, distance];
}

/** One cell of the draft: violet with a notch where it differs from what is live, dotted where somebody else is or was. */
function LadderCell(props: {
  level: number;
  column: number;
  cell: CellModel | 'new' | null;
  inFocus: boolean;
  chosen: boolean;
  /** What the cell is typed into from, or null. */
  typing: string | null;
  hands: GridHands;
  chainId: number;
  pair: string;
  room: number;
}) {
  const { level, column, cell, inFocus, chosen, typing, hands, chainId, pair, room } = props;
  if (cell === null) return <td className={`${styles.cell} ${styles.absent}`} />;
  const at = COLUMNS[column];
  const here = { row: level, column };
  const known = cell === 'new' ? null : cell;
  const name = cellName(column, level);
  const looks = [
    styles.cell,
    at?.field === 'price' ? (at.side === 'bids' ? 'bid' : 'ask') : '',
    known?.changed ? styles.changed : '',
    chosen ? styles.chosen : '',
  ];
  const mark = known === null ? '' : known.people || (known.editor === null ? '' : initials(known.editor));
  return (
    <td
      className={looks.filter(Boolean).join(' ')}
      data-cell={`${level}-${column}`}
      {...storiesOf(at === undefined ? null : { kind: 'cell', chainId, pair, cell: { ...at, level } }, {
        kind: 'pair',
        chainId,
        pair,
      })}
      data-by={mark === '' ? undefined : mark}
      data-fits={mark === '' && isSureToFit(known?.text, room) ? '' : undefined}
      tabIndex={inFocus ? 0 : -1}
      aria-label={`${name}: ${known === null ? 'new level' : known.text}`}
      aria-invalid={known?.fault != null ? true : undefined}
      title={
        known?.fault ??
        (known?.editor == null ? (at?.field === 'amount' ? known?.value : undefined) : `Changed by ${known.editor}`)
      }
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
        <span className={styles.ghost} />
      ) : (
        <span>{known.text}</span>
      )}
    </td>
  );
}

/** The cell that is being typed into. What stands in it is its own affair until it is taken: nothing else is drawn anew. */
function TypedCell(props: { name: string; initial: string; typed: RefObject<string>; onTake: () => void }) {
  const { name, initial, typed, onTake } = props;
  const [text, setText] = useState(initial);
  return (
    <input
      aria-label={name}
      // The cell was asked to be edited: the caret belongs there.
      ref={(input) => input?.focus()}
      value={text}
      spellCheck={false}
      autoComplete="off"
      inputMode="decimal"
      onChange={(event) => {
        typed.current = event.target.value;
        setText(event.target.value);
      }}
      onBlur={onTake}
    />
  );
}
