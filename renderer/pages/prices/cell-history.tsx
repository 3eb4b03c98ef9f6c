import { useInfiniteQuery } from '@tanstack/react-query';
import type { CellChange } from '../../../electron/contract/book.ts';
import { TextButton } from '../../components/button.tsx';
import { Empty, ReadState } from '../../components/empty.tsx';
import { countText, plural } from '../../components/figures/counts.ts';
import { momentText, stampText } from '../../components/figures/times.ts';
import { Scroll } from '../../components/scroll.tsx';
import { useConsole } from '../../state/console.tsx';
import { zoneName } from '../../state/time-zone.ts';
import { useFurther } from '../../state/use-further.ts';
import styles from './cell-history.module.css';
import { type CellAt, COLUMNS } from './grid-cells.ts';
import { cellText } from './ladder-figures.ts';
import { cellName } from './row-model.ts';

/** Who changed a cell of what is live, when, and from what to what. Moves with the reference stand as one line until somebody published again. */
export function CellHistory(props: {
  chainId: number;
  pair: string;
  cell: CellAt;
  places: { price: number; amount: number };
}) {
  const { chainId, pair, cell, places } = props;
  const { desk, queries } = useConsole();
  const { side, field } = COLUMNS[cell.column] ?? COLUMNS[0];
  const level = cell.row;
  const read = useInfiniteQuery(
    queries.ladders.cellHistory.infiniteOptions({
      input: (before: number | undefined) => ({ chainId, pair, cell: { side, level, field }, before }),
      initialPageParam: undefined,
      getNextPageParam: ({ further }) => further ?? undefined,
    }),
  );
  const { further } = useFurther(read);
  const changes = read.data?.pages.flatMap((page) => page.changes) ?? [];
  const text = (value: string | null, isRead: boolean) =>
    value === null ? (isRead ? 'no level' : 'cannot be read') : cellText(value, places[field]);
  const name = cellName(cell.column, cell.row);
  return (
    <Scroll aria-label={`Who changed ${name}`}>
      <ReadState read={read} rows={4} unknown="Who changed it is not known here; the ladder is as it stands" />
      {read.data !== undefined && changes.length === 0 && !read.hasNextPage && (
        <Empty title={`${name} was never live`}>
          Levels are counted in what is published, the best one first. What is typed into the draft stands here once it
          is live.
        </Empty>
      )}
      {changes.length > 0 && (
        <ul className={styles.changes} aria-label={`Who changed ${name}`}>
          {changes.map((change) => (
            <li key={`${change.kind} ${change.revision}`}>
              <time className="muted" title={`${stampText(change.time)} ${zoneName(change.time)}`}>
                {momentText(change.time, desk.now())}
              </time>
              <span>
                <span className="muted">{text(change.before, !change.unread?.includes('before'))}</span> →{' '}
                <span className={change.kind === 'moved' ? '' : 'strong'}>
                  {text(change.after, !change.unread?.includes('after'))}
                </span>
              </span>
              <span className={styles.how} title={howTitle(change)}>
                <span className="strong">{change.actor}</span> <span className="muted">{howText(change)}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
      {read.hasNextPage && (
        <p className={styles.more}>
          <TextButton onClick={further}>Look further back</TextButton>
        </p>
      )}
    </Scroll>
  );
}

function howText({ kind, revision, moves }: CellChange): string {
  if (kind === 'moved') return `moved with the reference${moves === 1 ? '' : `, ${plural(moves, 'time')}`}`;
  if (kind === 'imported') return 'with a desk file';
  return kind === 'listed' ? 'listed the pair' : `published revision ${countText(revision)}`;
}

function howTitle({ kind, revision }: CellChange): string {
  if (kind === 'moved') return `Nobody typed it; the last time as revision ${countText(revision)}`;
  if (kind === 'imported') return `Came with a desk file as revision ${countText(revision)}`;
  if (kind === 'listed') return 'The pair was listed, and began without a ladder';
  return `Published as revision ${countText(revision)}`;
}
