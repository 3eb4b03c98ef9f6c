import { useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions, Lead } from '../../components/dialog.tsx';
import fieldStyles from '../../components/field.module.css';
import { plural } from '../../components/figures/counts.ts';
import { Mark, type Side } from '../../components/mark.tsx';
import { Note } from '../../components/note.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { Table } from '../../components/table.tsx';
import compareDialogStyles from './compare-dialog.module.css';
import type { DraftLine } from './draft-line.ts';
import { type CellRange, COLUMNS } from './grid-cells.ts';
import { cellText, columnPlaces } from './ladder-figures.ts';
import { editsBetween, type LadderValues } from './ladder-values.ts';
import styles from './paste-dialog.module.css';
import {
  type ColumnRole,
  type PasteContext,
  type PastedLevels,
  type PastedTable,
  pastedLevels,
  pastedOver,
  readPasted,
} from './pasted-ladder.ts';

/** Of what cannot be read so much is shown: a whole document may have been copied. Rows, and letters of each. */
const MOST_LINES = 250;
const MOST_LETTERS = 200;

const ROLES: readonly { value: ColumnRole; text: string }[] = [
  { value: 'price', text: 'Price' },
  { value: 'amount', text: 'Size' },
  { value: 'bids price', text: 'Bid price' },
  { value: 'bids amount', text: 'Bid size' },
  { value: 'asks price', text: 'Ask price' },
  { value: 'asks amount', text: 'Ask size' },
  { value: 'level', text: 'Level' },
  { value: 'side', text: 'Side' },
  { value: 'nothing', text: 'Not taken' },
];

