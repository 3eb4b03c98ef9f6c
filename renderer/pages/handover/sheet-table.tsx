import { Link } from 'wouter';
import type { SheetPage, SheetTable } from '../../../electron/contract/handover-sheet.ts';
import styles from './sheet.module.css';

/** A table of the sheet: as wide as the measures say, and no row higher than its lines. */
export function SheetTableView(props: { table: SheetTable; hasHeads?: boolean; pathOf: (page: SheetPage) => string }) {
  const { table, hasHeads = false, pathOf } = props;
  const { name, columns, rows, none, more } = table;
  return (
    <section className={styles.part} aria-label={name}>
      <h3>{name}</h3>
      {rows.length > 0 && (
        <table>
          <colgroup>
            {columns.map(({ head, width }) => (
              <col key={head} style={{ width: `${width}%` }} />
            ))}
          </colgroup>
          <thead className={hasHeads ? undefined : 'only-read'}>
            <tr>
              {columns.map(({ head, isFigure }) =>
                head === '' ? (
                  <td key={head} />
                ) : (
                  <th key={head} scope="col" className={isFigure ? 'right' : undefined}>
                    {head}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ cells, lines, tone }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row has no name of its own, and all come anew together
              <tr key={place} data-tone={tone}>
                {cells.map((cell, index) => (
                  <td
                    key={columns[index]?.head}
                    className={columns[index]?.isFigure ? 'right' : undefined}
                    data-figure={columns[index]?.isFigure}
                  >
                    <bdi data-lines={lines}>{cell}</bdi>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {rows.length === 0 && <p className={styles.end}>{none}</p>}
      {more !== null && (
        <p className={styles.end}>
          <Link href={pathOf(more.page)}>{more.text}</Link>
        </p>
      )}
    </section>
  );
}
