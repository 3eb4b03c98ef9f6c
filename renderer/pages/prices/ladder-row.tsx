import { memo } from 'react';
import { Mark } from '../../components/mark.tsx';
import type { Side } from '../../components/side-mark.tsx';
import { LadderCell } from './ladder-cell.tsx';
import type { LiveModel, RowModel, SideModel } from './row-model.ts';
import { shortFault } from './short-fault.ts';
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
}) {
  const { row, focus, from, to, typing, hands } = props;
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
    />
  );
  return (
    <tr>
      <LiveFigure figure={row.bids.amount} narrow />
      <LiveFigure figure={row.bids.price} />
      <Aside side="bids" model={row.bids} />
      {cell(0)}
      {cell(1)}
      <td className="level">{row.level + 1}</td>
      {cell(2)}
      {cell(3)}
      <Aside side="asks" model={row.asks} />
      <LiveFigure figure={row.asks.price} />
      <LiveFigure figure={row.asks.amount} narrow />
    </tr>
  );
});

/** What is live; struck through where the draft would replace it. */
function LiveFigure({ figure, narrow }: { figure: LiveModel | null; narrow?: boolean }) {
  const looks = `right live ${narrow ? 'l-spare' : ''}`;
  if (figure === null) return <td className={looks} />;
  return <td className={looks}>{figure.replaced ? <s>{figure.text}</s> : figure.text}</td>;
}

/** How far the level is from the reference and what adds up to it, or why it cannot be published. */
function Aside({ side, model }: { side: Side; model: SideModel }) {
  if (model.fault !== null) {
    return (
      <td colSpan={2} className={`fault is-${side}`} title={model.fault}>
        <span>
          <Mark shape="refused" /> {shortFault(model.fault)}
        </span>
      </td>
    );
  }
  const distance = (
    <td key="distance" className="right quiet">
      {model.distance}
    </td>
  );
  const total = (
    <td key="total" className={`right total is-${side}`}>
      <i style={{ width: `${model.share}%` }} />
      <span>{model.total}</span>
    </td>
  );
  return side === 'bids' ? [distance, total] : [total, distance];
}
