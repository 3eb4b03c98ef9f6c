import { memo } from 'react';
import { type EventGroup, type EventRow, sentenceText } from '../../../electron/contract/journal.ts';
import { countText } from '../../components/figures/counts.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { dayText, preciseClockText, stampText } from '../../components/figures/times.ts';
import { Unreadable } from '../../components/unreadable.tsx';
import virtualRowsStyles from '../../components/virtual-rows.module.css';
import { zoneName } from '../../state/time-zone.ts';
import styles from './event-rows.module.css';
import { EventWords, GroupMark } from './event-words.tsx';

const row = `${virtualRowsStyles.row} ${styles.columns}`;

export function EventHead() {
  return (
    <div className={`${virtualRowsStyles.head} ${styles.columns}`}>
      <span>Time, {zoneName()}</span>
      <span className={`right ${styles.number}`}>Row</span>
      <span>Kind</span>
      <span>Who</span>
      <span>Where</span>
      <span>What</span>
    </div>
  );
}

interface EventLineProps {
  event: EventRow;
  group: EventGroup | undefined;
  /** Null on a desk of one chain: then it goes without saying. */
  chain: string | null;
  style: { transform: string };
  today: string;
  selected: boolean;
  onOpen: (seq: number) => void;
}

/** One event; drawn anew only when it was chosen. */
export const EventLine = memo(
  function EventLine({ event, group, chain, style, today, selected, onOpen }: EventLineProps) {
    const { seq, time, name, actor, pair, unreadable } = event;
    return (
      <button
        type="button"
        className={row}
        style={style}
        data-seq={seq}
        aria-pressed={selected}
        onClick={() => onOpen(seq)}
      >
        <span
          className="muted"
          title={`${dayText(time)} ${preciseClockText(time)} ${zoneName(time)} · row ${countText(seq)}`}
        >
          {dayText(time) === today ? preciseClockText(time) : stampText(time)}
        </span>
        <span className={`right quiet ${styles.number}`}>{countText(seq)}</span>
        <span className="with-mark" title={event.kind}>
          <GroupMark group={group} />
          <span className={styles.name}>{name}</span>
        </span>
        <span title={actor}>
          <bdi>{actor}</bdi>
        </span>
        <span title={[pair, chain].filter((part) => part !== null).join(' · ') || undefined}>
          {pair !== null && <PairName pair={pair} />}
          {chain !== null && <span className="quiet">{pair === null ? chain : ` ${chain}`}</span>}
        </span>
        {unreadable === undefined ? (
          <span title={sentenceText(event)}>
            <EventWords row={event} />
          </span>
        ) : (
          <Unreadable seq={seq} why={unreadable} />
        )}
      </button>
    );
  },
  (old, next) =>
    old.event === next.event &&
    old.group === next.group &&
    old.chain === next.chain &&
    old.selected === next.selected &&
    old.today === next.today &&
    old.style.transform === next.style.transform,
);
