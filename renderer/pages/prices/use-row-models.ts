import { useMemo, useRef } from 'react';
import { type RowModel, rowModels, type Scene } from './row-model.ts';

/** The rows of the ladder; one that looks as before is the same object, so that it is not drawn anew. */
export function useRowModels(scene: Scene): readonly RowModel[] {
  const drawn = useRef<{ text: string; row: RowModel }[]>([]);
  const { draft, values, live, actor, from, places, people } = scene;
  return useMemo(() => {
    const rows = rowModels({ draft, values, live, actor, from, places, people }).map((row, level) => {
      const before = drawn.current[level];
      const text = JSON.stringify(row);
      return before?.text === text ? before : { text, row };
    });
    drawn.current = rows;
    return rows.map(({ row }) => row);
  }, [draft, values, live, actor, from, places, people]);
}
