import { memo } from 'react';
import type { EventGroup, EventRow } from '../../../electron/contract/journal.ts';
import { PlainButton } from '../../components/button.tsx';
import { Cells } from '../../components/data-table.tsx';
import { countText } from '../../components/figures/counts.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { dayText, preciseClockText, stampText } from '../../components/figures/times.ts';
import type { TableColumn } from '../../components/table-columns.ts';
import { Unreadable } from '../../components/unreadable.tsx';
import { zoneName } from '../../state/time-zone.ts';
import { EventWordsInLine, GroupMark, wordsTip } from './event-words.tsx';

interface EventFacts {
  event: EventRow;
  group: EventGroup | undefined;
  /** Null on a desk of one chain: then it goes without saying. */
  chain: string | null;
  /** The day of the desk's clock as `dayText` writes it. */
  today: string;
}

type EventColumn = TableColumn<EventRow, EventFacts>;

export const EVENT_COLUMNS: readonly EventColumn[] = [
  {
    id: 'time',
    name: 'Time',
    get head() {
      return [`Time, ${zoneName()}`] as const;
    },
    width: 90,
    grows: 0,
    rank: 0,
    className: 'muted',
    sortedBy: ({ seq }) => seq,
    tip: ({ event: { time, seq } }) =>
      `${dayText(time)} ${preciseClockText(time)} ${zoneName(time)} · row ${countText(seq)}`,
    cell: ({ event: { time }, today }) => (
      <PlainButton>{dayText(time) === today ? preciseClockText(time) : stampText(time)}</PlainButton>
    ),
  },
  {
    id: 'row',
    name: 'Row of the journal',
    head: ['Row'],
    width: 54,
    grows: 0,
    rank: 4,
    hidden: true,
    align: 'right',
    className: 'quiet',
    sortedBy: ({ seq }) => seq,
    cell: ({ event }) => countText(event.seq),
  },
  {
    id: 'kind',
    name: 'Kind',
    head: ['Kind'],
    width: 122,
    grows: 0.1,
    rank: 1,
    className: 'with-mark',
    sortedBy: ({ name }) => name,
    tip: ({ event }) => event.kind,
    cell: ({ event, group }) => (
      <>
        <GroupMark group={group} />
        {event.name}
      </>
    ),
  },
  {
    id: 'who',
    name: 'Who',
    head: ['Who'],
    width: 64,
    grows: 0.1,
    rank: 2,
    sortedBy: ({ actor }) => actor,
    tip: ({ event }) => event.actor,
    cell: ({ event }) => <bdi>{event.actor}</bdi>,
  },
  {
    id: 'where',
    name: 'Where',
    head: ['Where'],
    width: 142,
    grows: 0.1,
    rank: 3,
    sortedBy: ({ pair }) => pair,
    tip: ({ event: { pair }, chain }) => [pair, chain].filter((part) => part !== null).join(' · ') || null,
    cell: ({ event: { pair }, chain }) => (
      <>
        {pair !== null && <PairName pair={pair} />}
        {chain !== null && <span className="quiet">{pair === null ? chain : ` ${chain}`}</span>}
      </>
    ),
  },
  {
    id: 'what',
    name: 'What',
    head: ['What'],
    // Beside an open event what happened has the room: where it was stands in the event.
    width: 264,
    grows: 1,
    rank: 0,
    tip: ({ event }) => wordsTip(event),
    cell: ({ event }) =>
      event.unreadable === undefined ? (
        <EventWordsInLine row={event} />
      ) : (
        <Unreadable seq={event.seq} why={event.unreadable} />
      ),
  },
];

interface EventLineProps extends EventFacts {
  columns: readonly EventColumn[];
  selected: boolean;
  onOpen: (seq: number) => void;
}

/** One event; drawn anew only when it was chosen. */
export const EventLine = memo(function EventLine({ columns, selected, onOpen, ...facts }: EventLineProps) {
  const { seq } = facts.event;
  return (
    <tr data-seq={seq} aria-selected={selected} onClick={() => onOpen(seq)}>
      <Cells columns={columns} facts={facts} />
    </tr>
  );
});
