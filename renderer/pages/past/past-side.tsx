import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import type { EventKindName, EventRow } from '../../../electron/contract/journal.ts';
import type { PastDeskView, PastPair } from '../../../electron/contract/past.ts';
import { Button, TextButton } from '../../components/button.tsx';
import { Empty, ReadState, Waiting } from '../../components/empty.tsx';
import { countText, plural } from '../../components/figures/counts.ts';
import { decimalText, pricePlaces } from '../../components/figures/prices.ts';
import { ageText, clockText, preciseClockText, stampText } from '../../components/figures/times.ts';
import { Mark } from '../../components/mark.tsx';
import { QueryError } from '../../components/note.tsx';
import { Panel } from '../../components/panel.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { useClient, useConnected, useConsole } from '../../state/console.tsx';
import { cellWords } from '../../state/story.ts';
import { useFurther } from '../../state/use-further.ts';
import { EventWords, GroupMark } from '../journal/event-words.tsx';
import type { PastCell } from './past-grid.tsx';
import styles from './past-page.module.css';

/** Who changed a cell until the moment, docked beside the grid. */
export function CellThen({ of, pair, at }: { of: PastCell; pair: PastPair; at: number }) {
  const { queries } = useConsole();
  const { chainId, cell } = of;
  const places = pricePlaces(
    [...pair.ladder.bids, ...pair.ladder.asks].map(([price, amount]) => (cell.field === 'price' ? price : amount)),
  );
  const read = useInfiniteQuery({
    ...queries.ladders.cellHistory.infiniteOptions({
      input: (before: number) => ({ chainId, pair: pair.pair, cell, before }),
      initialPageParam: pair.revision + 1,
      getNextPageParam: ({ further }) => further ?? undefined,
    }),
    staleTime: Number.POSITIVE_INFINITY, // the past stays
  });
  const { further } = useFurther(read);
  const changes = read.data?.pages.flatMap((page) => page.changes) ?? [];
  const text = (value: string | null, isRead: boolean) =>
    value === null ? (isRead ? 'no level' : 'cannot be read') : decimalText(value, places);
  return (
    <Panel name={`Who changed ${pair.pair}, ${cellWords(cell)}`} className={styles.cell}>
      <Scroll>
        <ReadState read={read} rows={3} />
        <ul className={styles.changes} aria-label={`Who changed ${cellWords(cell)}`}>
          {changes.map((change) => (
            <li key={`${change.kind} ${change.revision}`}>
              <time className="muted" title={stampText(change.time)}>
                {at - change.time < 86_400_000 ? clockText(change.time) : stampText(change.time)}
              </time>
              <span className="strong">
                <bdi>{change.actor}</bdi>
              </span>
              <span>
                <span className="muted">{text(change.before, !change.unread?.includes('before'))}</span> →{' '}
                <b className="strong">{text(change.after, !change.unread?.includes('after'))}</b>
              </span>
              <span className="quiet">
                {change.kind === 'moved'
                  ? `moved, ${plural(change.moves, 'time')}`
                  : `revision ${countText(change.revision)}`}
              </span>
            </li>
          ))}
        </ul>
        {read.data !== undefined && changes.length === 0 && !read.hasNextPage && (
          <Empty title="It had never been live" />
        )}
        {read.hasNextPage && (
          <p className={styles.more}>
            <TextButton onClick={further}>Look further back</TextButton>
          </p>
        )}
      </Scroll>
    </Panel>
  );
}

const ALERTS = { stop: 'halted', protection: 'refused', alarm: 'look' } as const;

/** What needed somebody's attention then, as far as it was written down. */
export function AlertsThen({ desk }: { desk: PastDeskView }) {
  const { alerts, at } = desk;
  return (
    <Panel name="Open alerts then" aside="as they were written down" className={styles.alerts}>
      <Scroll>
        {alerts.length === 0 && <Empty title="None was open" />}
        <ul className={styles.lines} aria-label="Open alerts then">
          {alerts.map(({ kind, event }) => (
            <li key={`${kind} ${event.seq}`} title={`Row ${countText(event.seq)} · ${stampText(event.time)}`}>
              <Mark shape={ALERTS[kind]} />
              <span className={styles.words}>
                {event.pair !== null && <b className="strong">{event.pair} </b>}
                <bdi>{event.actor}</bdi> <EventWords row={event} />
              </span>
              <span className="right">{ageText(at - event.time)}</span>
            </li>
          ))}
        </ul>
      </Scroll>
    </Panel>
  );
}

const BEFORE = 30;
const AFTER = 4;
/** What the desk writes down of itself all the time: between it nobody would see what was done. */
const QUIET = ['ladders_moved', 'quotes_expired'];