/** A range that was pasted: what its columns are, what it makes of the draft, or why it is refused. Nothing is taken before. */
export function PasteDialog(props: {
  text: string;
  over: CellRange;
  line: DraftLine;
  values: LadderValues;
  market: Pick<PasteContext, 'base' | 'quote' | 'price'>;
  onClose: () => void;
}) {
  const { text, over, line, values, onClose } = props;
  // What is near the market moves with it; what was pasted is read once.
  const [context] = useState<PasteContext>(() => ({ ...placeOf(over), ...props.market }));
  const [read] = useState(() => readPasted(text, context));
  const table = 'table' in read ? read.table : null;
  const [roles, setRoles] = useState<readonly (ColumnRole | null)[]>(table?.roles ?? []);
  const [only, setOnly] = useState(false);
  const taking = useRef<HTMLButtonElement>(null);
  useEffect(() => taking.current?.focus(), []);
  const said = useMemo(() => (table === null ? null : pastedLevels(table, roles, context)), [table, roles, context]);
  if (table === null) {
    return (
      <Dialog title="This cannot be pasted" onClose={onClose}>
        <Note level="stop" title="Nothing of it is taken.">
          {'fault' in read ? read.fault : ''}
        </Note>
        <PastedLines text={text} />
        <DialogActions>
          <Button ref={(button) => button?.focus()} look="primary" size="large" onClick={onClose}>
            Keep the draft as it is
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  const levels = said !== null && 'levels' in said ? said.levels : null;
  const made = levels === null ? null : pastedOver(values, levels, { row: over.top, only });
  const after = made !== null && 'values' in made ? made.values : null;
  const fault = [said, made]
    .map((one) => (one !== null && 'fault' in one ? one.fault : null))
    .find((one) => one !== null);
  const below = levels === null ? 0 : levelsBelow(values, levels, over.top);
  const take = () => {
    if (levels === null) return;
    line.edit((now) => {
      const pasted = pastedOver(now, levels, { row: over.top, only });
      return 'values' in pasted ? editsBetween(now, pasted.values) : [];
    });
    onClose();
  };
  const isAsked = table.doubt !== null && roles.some((role) => role === null);
  return (
    <Dialog title="Paste into the draft" needs="trade" width="widest" onClose={onClose}>
      {isAsked ? (
        <Note level="look" title="Say what each column is.">
          {table.doubt}
        </Note>
      ) : (
        <Lead>Read as plain decimals, every digit as it was written. What changes is bold.</Lead>
      )}
      <div className={styles.both}>
        <section aria-label="What was pasted">
          <h3 className="label">What was pasted</h3>
          <PastedColumns table={table} roles={roles} onRoles={setRoles} />
        </section>
        <section aria-label="What it makes of the draft">
          <h3 className="label">What it makes of the draft</h3>
          {after === null || levels === null ? (
            <p className="muted">{fault}</p>
          ) : (
            <DraftAfter before={values} after={after} row={over.top} levels={levels} />
          )}
        </section>
      </div>
      {below > 0 && (
        <Lead>
          <label>
            <input type="checkbox" checked={only} onChange={() => setOnly(!only)} /> Remove the {plural(below, 'level')}{' '}
            below as well: {only ? 'they go.' : 'they stay as they are.'}
          </label>
        </Lead>
      )}
      <DialogActions>
        {fault != null && !isAsked && (
          <span className="stop" role="alert">
            <Mark shape="refused" /> {fault}
          </span>
        )}
        <Button size="large" onClick={onClose}>
          Keep the draft as it is
        </Button>
        <Button ref={taking} look="primary" size="large" disabled={after === null} onClick={take}>
          Put into the draft
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** What cannot be read as it came, by the rows that the reason counts. */
function PastedLines({ text }: { text: string }) {
  const lines = text
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split(/\r\n?|\n/);
  return (
    <section className={styles.lines} aria-label="What was pasted">
      <h3 className="label">What was pasted</h3>
      <Scroll className={styles.scroll}>
        <Table>
          <tbody>
            {lines.slice(0, MOST_LINES).map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place.
              <tr key={at}>
                <td className={`center quiet ${compareDialogStyles.levelColumn}`}>{at + 1}</td>
                <td className="mono">{line.slice(0, MOST_LETTERS)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      </Scroll>
    </section>
  );
}

/** The table as it was pasted, and over each column what it is taken for. */
function PastedColumns(props: {
  table: PastedTable;
  roles: readonly (ColumnRole | null)[];
  onRoles: (roles: readonly (ColumnRole | null)[]) => void;
}) {
  const { table, roles, onRoles } = props;
  return (
    <Scroll className={styles.scroll}>
      <Table>
        <thead>
          <tr>
            {roles.map((role, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place.
              <th key={column}>
                <select
                  className={`${fieldStyles.input} ${styles.role}`}
                  aria-label={`Column ${column + 1} is`}
                  value={role ?? ''}
                  onChange={(event) =>
                    onRoles(roles.map((other, at) => (at === column ? (event.target.value as ColumnRole) : other)))
                  }
                >
                  {role === null && <option value="">Which?</option>}
                  {ROLES.map(({ value, text }) => (
                    <option key={value} value={value}>
                      {text}
                    </option>
                  ))}
                </select>
              </th>
            ))}
          </tr>
          {table.heads.length > 0 && (
            <tr>
              {table.heads.map((head, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place.
                <th key={column} className="right">
                  {head}
                </th>
              ))}
            </tr>
          )}
        </thead>
        <tbody>
          {table.rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place.
            <tr key={at}>
              {row.map(({ number, side, unit }, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place.
                <td key={column} className={`right ${roles[column] === 'nothing' ? 'quiet' : ''}`}>
                  {unit === 'money' && '$'}
                  {number ?? side ?? ''}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </Scroll>
  );
}

/** The levels that are pasted over, as they are and as they would be. */
function DraftAfter(props: { before: LadderValues; after: LadderValues; row: number; levels: PastedLevels }) {
  const { before, after, row, levels } = props;
  const places = columnPlaces({ bids: [...before.bids, ...after.bids], asks: [...before.asks, ...after.asks] });
  const sides = (['bids', 'asks'] as const).filter((side) => levels[side].length > 0);
  const last = Math.max(
    ...sides.map((side) => Math.max(row + levels[side].length, before[side].length, after[side].length)),
  );
  const cells = (side: Side, level: number) => {
    const [was, is] = [before[side][level], after[side][level]];
    const figure = (part: 0 | 1) => {
      const text = (value: string | undefined) =>
        value === undefined || value === '' ? '—' : cellText(value, part === 0 ? places.price : places.amount);
      const isSame = was?.[part] === is?.[part];
      return (
        <td
          key={part}
          className={`right ${isSame ? '' : styles.changed} ${part === 0 ? (side === 'bids' ? 'bid' : 'ask') : ''}`}
        >
          {isSame ? (
            <span className="quiet">{text(was?.[part])}</span>
          ) : (
            <>
              <s className="quiet">{was === undefined ? '' : text(was[part])}</s>{' '}
              <b className="strong">{is === undefined ? 'gone' : text(is[part])}</b>
            </>
          )}
        </td>
      );
    };
    return side === 'bids' ? [figure(1), figure(0)] : [figure(0), figure(1)];
  };
  return (
    <Scroll className={styles.scroll}>
      <Table>
        <thead>
          <tr>
            <th className={`center ${compareDialogStyles.levelColumn}`}>#</th>
            {sides.map((side) =>
              (side === 'bids' ? ['Bid size', 'Bid price'] : ['Ask price', 'Ask size']).map((name) => (
                <th key={name} className="right">
                  {name}
                </th>
              )),
            )}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: last - row }, (_, at) => row + at).map((level) => (
            <tr key={level}>
              <td className="center quiet">{level + 1}</td>
              {sides.map((side) => cells(side, level))}
            </tr>
          ))}
        </tbody>
      </Table>
    </Scroll>
  );
}

/** Which side and kind of cell a range is of; null where it spans several. One that begins at a size is over prices too. */
function placeOf({ left, right }: CellRange): Pick<PasteContext, 'side' | 'field'> {
  const over = COLUMNS.slice(left, right + 1);
  const [sides, fields] = [new Set(over.map(({ side }) => side)), new Set(over.map(({ field }) => field))];
  const [first] = over;
  return {
    side: sides.size === 1 ? (first?.side ?? null) : null,
    field: fields.size === 1 ? (first?.field ?? null) : null,
  };
}

/** How many levels stand below what is pasted, on the sides that it is pasted into. */
function levelsBelow(values: LadderValues, levels: PastedLevels, row: number): number {
  return (['bids', 'asks'] as const)
    .filter((side) => levels[side].length > 0)
    .reduce((count, side) => count + Math.max(0, values[side].length - row - levels[side].length), 0);
}
