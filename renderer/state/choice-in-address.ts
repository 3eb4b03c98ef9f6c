import { useEffect, useRef, useState } from 'react';
import { useSearch } from 'wouter';

/** What a person chose on a page, as text: the same words stand in the address of the page. Empty lets everything through. */
type Choice = Readonly<Record<string, string>>;

/** Reads a choice from the part of an address behind `?`; what `none` does not have is left out, what is missing is as in `none`. */
export function readChoice<C extends Choice>(none: C, query: string): C {
  const given = new URLSearchParams(query);
  return Object.fromEntries(Object.keys(none).map((field) => [field, given.get(field) ?? none[field]])) as C;
}

/** The choice as the part of an address behind `?`, without what is empty. */
export function choiceQuery(choice: Choice): string {
  const query = new URLSearchParams();
  for (const [field, value] of Object.entries(choice)) if (value !== '') query.set(field, value);
  return query.toString();
}

/** Puts a choice into the address without a step in the history. */
export function showQuery(query: string): void {
  const { pathname, hash } = window.location;
  window.history.replaceState(window.history.state, '', `${pathname}${query === '' ? '' : `?${query}`}${hash}`);
}

/**
 * A choice that is kept in the address of its page. A link to the page chooses anew: `onAsked` is told the part of its address
 * behind `?`.
 */
export function useChoiceInAddress<C extends Choice>(
  none: C,
  onAsked: (query: string) => void,
): [choice: C, choose: (next: Partial<C>) => void] {
  const [choice, setChoice] = useState(() => readChoice(none, window.location.search));
  const asked = useSearch();
  const shown = useRef('');
  const latest = useRef(onAsked);
  latest.current = onAsked;
  useEffect(() => {
    shown.current = choiceQuery(choice);
    showQuery(shown.current);
    return () => showQuery('');
  }, [choice]);
  useEffect(() => {
    const query = window.location.search.slice(1);
    if (asked === '' || query === '' || query === shown.current) return;
    setChoice(readChoice(none, query));
    latest.current(query);
  }, [asked, none]);
  return [choice, (next) => setChoice((old) => ({ ...old, ...next }))];
}
