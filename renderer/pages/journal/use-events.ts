import { useCallback, useEffect, useMemo, useState } from 'react';
import type { EventFilter, EventRow } from '../../../electron/contract/journal.ts';
import { useClient, useConnected } from '../../state/console.tsx';
import { useHold } from '../../state/use-hold.ts';
import { useSearch } from '../../state/use-search.ts';

/** How often the desk is asked for what was written since. Milliseconds. */
const AGAIN_MS = 2_000;
/** Events that arrived since they were read; with more they are read anew. */
const NEW_AT_MOST = 5_000;

/** Events newest first: what a search finds, and what is written meanwhile on top of it unless it is held. */
export function useEvents(filter: EventFilter, reading: boolean) {
  const client = useClient();
  const connected = useConnected();
  const find = useCallback(
    (asked: { before?: number; limit: number }, signal: AbortSignal) =>
      client.journal.find({ filter, ...asked }, { signal }),
    [client, filter],
  );
  const search = useSearch<EventRow>(find, connected ? 1 : 0);
  const { rows: read, progress, restart } = search;
  const last = progress?.last ?? null;
  const [arrived, setArrived] = useState<{ after: number | null; of: EventFilter; rows: readonly EventRow[] }>(
    NOTHING_NEW,
  );

  useEffect(() => {
    if (last === null || !connected) return;
    const stop = new AbortController();
    let at = last;
    let busy = false;
    const look = async () => {
      if (busy) return;
      busy = true;
      try {
        const asked = { filter, order: 'oldest', from: at + 1, before: at, limit: 500 } as const;
        for await (const found of await client.journal.find(asked, { signal: stop.signal })) {
          at = Math.max(at, found.progress.at);
          if (found.rows.length === 0 || stop.signal.aborted) continue;
          setArrived((old) => {
            const known = old.after === last && old.of === filter ? old.rows : [];
            return { after: last, of: filter, rows: [...found.rows.toReversed(), ...known] };
          });
        }
      } catch {
        // The line says when the desk does not answer; what was written meanwhile comes with the next look.
      } finally {
        busy = false;
      }
    };
    const timer = setInterval(() => void look(), AGAIN_MS);
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, [client, connected, filter, last]);

  const fresh = arrived.after === last && arrived.of === filter ? arrived.rows : NOTHING_NEW.rows;
  const isFull = fresh.length >= NEW_AT_MOST && !reading;
  useEffect(() => {
    if (isFull) restart();
  }, [isFull, restart]);
  const all = useMemo(() => [...fresh, ...read], [fresh, read]);
  const { held, bound, toggle, showNew } = useHold(all[0]?.seq ?? -1, reading);
  const rows = useMemo(
    () => (bound === Number.POSITIVE_INFINITY ? all : all.filter(({ seq }) => seq <= bound)),
    [all, bound],
  );
  return { ...search, rows, held, toggle, showNew, waiting: all.length - rows.length };
}

const NOTHING_NEW = { after: null, of: {}, rows: [] as readonly EventRow[] };
