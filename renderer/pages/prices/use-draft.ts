import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState, useSyncExternalStore } from 'react';
import type { Draft } from '../../../electron/contract/book.ts';
import { type Console, useConsole } from '../../state/console.tsx';
import { useStream } from '../../state/use-stream.ts';
import { DraftLine, type DraftLineState } from './draft-line.ts';
import { rowOf } from './row-of.ts';

/** This window, among all that look at drafts. */
export const SESSION = crypto.randomUUID();

/** A line over which this window edits the draft of a pair. */
export function openLine(
  { connection, desk, toasts }: Console,
  where: { chainId: number; pair: string },
  onPublished: () => void = () => {},
): DraftLine {
  return new DraftLine({
    ...{ ladders: connection.client.ladders, ...where, session: SESSION, notice: toasts.show, onPublished },
    actor: () => desk.view().actor,
    follows: () => rowOf(desk.view(), where)?.follow?.on === true,
  });
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
