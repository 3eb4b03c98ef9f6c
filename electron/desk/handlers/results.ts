import type { Rooms } from '../rooms.ts';
import { sumResults } from '../sum-results.ts';
import { os } from './base.ts';

/** What fills came to. */
export function resultHandlers({ journal, now }: Pick<Rooms, 'journal' | 'now'>) {
  const { read } = journal;
  return {
    sums: os.results.sums.handler(({ input, signal }) => sumResults(read, input, now(), signal)),
    fills: os.results.fills.handler(({ input }) =>
      read.resultFills({ ...input, before: input.before ?? null, now: input.now ?? now() }),
    ),
  };
}
