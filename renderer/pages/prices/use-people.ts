import { useCallback, useEffect, useState } from 'react';
import type { LadderPerson } from '../../../electron/contract/ladder-preview.ts';
import { useClient } from '../../state/console.tsx';
import { useStream } from '../../state/use-stream.ts';
import { rangeOf } from './grid-cells.ts';
import type { GridFocus } from './selected-edits.ts';
import { SESSION } from './use-draft.ts';

/** How long a hand rests before others are told where it is. Milliseconds. */
const REST_MS = 120;

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
    }, REST_MS);
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
