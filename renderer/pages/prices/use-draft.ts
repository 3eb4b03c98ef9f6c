import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import type { Draft, DraftEdit } from '../../../electron/contract/book.ts';
import { useConsole } from '../../state/console.tsx';
import { type CommandRefusal, refusalOf } from '../../state/refusal-of.ts';
import { useStream } from '../../state/use-stream.ts';
import { editsBetween, inverseOf, valuesOfDraft } from './ladder-values.ts';

export interface DraftDesk {
  draft: Draft | null;
  refusal: CommandRefusal | null;
  busy: boolean;
  edit(edits: DraftEdit[]): void;
  undo(): void;
  redo(): void;
  discard(): void;
  publish(): void;
}

/** The shared draft of a pair as everybody sees it, and this screen's edits of it, one after the other. */
export function useDraft(chainId: number, pair: string): DraftDesk {
  const { connection, queries, toasts } = useConsole();
  const cache = useQueryClient();
  const { ladders } = connection.client;
  const [draft, setDraft] = useState<Draft | null>(null);
  const [refusal, setRefusal] = useState<CommandRefusal | null>(null);
  const [busy, setBusy] = useState(false);
  const latest = useRef<Draft | null>(null);
  const line = useRef<Promise<unknown>>(Promise.resolve());
  const past = useRef<{ undo: DraftEdit[][]; redo: DraftEdit[][] }>({ undo: [], redo: [] });

  const take = (next: Draft) => {
    latest.current = next;
    setDraft(next);
  };
  const open = useCallback(
    (signal: AbortSignal) => ladders.watchDraft({ chainId, pair }, { signal }),
    [ladders, chainId, pair],
  );
  useStream(open, take);

  /** One command after another, each on what the one before left; the first refusal is shown until the next. */
  const inTurn = (command: (now: Draft) => Promise<void>) => {
    line.current = line.current.then(async () => {
      if (latest.current === null) return;
      setRefusal(null);
      try {
        await command(latest.current);
      } catch (error) {
        setRefusal(refusalOf(error));
      }
    });
  };
  const send = async (now: Draft, edits: DraftEdit[]) => {
    const inverse = inverseOf(valuesOfDraft(now), edits);
    const answer = await ladders.edit({ chainId, pair, edits, seen: now.version });
    if (latest.current === null || answer.version >= latest.current.version) take(answer);
    return inverse;
  };
  const replay = (from: 'undo' | 'redo') =>
    inTurn(async (now) => {
      const edits = past.current[from].pop();
      if (edits === undefined) return;
      past.current[from === 'undo' ? 'redo' : 'undo'].push(await send(now, edits));
    });

  return {
    draft,
    refusal,
    busy,
    edit: (edits) => {
      if (edits.length === 0) return;
      inTurn(async (now) => {
        past.current.undo.push(await send(now, edits));
        past.current.redo = [];
      });
    },
    undo: () => replay('undo'),
    redo: () => replay('redo'),
    discard: () =>
      inTurn(async (now) => {
        const fresh = await ladders.discard({ chainId, pair, seen: now.version });
        take(fresh);
        const back = editsBetween(valuesOfDraft(fresh), valuesOfDraft(now));
        if (back.length > 0) past.current.undo.push(back);
        toasts.show({
          level: 'note',
          title: `Draft of ${pair} discarded`,
          detail: 'Ctrl Z in the ladder brings it back.',
        });
      }),
    publish: () =>
      inTurn(async (now) => {
        setBusy(true);
        try {
          const published = await ladders.publish({ chainId, pair, version: now.version });
          past.current = { undo: [], redo: [] };
          toasts.show({ level: 'done', title: `${pair} revision ${published.revision} published` });
          await cache.invalidateQueries({ queryKey: queries.ladders.key() });
        } finally {
          setBusy(false);
        }
      }),
  };
}
