import { useMemo, useState } from 'react';
import type { LogFilter } from '../../../electron/contract/quote-log.ts';
import { useConsole, useDesk } from '../../state/console.tsx';
import { RANGES, type Range, readSearch } from './log-filter.ts';

export interface FilterChoice {
  search: string;
  range: Range | '';
  state: NonNullable<LogFilter['state']> | '';
  side: NonNullable<LogFilter['side']> | '';
  code: NonNullable<LogFilter['code']> | '';
  pair: string;
}

const NOTHING: FilterChoice = { search: '', range: '', state: '', side: '', code: '', pair: '' };

/** What the person chose, and the filter it means. A search that means nothing leaves the rest in force. */
export function useFilter() {
  const { desk } = useConsole();
  const pairs = useDesk((view) => view.listed);
  const [choice, setChoice] = useState(NOTHING);
  const [since, setSince] = useState<number | undefined>(undefined);
  const search = useMemo(
    () =>
      readSearch(
        choice.search,
        pairs.map(({ pair }) => pair),
      ),
    [choice.search, pairs],
  );
  const searched = search.kind === 'filter' ? JSON.stringify(search.filter) : '{}';
  const filter = useMemo((): LogFilter => {
    const { state, side, code, pair } = choice;
    return {
      ...(since === undefined ? {} : { since }),
      ...(state === '' ? {} : { state }),
      ...(side === '' ? {} : { side }),
      ...(code === '' ? {} : { code }),
      ...(pair === '' ? {} : { pair }),
      ...JSON.parse(searched),
    };
  }, [choice, since, searched]);
  const choose = (next: Partial<FilterChoice>) => {
    setChoice({ ...choice, ...next });
    // The range is counted from the moment it is chosen: a window that moves would read the log anew every second.
    if (next.range === undefined) return;
    const range = RANGES.find(({ value }) => value === next.range);
    setSince(range === undefined ? undefined : Math.floor(desk.now() - range.ms));
  };
  const clear = () => {
    setChoice(NOTHING);
    setSince(undefined);
  };
  return { choice, choose, clear, filter, unknown: search.kind === 'unknown' ? search.reason : null };
}
