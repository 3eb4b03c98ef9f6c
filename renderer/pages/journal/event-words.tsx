import { type EventGroup, type EventRow, sentenceText } from '../../../electron/contract/journal.ts';
import { Mark, type MarkShape } from '../../components/mark.tsx';
import styles from './event-words.module.css';

const SHAPES: Readonly<Record<EventGroup, MarkShape>> = {
  prices: 'buy',
  settings: 'note',
  stops: 'octagon',
  quotes: 'open',
  fills: 'filled',
  hedges: 'part',
  desk: 'live',
};

/** What an event is about, by a shape of its own. */
export function GroupMark({ group }: { group: EventGroup | undefined }) {
  return <Mark shape={SHAPES[group ?? 'desk']} tone={group === 'stops' ? '' : 'quiet'} />;
}

const CLASSES = { before: styles.before, after: styles.after, said: styles.said } as const;

/** What happened, as a sentence: what was before, what is now, and what somebody said of it. */
export function EventWords({ row }: { row: EventRow }) {
  // What others wrote may be in a script that is read the other way: each part keeps its own direction.
  return (
    <>
      {row.unreadable === undefined
        ? row.sentence.map(({ text, as }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of one sentence never move
            <bdi key={index} className={as && CLASSES[as]}>
              {text}
            </bdi>
          ))
        : sentenceText(row)}
    </>
  );
}
