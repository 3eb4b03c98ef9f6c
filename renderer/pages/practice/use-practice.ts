import { useCallback, useState } from 'react';
import type { PracticeState } from '../../../electron/contract/practice.ts';
import { useClient } from '../../state/console.tsx';
import { refusalOf } from '../../state/refusal-of.ts';
import { useStream } from '../../state/use-stream.ts';

/** The practice market beside the desk; `none` once the desk said that it has no such market. */
export function usePractice(): { state: PracticeState | null; none: boolean; set: (state: PracticeState) => void } {
  const client = useClient();
  const [state, setState] = useState<PracticeState | null>(null);
  const [none, setNone] = useState(false);
  const open = useCallback(
    async (signal: AbortSignal) => {
      try {
        return await client.practice.watch(undefined, { signal });
      } catch (error) {
        if (refusalOf(error).code !== 'no_practice') throw error;
        setNone(true);
        return untilOver(signal);
      }
    },
    [client],
  );
  useStream(open, setState);
  return { state, none, set: setState };
}

/** Says nothing and ends with the page: what there is not, is not asked for again and again. */
async function* untilOver(signal: AbortSignal): AsyncGenerator<PracticeState> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
