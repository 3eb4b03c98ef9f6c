import { fillsOf, type ShownFills } from '../../state/pages.ts';
import { FILL_RANGES, type FillRange, rangeBackTo, type Span } from './fill-ranges.ts';

/** What somebody narrowed the page to. `brushed`: a part of time that was chosen by itself; without, `range` goes on with the clock. */
export interface FillsChoice extends Omit<ShownFills, 'since' | 'until'> {
  range: FillRange;
  brushed: Span | null;
}

/** The choice as the part of an address behind `?`; empty where it is what the page begins with. */
export function fillsQueryOf({ range, brushed, chainId, pair, user, counterparty }: FillsChoice): string {
  const query = new URLSearchParams();
  if (brushed !== null) {
    query.set('since', `${brushed.since}`);
    if (brushed.until !== null) query.set('until', `${brushed.until}`);
  } else if (range.name !== FILL_RANGES[0].name) query.set('range', range.name);
  if (chainId !== undefined) query.set('chain', `${chainId}`);
  if (pair !== undefined) query.set('pair', pair);
  if (user !== undefined) query.set('user', user);
  if (counterparty !== undefined) query.set('counterparty', counterparty ?? '');
  return `${query}`;
}

/** Reads a choice from the part of an address behind `?`; what it does not know is left out. `now` is Unix milliseconds. */
export function fillsChoiceOf(query: string, now: number): FillsChoice {
  const spanned = fillsOf(query);
  const given = new URLSearchParams(query);
  given.set('since', '0');
  const { chainId, pair, user, counterparty } = spanned ?? fillsOf(`${given}`) ?? {};
  const whose = { chainId, pair, user, counterparty };
  if (spanned !== null) {
    const { since, until } = spanned;
    return { ...whose, range: rangeBackTo(since, now), brushed: { since, until } };
  }
  const range = FILL_RANGES.find(({ name }) => name === given.get('range')) ?? FILL_RANGES[0];
  return { ...whose, range, brushed: null };
}
