import type { ResultBy } from '../../electron/contract/results.ts';
import type { WhichFills } from '../../electron/journal/fills/marks.ts';
import { addResults, noResults, shownResult } from '../../electron/journal/results/result-sums.ts';
import type { DirectJournal } from './fixture.ts';
import { START } from './sample-events.ts';

const EVER = { since: 0, until: Number.MAX_SAFE_INTEGER };

/** The results of a journal as they are shown, read in parts of `limit` fills; by default an hour after the start. */
export function resultOf(
  { queries }: Pick<DirectJournal, 'queries'>,
  {
    by = 'pair',
    now = START + 3_600_000,
    limit = 3,
    ...which
  }: Partial<WhichFills> & { by?: ResultBy; now?: number; limit?: number } = {},
) {
  const rows = new Map<string, ReturnType<typeof noResults>>();
  let before: { time: number; seq: number } | null = null;
  do {
    const asked = { ...EVER, ...which, by, before, limit, now, begin: 0, end: now, steps: { all: 4, row: 2 } };
    const { parts, next } = queries.resultsPart(asked);
    for (const { key, sums } of parts.filter((part) => part.by === by)) {
      const name = `${key.pair ?? key.user ?? key.counterparty}`;
      rows.set(name, addResults(rows.get(name) ?? noResults(), sums));
    }
    before = next;
  } while (before !== null);
  const all = [...rows.values()].reduce(addResults, noResults());
  return {
    rows: Object.fromEntries([...rows].map(([name, sums]) => [name, shownResult(sums)])),
    all: shownResult(all),
  };
}
