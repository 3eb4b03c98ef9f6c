import { memo } from 'react';
import type { PublishedLadder } from '../../../electron/contract/book.ts';
import type { Ladder } from '../../../electron/contract/desk-file.ts';
import { TextButton } from '../../components/button.tsx';
import { Chip } from '../../components/chip.tsx';
import { countText, plural } from '../../components/figures/counts.ts';
import { readDecimal, toPixels } from '../../components/figures/decimal-text.ts';
import { decimalText, pricePlaces } from '../../components/figures/prices.ts';
import { momentText } from '../../components/figures/times.ts';
import type { Side } from '../../components/mark.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { Table } from '../../components/table.tsx';
import { ROW_HEIGHT, useRowsInSight } from '../../components/use-rows-in-sight.ts';
import { useDeskDay } from '../../state/clock.ts';
import { useConsole } from '../../state/console.tsx';
import { numberText } from '../../state/number-form.ts';
import { zoneName } from '../../state/time-zone.ts';
import { spreadOf } from './ladder-figures.ts';
import styles from './revisions-panel.module.css';

/** As high as the panel is in a usual window, until its height is known. */
const USUAL_HEIGHT = 8 * ROW_HEIGHT;

/** What was published before: any of it can be compared with what is live, or loaded as a draft. */
export const RevisionsTable = memo(function RevisionsTable(props: {
  revisions: readonly PublishedLadder[];
  /** The revision that is live, where it is among them: one value for all that are not. */
  live: number | null;
  onLoad: (revision: PublishedLadder) => void;
  onCompare: (revision: PublishedLadder) => void;
}) {
  const { desk } = useConsole();
  useDeskDay();
  const newestFirst = [...props.revisions].sort((a, b) => b.revision - a.revision);
  const places = pricePlaces(
    newestFirst.flatMap(({ ladder }) => [...ladder.bids, ...ladder.asks].map(([price]) => price)),
  );
  const { scroller, first, end } = useRowsInSight(newestFirst.length, { height: USUAL_HEIGHT, beyond: 2 });
  return (
    <Scroll ref={scroller}>
      <Table className={styles.table}>
        <thead>
          <tr>
            <th className={styles.numberColumn}>Revision</th>
            <th className={styles.timeColumn}>At, {zoneName()}</th>
            <th className={styles.byColumn}>By</th>
            <th className={`right ${styles.priceColumn}`}>Best bid</th>
            <th className={`right ${styles.priceColumn} ${styles.askColumn}`}>Best ask</th>
            <th className={`right ${styles.spreadColumn}`}>
              <span className={styles.spare}>Spread, </span>bps
            </th>
            <th className={styles.changeColumn}>Change</th>
            <td className={styles.actionColumn} />
          </tr>
        </thead>
        <tbody>
          {first > 0 && <tr style={{ height: first * ROW_HEIGHT }} />}
          {newestFirst.slice(first, end).map((published, index) => (
            <RevisionRow
              key={published.revision}
              published={published}
              before={newestFirst[first + index + 1]}
              isLive={published.revision === props.live}
              places={places}
              now={desk.now()}
              onLoad={props.onLoad}
              onCompare={props.onCompare}
            />
          ))}
          {end < newestFirst.length && <tr style={{ height: (newestFirst.length - end) * ROW_HEIGHT }} />}
        </tbody>
      </Table>
    </Scroll>
  );
});

interface RevisionRowProps {
  published: PublishedLadder;
  /** The next older one that is known. */
  before: PublishedLadder | undefined;
  isLive: boolean;
  places: number;
  now: number;
  onLoad: (revision: PublishedLadder) => void;
  onCompare: (revision: PublishedLadder) => void;
}

/** A revision never changes: while a program publishes, only new ones are drawn. */
const RevisionRow = memo(
  ({ published, before, isLive, places, now, onLoad, onCompare }: RevisionRowProps) => {
    const { revision, time, actor, ladder, unreadable } = published;
    const isNext = before?.revision === revision - 1 && before.unreadable === undefined;
    const change = unreadable !== undefined ? 'cannot be read' : isNext ? changeText(before.ladder, ladder) : '';
    return (
      <tr>
        <td>{countText(revision)}</td>
        <td className="muted">{momentText(time, now)}</td>
        <td className={styles.byColumn} title={actor}>
          {actor}
        </td>
        <td className="right bid">{bestText(ladder.bids, places)}</td>
        <td className={`right ask ${styles.askColumn}`}>{bestText(ladder.asks, places)}</td>
        <td className={`right ${styles.spreadColumn}`}>{spreadOf(ladder) ?? '—'}</td>
        <td className={`muted ${styles.changeColumn}`} title={unreadable ?? change}>
          {change}
        </td>
        <td className="right">
          {isLive && <Chip tone="outline">live</Chip>}
          {!isLive && unreadable === undefined && (
            <>
              <TextButton onClick={() => onCompare(published)}>Compare</TextButton>
              &ensp;
              <TextButton className={styles.loadColumn} onClick={() => onLoad(published)}>
                Load
              </TextButton>
            </>
          )}
        </td>
      </tr>
    );
  },
  (was, is) =>
    was.published.revision === is.published.revision &&
    was.published.unreadable === is.published.unreadable &&
    was.before?.revision === is.before?.revision &&
    was.isLive === is.isLive &&
    was.places === is.places &&
    momentText(was.published.time, was.now) === momentText(is.published.time, is.now),
);

function bestText(levels: PublishedLadder['ladder']['bids'], places: number): string {
  return levels[0] === undefined ? '—' : decimalText(levels[0][0], places);
}

/** What one revision changed against the one before it, as a trader says it: `20 prices moved, +0.8 bps on average`. */
function changeText(before: Ladder | undefined, after: Ladder): string {
  if (before === undefined) return '';
  const parts: string[] = [];
  const moved = (['bids', 'asks'] as const).flatMap((side) => movesOf(before, after, side));
  if (moved.length > 0) {
    const mean = moved.reduce((total, bps) => total + bps, 0) / moved.length;
    const text = Math.abs(mean).toFixed(1);
    const sign = text === '0.0' ? '' : mean > 0 ? '+' : '−';
    parts.push(
      `${plural(moved.length, 'price')} moved, ${sign}${numberText(text)} bps${moved.length > 1 ? ' on average' : ''}`,
    );
  }
  const resized = (['bids', 'asks'] as const).flatMap((side) =>
    after[side].filter(([, amount], level) => before[side][level] !== undefined && before[side][level][1] !== amount),
  ).length;
  if (resized > 0) parts.push(`${plural(resized, 'size')} changed`);
  for (const side of ['bids', 'asks'] as const) {
    const more = after[side].length - before[side].length;
    if (more !== 0) {
      parts.push(`${plural(Math.abs(more), side === 'bids' ? 'bid' : 'ask')} ${more > 0 ? 'added' : 'removed'}`);
    }
  }
  return parts.length === 0 ? 'same ladder' : parts.join(' · ');
}

/** By how many bps each price of a side moved; for a sentence, so these are floats. */
function movesOf(before: Ladder, after: Ladder, side: Side): number[] {
  return after[side].flatMap(([price], level) => {
    const was = readDecimal(before[side][level]?.[0] ?? '');
    const is = readDecimal(price);
    if (was === null || is === null || was.digits === 0n) return [];
    const [from, to] = [toPixels(was), toPixels(is)];
    return from === to ? [] : [((to - from) / from) * 10_000];
  });
}
