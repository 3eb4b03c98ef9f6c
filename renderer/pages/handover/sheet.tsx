import type { Sheet, SheetPage } from '../../../electron/contract/handover-sheet.ts';
import styles from './sheet.module.css';
import { SheetTableView } from './sheet-table.tsx';

/** A day on one sheet: on the screen as wide as there is room, in print one page of A4. */
export function SheetView({ sheet, pathOf }: { sheet: Sheet; pathOf: (page: SheetPage) => string }) {
  const { day, facts, figures, open, pairs, refused, done, seals } = sheet;
  return (
    <article className={styles.sheet} aria-label="Sheet">
      <header>
        <h2>
          Handover <span>{day}</span>
        </h2>
        <p>{facts.join(' · ')}</p>
      </header>
      <dl>
        {figures.map(({ name, value, note }) => (
          <div key={name} data-wide={name.endsWith('$') ? '' : undefined}>
            <dt>{name}</dt>
            <dd>{value}</dd>
            <dd className={styles.note}>{note}</dd>
          </div>
        ))}
      </dl>
      <SheetTableView table={open} pathOf={pathOf} />
      <div className={styles.beside}>
        <SheetTableView table={pairs} pathOf={pathOf} hasHeads />
        <SheetTableView table={refused} pathOf={pathOf} hasHeads />
      </div>
      <SheetTableView table={done} pathOf={pathOf} />
      <SheetTableView table={seals} pathOf={pathOf} />
    </article>
  );
}
