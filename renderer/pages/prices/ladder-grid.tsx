import { useEffect, useRef } from 'react';
import type { LadderPerson } from '../../../electron/contract/ladder-preview.ts';
import { countText } from '../../components/figures/counts.ts';
import { PanelBox } from '../../components/panel.tsx';
import tableStyles from '../../components/table.module.css';
import { storiesOf } from '../../state/story.ts';
import { useSize } from '../../state/use-size.ts';
import { COLUMNS, rangeOf } from './grid-cells.ts';
import styles from './ladder.module.css';
import { LadderRow } from './ladder-row.tsx';
import { type Scene, useRowModels } from './row-model.ts';
import { initials } from './use-draft.ts';
import { type GridOptions, useGrid } from './use-grid.ts';

export interface LadderNames {
  chainId: number;
  pair: string;
  base: string;
  quote: string;
  revision: number;
  /** What distances are measured from: `ref` or `mid`. */
  from: string;
}

/** The draft as a grid that the keyboard owns: bids to the left, asks to the right, what is live at the outer edges. */
export function LadderGrid(props: GridOptions & { names: LadderNames; scene: Scene; people: readonly LadderPerson[] }) {
  const { names, scene, people, focus } = props;
  const table = useRef<HTMLTableElement>(null);
  const { ref, width } = useSize<HTMLDivElement>('ladder');
  const { hands, attributes, typing } = useGrid(props);
  const rows = useRowModels(scene);
  const { row, column } = focus.cell;
  const range = rangeOf(focus.cell, focus.anchor);
  const several = range.top !== range.bottom || range.left !== range.right;

  // The focus follows the cell only while the grid has it: a stream never takes it from somewhere else.
  const owned = useRef(false);
  const isTyping = typing !== null;
  // Whoever comes here by a key, a tab or the finder goes on in the ladder; whoever is somewhere else already stays there.
  useEffect(() => {
    // With the first frame: to take the focus, the page has to be laid out, and before that it is not whole.
    const frame = requestAnimationFrame(() => {
      const { activeElement } = document;
      if (activeElement !== document.body && activeElement?.closest('nav') == null) return;
      table.current?.querySelector<HTMLElement>('[data-cell][tabindex="0"]')?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  useEffect(() => {
    if (isTyping || !owned.current) return;
    table.current?.querySelector<HTMLElement>(`[data-cell="${row}-${column}"]`)?.focus();
  }, [row, column, isTyping]);

  return (
    <PanelBox className={styles.ladder} aria-label="Ladder">
      <div ref={ref} className={`scroll ${styles.scroll}`}>
        <table
          ref={table}
          className={tableStyles.lines}
          aria-label={`Draft of ${names.pair}`}
          {...storiesOf({ kind: 'pair', chainId: names.chainId, pair: names.pair })}
          {...attributes}
          onFocus={() => {
            owned.current = true;
          }}
          onBlur={(event) => {
            // A cell whose input goes away loses the focus to nothing: then it is still the grid's.
            if (event.relatedTarget !== null) owned.current = event.currentTarget.contains(event.relatedTarget);
          }}
        >
          <LadderHead names={names} people={people} />
          <tbody>
            {rows.map((model) => {
              const inside = several && model.level >= range.top && model.level <= range.bottom;
              return (
                <LadderRow
                  key={model.level}
                  row={model}
                  focus={model.level === row ? column : -1}
                  from={inside ? range.left : -1}
                  to={inside ? range.right : -1}
                  typing={model.level === row ? typing : null}
                  hands={hands}
                  chainId={names.chainId}
                  pair={names.pair}
                  room={roomOfWide(width)}
                />
              );
            })}
          </tbody>
        </table>
      </div>
    </PanelBox>
  );
}

/** What the columns of fixed width take at most, how many share the rest, and what each has around its text. CSS pixels. */
const [FIXED, WIDE, AROUND] = [720, 6, 22];

/** What the text of a wide column has at least in a grid of this width. CSS pixels. */
function roomOfWide(width: number): number {
  return Math.floor((width - FIXED) / WIDE) - AROUND;
}

/** Two lines: who is where, then what each column holds. */
function LadderHead({ names, people }: { names: LadderNames; people: readonly LadderPerson[] }) {
  const { base, quote, revision, from } = names;
  const live = revision === 0 ? 'Nothing live' : `Live · revision ${countText(revision)}`;
  return (
    <>
      <colgroup>
        <col className={`${styles.liveColumn} ${styles.spareColumn}`} />
        <col className={styles.liveColumn} />
        <col className={styles.midColumn} />
        <col />
        <col />
        <col />
        <col className={styles.levelColumn} />
        <col />
        <col />
        <col />
        <col className={styles.midColumn} />
        <col className={styles.liveColumn} />
        <col className={`${styles.liveColumn} ${styles.spareColumn}`} />
      </colgroup>
      <thead>
        <tr>
          <td className={styles.spareColumn} />
          <th colSpan={2}>{live}</th>
          <th colSpan={3} className="right">
            <span className="bid strong">We buy {base}</span> · draft
          </th>
          <td />
          <th colSpan={2}>
            <span className="ask strong">We sell {base}</span> · draft
          </th>
          {people.length > 0 ? (
            <td colSpan={3} className="right">
              <People people={people} />
            </td>
          ) : (
            <>
              <td />
              <th colSpan={2} className="right">
                {live}
              </th>
            </>
          )}
          <td className={styles.spareColumn} />
        </tr>
        <tr>
          <th className={`right ${styles.spareColumn}`}>{base}</th>
          <th className="right">{quote}</th>
          <th className="right">
            <span className="tight-out">vs </span>
            {from}, bps
          </th>
          <th className="right">Total {base}</th>
          <th className="right">Size {base}</th>
          <th className="right">Price {quote}</th>
          <th className="center">#</th>
          <th className="right">Price {quote}</th>
          <th className="right">Size {base}</th>
          <th className="right">Total {base}</th>
          <th className="right">
            <span className="tight-out">vs </span>
            {from}, bps
          </th>
          <th className="right">{quote}</th>
          <th className={`right ${styles.spareColumn}`}>{base}</th>
        </tr>
      </thead>
    </>
  );
}

/** Who else has this pair before them, and where. */
function People({ people }: { people: readonly LadderPerson[] }) {
  const [first, ...others] = people;
  if (first === undefined) return null;
  return (
    <span className={styles.people} title={people.map(({ actor, at }) => `${actor} ${placeText(at)}`).join('\n')}>
      <b>{initials(first.actor)}</b> {first.actor} {placeText(first.at)}
      {others.length > 0 && ` and ${others.length} more`}
    </span>
  );
}

function placeText(at: LadderPerson['at']): string {
  if (at === null) return 'looks on';
  const sides = new Set(COLUMNS.slice(at.left, at.right + 1).map(({ side }) => side));
  const side = sides.size > 1 ? 'levels' : sides.has('bids') ? 'bids' : 'asks';
  return `is in ${side} ${at.top + 1}${at.bottom > at.top ? `–${at.bottom + 1}` : ''}`;
}
