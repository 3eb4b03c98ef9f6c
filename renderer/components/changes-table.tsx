import { Fragment } from 'react';
import type { DeskChange } from '../../electron/contract/desk-changes.ts';
import styles from './changes-table.module.css';
import { plural } from './figures/counts.ts';
import { Table } from './table.tsx';

/** What would change, each as it is and as it would be; `then` says whose word that is. */
export function ChangesTable(props: { name: string; then: string; changes: readonly DeskChange[]; more: number }) {
  const { name, then, changes, more } = props;
  const groups = [...new Set(changes.map(({ about }) => about))].map((about) => ({
    about,
    rows: changes.filter((change) => change.about === about),
  }));
  return (
    <>
      <Table aria-label={name} className={styles.changes}>
        <thead>
          <tr>
            <th className={styles.what}>What</th>
            <th>Now</th>
            <th>{then}</th>
          </tr>
        </thead>
        <tbody>
          {groups.map(({ about, rows }) => (
            <Fragment key={about}>
              <tr data-group="">
                <td colSpan={3}>
                  <b>{about}</b> {plural(rows.length, 'change')}
                </td>
              </tr>
              {rows.map(({ what, before, after }) => (
                <tr key={`${what} ${before} ${after}`}>
                  <td>{what}</td>
                  <td>{before ?? <span className="muted">not there</span>}</td>
                  <td className="strong">{after ?? <span className="muted">not there</span>}</td>
                </tr>
              ))}
            </Fragment>
          ))}
        </tbody>
      </Table>
      {more > 0 && <p className="muted">{plural(more, 'more change')} not listed.</p>}
    </>
  );
}
