import { Fragment } from 'react';
import type { DeskChange } from '../../electron/contract/desk-changes.ts';
import styles from './changes-table.module.css';
import { plural } from './figures/counts.ts';
import { groupedText, negated, product, ratio, readDecimal, sum, withPlaces } from './figures/decimal-text.ts';
import { Table } from './table.tsx';

/** What would change, each as it is and as it would be; `then` says whose word that is. */
export function ChangesTable(props: { name: string; then: string; changes: readonly DeskChange[]; more: number }) {
  const { name, then, changes, more } = props;
  const groups = [...new Set(changes.map(({ about }) => about))].map((about) => ({
    about,
    rows: changes.filter((change) => change.about === about),
  }));
  // The heads stand over their figures where there is nothing else.
  const side = changes.every(({ unit }) => unit !== undefined) ? 'right' : '';
  return (
    <>
      <Table aria-label={name} className={styles.changes}>
        <thead>
          <tr>
            <th className={styles.what}>What</th>
            <th className={side}>Now</th>
            <th className={side}>{then}</th>
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
              {rows.map((change) => {
                const { now, next, further } = changeTexts(change);
                const place = change.unit === undefined ? '' : 'right';
                return (
                  <tr key={`${change.what} ${change.before} ${change.after}`}>
                    <td>{change.what}</td>
                    <td className={place}>{now ?? <span className="muted">not there</span>}</td>
                    <td className={`${place} strong`}>
                      {next ?? <span className="muted">not there</span>}
                      {further !== null && <span className="muted"> {further}</span>}
                    </td>
                  </tr>
                );
              })}
            </Fragment>
          ))}
        </tbody>
      </Table>
      {more > 0 && <p className="muted">{plural(more, 'more change')} not listed.</p>}
    </>
  );
}

/**
 * The two sides of a change as they are read. Amounts of a token are grouped, with their unit and as many decimals on both sides, and
 * with how far it goes: one digit too many is what a second person is there to see.
 */
export function changeTexts({ before, after, unit }: DeskChange): {
  now: string | null;
  next: string | null;
  further: string | null;
} {
  const [from, to] = [readDecimal(before ?? ''), readDecimal(after ?? '')];
  const places = Math.max(from?.places ?? 0, to?.places ?? 0);
  const say = (text: string | null, read: typeof from) =>
    unit === undefined || read === null ? text : `${groupedText(withPlaces(read, places, 'down'))}\u00a0${unit}`;
  const moved = from === null || to === null || unit === undefined ? null : sum(to, negated(from));
  const share = moved === null || from === null ? null : ratio(product(moved, HUNDRED), from, 1, 'up');
  const further = share === null ? null : `${share.digits > 0n ? '+' : ''}${groupedText(share)}\u00a0%`;
  return { now: say(before, from), next: say(after, to), further };
}

const HUNDRED = { digits: 100n, places: 0 };
