import { keepPreviousData, usePrefetchQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Draft, DraftEdit, PairRow } from '../../../electron/contract/book.ts';
import type { LadderPerson } from '../../../electron/contract/ladder-preview.ts';
import { nextBeat } from '../../state/beat.ts';
import { type Console, useClient, useConsole, useDesk, useQueries } from '../../state/console.tsx';
import type { CommandRefusal } from '../../state/refusal-of.ts';
import { useStream } from '../../state/use-stream.ts';
import { DraftLine, type DraftLineState } from './draft-line.ts';
import { rangeOf } from './grid-cells.ts';
import type { LadderValues } from './ladder-values.ts';
import { rowOf } from './pair-tabs.tsx';
import type { GridFocus } from './selected-edits.ts';

/** This window, among all that look at drafts. */
export const SESSION = crypto.randomUUID();

/** A line over which this window edits the draft of a pair. */
function openLine(
  { connection, desk, toasts }: Console,
  where: { chainId: number; pair: string },
  onPublished: () => void = () => {},
): DraftLine {
  return new DraftLine({
    ladders: connection.client.ladders,
    ...where,
    session: SESSION,
    notice: toasts.show,
    onPublished,
    actor: () => desk.view().actor,
    follows: () => rowOf(desk.view(), where)?.follow?.on === true,
  });
}

/** Writes into the draft of a pair that is not on the screen, over what was seen of it. Resolves to why not, or null. */
export async function editElsewhere(
  deskConsole: Console,
  seen: Draft,
  make: (now: LadderValues) => DraftEdit[],
): Promise<CommandRefusal | null> {
  const line = openLine(deskConsole, { chainId: seen.chainId, pair: seen.pair });
  line.heard(seen, true);
  line.edit(make);
  await line.settled();
  return line.state().refusal;
}

/** The shared draft of a pair, and the line over which this window edits it. One of each as long as the pair is shown. */
export function useDraft(chainId: number, pair: string): { line: DraftLine } & DraftLineState {
  const console = useConsole();
  const cache = useQueryClient();
  const { client } = console.connection;
  const [line] = useState(() =>
    openLine(console, { chainId, pair }, () => {
      void cache.invalidateQueries({ queryKey: console.queries.ladders.key() });
    }),
  );
  const first = useRef(true);
  const open = useCallback(
    // Each reading of `client.ladders` is another object: only the client itself stays the same.
    (signal: AbortSignal) => client.ladders.watchDraft({ chainId, pair }, { signal }),
    [client, chainId, pair],
  );
  const take = (draft: Draft) => {
    line.heard(draft, first.current);
    first.current = false;
  };
  const start = () => {
    first.current = true;
  };
  useStream(open, take, start);
  return { line, ...useSyncExternalStore(line.subscribe, line.state) };
}

/** One figure of a pair's row: whoever asks is drawn anew only when that figure changes, not with every count of the row. */
export function usePairPart<T extends string | number | boolean | null | undefined>(
  chainId: number,
  pair: string,
  part: (row: PairRow) => T,
): T | undefined {
  return useDesk((view) => {
    const row = rowOf(view, { chainId, pair });
    return row === undefined ? undefined : part(row);
  });
}

/** Balances and the reference move although nobody types. Milliseconds. */
const EVERY_MS = 2_000;
/** A draft in which nobody wrote may be moved by a program all the time: its effect is worked out at most this often. Milliseconds. */
const DRIVEN_MS = 1_000;
/** How long a hand rests before the effect is worked out. Milliseconds. */
const REST_MS = 60;
/**
 * A program may publish many times a second: what is live is read anew at most this often, and less often where the draft
 * tells of it already. Milliseconds.
 */
const REREAD_MS = 500;
const CALM_MS = 4_000;
/** How long a publish waits for its check: longer, and it is unchecked, since nothing that is typed is sent meanwhile. Milliseconds. */
const CHECK_MS = 10_000;

/**
 * What stands around a draft: what is live, its last revisions, and what publishing the draft would do; `again` asks for that
 * now, undefined where it failed or the page was `left`.
 */
