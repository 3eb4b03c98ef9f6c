import type { Draft } from '../../../electron/contract/book.ts';
import type { CellAt } from './grid-cells.ts';
import { LadderCell } from './ladder-cell.tsx';
import type { LadderScene } from './ladder-scene.ts';
import { LevelAside } from './level-aside.tsx';
import { LiveLevel } from './live-level.tsx';
import type { GridFocus } from './selected-edits.ts';

export interface RowProps {
  level: number;
  cells: Draft | null;
  scene: LadderScene;
  actor: string;
  focus: GridFocus;
  /** The text being typed into the cell in focus, or null. */
  typed: string | null;
  onType: (text: string | null) => void;
  onTake: () => void;
  onChoose: (cell: CellAt, extend: boolean) => void;
}

/** One level of both sides, mirrored around its number. */
export function LadderRow(props: RowProps) {
  const { level, cells, scene } = props;
  return (
    <tr>
      <LiveLevel scene={scene} side="bids" level={level} />
      <LevelAside scene={scene} side="bids" level={level} cells={cells?.bids[level]} />
      <LadderCell {...props} column={0} />
      <LadderCell {...props} column={1} />
      <td className="level">{level + 1}</td>
      <LadderCell {...props} column={2} />
      <LadderCell {...props} column={3} />
      <LevelAside scene={scene} side="asks" level={level} cells={cells?.asks[level]} />
      <LiveLevel scene={scene} side="asks" level={level} />
    </tr>
  );
}