/** What had happened last before a row, and what came next, newest first. */
export function EventsAround({ row, at, onGo }: { row: number; at: number; onGo: (seq: number) => void }) {
  const { queries } = useConsole();
  const named = useQuery(queries.journal.kinds.queryOptions());
  const { rows, error, searching, again } = useAround(row, named.data);
  const groups = new Map(named.data?.map(({ kind, group }) => [kind, group]));
  const later = rows.filter(({ seq }) => seq > row);
  const line = (event: EventRow, isLater: boolean) => (
    <li key={event.seq} data-later={isLater ? '' : undefined}>
      <Button
        look="quiet"
        className={styles.go}
        title={`Go there: row ${countText(event.seq)}, ${stampText(event.time)}`}
        onClick={() => onGo(event.seq)}
      >
        {at - event.time < 86_400_000 ? preciseClockText(event.time) : stampText(event.time)}
      </Button>
      <GroupMark group={groups.get(event.kind)} />
      <span className={styles.words}>
        <b className="strong">
          <bdi>{event.actor}</bdi>
        </b>{' '}
        <EventWords row={event} />
        {event.pair !== null && <span className="quiet"> {event.pair}</span>}
      </span>
    </li>
  );
  return (
    <Panel
      name="Who did what around it"
      aside="newest first, without moves and single quotes"
      className={styles.around}
    >
      <Scroll>
        {error !== null && <QueryError error={error} again={again} />}
        {rows.length === 0 && searching && <Waiting rows={5} />}
        <ul className={styles.events} aria-label="Events around the moment">
          {later.map((event) => line(event, true))}
          <li className={styles.here}>
            <b>A {preciseClockText(at)}</b>{' '}
            <span>{later.length > 0 ? 'everything above had not happened yet' : 'nothing came after it'}</span>
          </li>
          {rows.filter(({ seq }) => seq <= row).map((event) => line(event, false))}
        </ul>
      </Scroll>
    </Panel>
  );
}

/** The events around a row; what was read before stays until others are there. */
function useAround(row: number, kinds: readonly EventKindName[] | undefined) {
  const client = useClient();
  const connected = useConnected();
  const [times, setTimes] = useState(0);
  const [state, setState] = useState<{ rows: readonly EventRow[]; error: unknown; searching: boolean }>(NOTHING);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a press of "Ask again" counts `times` up
  useEffect(() => {
    if (!connected || kinds === undefined) return;
    const stop = new AbortController();
    const filter = { kinds: kinds.flatMap(({ kind, many }) => (many || QUIET.includes(kind) ? [] : [kind])) };
    const read = async () => {
      setState((old) => ({ ...old, searching: true }));
      try {
        const [before, after]: [EventRow[], EventRow[]] = [[], []];
        const asked = { filter, limit: BEFORE, before: row + 1 };
        for await (const found of await client.journal.find(asked, { signal: stop.signal })) before.push(...found.rows);
        const next = { filter, order: 'oldest', limit: AFTER, from: row + 1 } as const;
        for await (const found of await client.journal.find(next, { signal: stop.signal })) after.push(...found.rows);
        if (!stop.signal.aborted) setState({ rows: [...after.reverse(), ...before], error: null, searching: false });
      } catch (error) {
        if (!stop.signal.aborted) setState((old) => ({ ...old, error, searching: false }));
      }
    };
    void read();
    return () => stop.abort();
  }, [client, connected, kinds, row, times]);
  return { ...state, again: () => setTimes((old) => old + 1) };
}

const NOTHING = { rows: [], error: null, searching: true };

/** What is not known of the moment, a sentence each. */
export function NotKnown({ desk }: { desk: PastDeskView }): ReactNode {
  const { unread, unreadCount, unknown, ahead } = desk;
  return (
    <Panel name="What is not known" className={styles.unknown}>
      <Scroll>
        <ul className={styles.lines}>
          {ahead !== null && (
            <li>
              <Mark shape="look" />
              <span className={styles.words}>
                The clock had been at {stampText(ahead)} before: it was ahead, or was set back.
              </span>
            </li>
          )}
          {unread.map(({ seq, kind, actor, why }) => (
            <li key={seq}>
              <Mark shape="refused" />
              <span className={styles.words}>
                Row {countText(seq)} ({kind} by <bdi>{actor}</bdi>) cannot be read and is left out: {why}
              </span>
            </li>
          ))}
          {unreadCount > unread.length && (
            <li>
              <Mark shape="refused" />
              <span className={styles.words}>The same goes for {plural(unreadCount - unread.length, 'more row')}.</span>
            </li>
          )}
          {unknown.map((sentence) => (
            <li key={sentence}>
              <Mark shape="note" />
              <span className={styles.words}>{sentence}</span>
            </li>
          ))}
        </ul>
      </Scroll>
    </Panel>
  );
}
