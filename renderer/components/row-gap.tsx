/** Stands for rows that are not drawn. */
export function RowGap({ height }: { height: number }) {
  return height === 0 ? null : <tr style={{ height }} />;
}
