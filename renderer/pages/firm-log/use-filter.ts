import { useEffect, useMemo, useState } from 'react';
import { useConsole, useDesk } from '../../state/console.tsx';
import { choiceOf, type FilterChoice, filterOf, NO_CHOICE, queryOf } from './filter-choice.ts';

/** What the person chose, kept in the address of the page, and the filter it means. */
export function useFilter() {
  const { desk } = useConsole();
  const listed = useDesk((view) => view.listed);
  const tokens = useDesk((view) => view.tokens);
  const [choice, setChoice] = useState(() => choiceOf(window.location.search));
  // A range is counted from the moment it is chosen: one that moves would read the log anew every second.
  const [now, setNow] = useState(() => desk.now());
  const known = useMemo(
    () => ({
      pairs: [...new Set(listed.map(({ pair }) => pair))],
      tokens: [...tokens].map(([key, token]) => {
        const [chainId = '', address = ''] = key.split(':');
        return { chainId: Number(chainId), address, ...token };
      }),
    }),
    [listed, tokens],
  );
  const read = useMemo(() => filterOf(choice, known, now), [choice, known, now]);
  const text = JSON.stringify(read.filter);
  const filter = useMemo(() => JSON.parse(text) as typeof read.filter, [text]);
  useEffect(() => {
    showQuery(queryOf(choice));
    return () => showQuery('');
  }, [choice]);
  const choose = (next: Partial<FilterChoice>) => {
    setChoice((old) => ({ ...old, ...next }));
    if (next.range !== undefined) setNow(desk.now());
  };
  return { choice, choose, clear: () => setChoice(NO_CHOICE), filter, unknown: read.unknown, known };
}

/** Puts the filter into the address without a step in the history. */
function showQuery(query: string): void {
  const { pathname, hash } = window.location;
  window.history.replaceState(window.history.state, '', `${pathname}${query === '' ? '' : `?${query}`}${hash}`);
}