export function useAroundDraft(chainId: number, pair: string, draft: Draft | null) {
  const queries = useQueries();
  const cache = useQueryClient();
  const client = useClient();
  const revision = useDesk((view) => rowOf(view, { chainId, pair })?.revision ?? null);
  // Never from an earlier visit: for a moment an old ladder would stand there as the live one, and publishing is judged by the effect.
  const asked = queries.ladders.published.queryOptions({ input: { chainId, pair }, gcTime: 0 });
  usePrefetchQuery(asked);
  const published = useQuery(asked);
  const revisions = useQuery(queries.ladders.revisions.queryOptions({ input: { chainId, pair, limit: 20 } }));
  const isLive = draft?.isLive === true;
  const effect = useEffectOf(chainId, pair, isLive);
  const known = published.data?.revision;
  const rereadAt = useRef(Number.NEGATIVE_INFINITY);
  const every = draft?.isLive ? CALM_MS : REREAD_MS;
  useEffect(() => {
    if (revision === null || known === undefined || revision === known) return;
    const reread = () => {
      rereadAt.current = performance.now();
      void cache.invalidateQueries({ queryKey: queries.ladders.key() });
    };
    const waiting = setTimeout(reread, Math.max(0, rereadAt.current + every - performance.now()));
    return () => clearTimeout(waiting);
  }, [cache, queries, revision, known, every]);
  const { data: preview, refetch } = effect;
  const version = draft?.version;
  const isOlder = preview !== undefined && version !== undefined && preview.version < version;
  const askedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (!isOlder || version === undefined) return;
    const ask = () => {
      askedAt.current = performance.now();
      void refetch();
    };
    const early = isLive ? askedAt.current + DRIVEN_MS - performance.now() : 0;
    const resting = setTimeout(ask, Math.max(REST_MS, early));
    return () => clearTimeout(resting);
  }, [isOlder, version, isLive, refetch]);
  // Not by way of the query, which gives what it had before where the page is left meanwhile.
  const again = (left: AbortSignal) => {
    const signal = AbortSignal.any([AbortSignal.timeout(CHECK_MS), left]);
    // A question over a line that is gone may never end by itself.
    const over = new Promise<undefined>((resolve) => {
      if (signal.aborted) resolve(undefined);
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
    });
    return Promise.race([client.ladders.preview({ chainId, pair }, { signal }).catch(() => undefined), over]);
  };
  return { published, revisions, preview, failed: effect.isError, again };
}

/**
 * What publishing the draft would do, asked again every few seconds. While nobody wrote in it (`isLive`), an answer that takes the
 * place of an earlier one is shown with the figures that come next.
 */
function useEffectOf(chainId: number, pair: string, isLive: boolean) {
  const asked = useQueries().ladders.preview.queryOptions({ input: { chainId, pair }, gcTime: 0 });
  const cache = useQueryClient();
  const isCalm = useRef(isLive);
  isCalm.current = isLive;
  const read: typeof asked.queryFn = async (context) => {
    const answer = await asked.queryFn(context);
    if (isCalm.current && cache.getQueryData(asked.queryKey) !== undefined) await nextBeat();
    return answer;
  };
  return useQuery({ ...asked, queryFn: read, refetchInterval: EVERY_MS, placeholderData: keepPreviousData });
}

/** How long a hand rests before others are told where it is. Milliseconds. */
const PRESENCE_REST_MS = 120;

/** Who else has this pair before them and where; and tells them where we are. */
export function usePeople(chainId: number, pair: string, focus: GridFocus): readonly LadderPerson[] {
  const client = useClient();
  const [people, setPeople] = useState<readonly LadderPerson[]>([]);
  const open = useCallback(
    (signal: AbortSignal) => client.ladders.watchPeople({ chainId, pair, session: SESSION }, { signal }),
    [client, chainId, pair],
  );
  useStream(open, setPeople);
  useEffect(() => {
    const resting = setTimeout(() => {
      const { top, bottom, left, right } = rangeOf(focus.cell, focus.anchor);
      // Only a courtesy: a line that breaks here is noticed where it matters.
      client.ladders.stand({ session: SESSION, at: { top, bottom, left, right } }).catch(() => {});
    }, PRESENCE_REST_MS);
    return () => clearTimeout(resting);
  }, [client, focus]);
  return people;
}

/** The initials of a name, for a narrow place. */
export function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  const letters = words.length > 1 ? words.map((word) => word.slice(0, 1)).join('') : name;
  return letters.slice(0, 2).toUpperCase();
}
