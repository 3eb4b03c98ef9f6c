import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { QuoteRow } from '../../../electron/contract/quote-log.ts';
import { Empty, ReadState } from '../../components/empty.tsx';
import { Panel } from '../../components/panel.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { Table } from '../../components/table.tsx';
import { ROW_HEIGHT, useRowsInSight } from '../../components/use-rows-in-sight.ts';
import type { ConsoleClient } from '../../state/connection.ts';
import { useClient, useConnected, useQueries } from '../../state/console.tsx';
import { mergeRows } from '../../state/merge-rows.ts';
import { useShortcuts } from '../../state/shortcuts.ts';
import { useHold } from '../../state/use-hold.ts';
import { useStream } from '../../state/use-stream.ts';
import styles from './activity.module.css';
import { ActivityRow } from './activity-row.tsx';

const AT_MOST = 60;
/** As high as the panel is in a usual window, until its height is known. */
const USUAL_HEIGHT = 24 * ROW_HEIGHT;

/** What the visit before showed last; it stands there, and is said to be of then, until what is so now is read. */
let shownLast: Awaited<ReturnType<ConsoleClient['log']['page']>> | undefined;

/** The newest quotes and what became of them; Space holds them still. */
export function Activity() {
  const client = useClient();
  const connected = useConnected();
  // Never from the cache as if it were so now: rows of an earlier visit have moved on since.
  const first = useQuery({
    ...useQueries().log.page.queryOptions({ input: { filter: {}, limit: AT_MOST }, staleTime: 0, gcTime: 0 }),
    placeholderData: shownLast,
  });
  const [live, setLive] = useState<readonly QuoteRow[]>([]);
  const [reading, setReading] = useState(false);
  const open = useCallback((signal: AbortSignal) => client.log.watch(undefined, { signal }), [client]);
  useStream(open, (batch) => {
    setLive((rows) => (batch.length === 0 ? [] : mergeRows(rows, batch, { atMost: AT_MOST, insert: true })));
    if (batch.length === 0) void first.refetch(); // the tail is open: what was written before it is read now
  });
  const all = mergeRows(first.data?.rows ?? [], live, { atMost: AT_MOST, insert: true });
  const { held, bound, toggle } = useHold(all[0]?.seq ?? -1, reading);
  useShortcuts({ hold: toggle });
  const rows = all.filter(({ seq }) => seq <= bound);
  // Open ones count down, all of them in the same moment: those that nobody sees are not drawn.
  const { scroller, first: top, end } = useRowsInSight(rows.length, { height: USUAL_HEIGHT, beyond: 2 });
  useEffect(() => {
    if (!first.isPlaceholderData && first.data !== undefined) shownLast = { rows: [...rows], more: true };
  });
  return (
    <Panel
      name="Activity"
      aside={first.isPlaceholderData ? 'as you left it, being read again' : tailWord(connected, held, reading)}
      actions={
        <Link href="/firm-log" className="quiet">
          Firm log
        </Link>
      }
    >
      <Scroll
        ref={scroller}
        onPointerEnter={() => setReading(true)}
        onPointerLeave={() => setReading(false)}
        onFocus={() => setReading(true)}
        onBlur={() => setReading(false)}
      >
        {first.data === undefined && (
          <ReadState read={first} rows={6} unknown="The newest quotes are not known here; the desk goes on quoting" />
        )}
        {first.data !== undefined && rows.length === 0 && (
          <Empty title="No firm quote yet">A quote appears here as soon as the service asks for one.</Empty>
        )}
        <Table className={first.isPlaceholderData ? 'muted' : ''}>
          <colgroup>
            <col className={styles.timeColumn} />
            <col className={styles.stateColumn} />
            <col className={styles.pairColumn} />
            <col className={styles.sideColumn} />
            <col />
            <col className={styles.againstColumn} />
            <col className={styles.priceColumn} />
            <col className={styles.edgeColumn} />
            <col className={`${styles.userColumn} roomy-only`} />
          </colgroup>
          <tbody>
            {top > 0 && <tr style={{ height: top * ROW_HEIGHT }} />}
            {rows.slice(top, end).map((row) => (
              <ActivityRow key={row.seq} row={row} />
            ))}
            {end < rows.length && <tr style={{ height: (rows.length - end) * ROW_HEIGHT }} />}
          </tbody>
        </Table>
      </Scroll>
    </Panel>
  );
}

function tailWord(connected: boolean, held: boolean, reading: boolean): string {
  if (!connected) return 'not live';
  if (held) return 'held · Space lets it run';
  return reading ? 'held while you point at it' : 'live · Space holds it still';
}
