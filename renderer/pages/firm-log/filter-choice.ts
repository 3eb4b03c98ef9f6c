import { useMemo, useState } from 'react';
import { type LogFilter, quoteOutcomeSchema } from '../../../electron/contract/quote-log.ts';
import { refusalCodeSchema } from '../../../electron/contract/refusal.ts';
import { plainText, readDecimal, withPlaces } from '../../components/figures/decimal-text.ts';
import { useChoiceInAddress } from '../../state/choice-in-address.ts';
import { useConsole, useDesk } from '../../state/console.tsx';
import { type Names, useNames } from '../../state/names.tsx';
import { readNumber } from '../../state/number-form.ts';
import { momentOf, momentsOf } from '../../state/time-zone.ts';
import { RANGES, readSearch } from './log-filter.ts';

/** What a person chose, as text: the same words stand in the address of the page. Empty lets everything through. */
export const NO_CHOICE = {
  search: '',
  range: '',
  from: '',
  to: '',
  outcome: '',
  chain: '',
  pair: '',
  side: '',
  code: '',
  token: '',
  min: '',
  max: '',
};
export type FilterChoice = typeof NO_CHOICE;

/** A token of a chain as sizes need it. */
export interface SizedToken {
  chainId: number;
  address: string;
  symbol: string;
  decimals: number;
}

export interface ReadChoice {
  filter: LogFilter;
  /** Why the search, the range or the size means nothing; what they do not mean leaves the rest in force. */
  unknown: { search?: string; range?: string; size?: string };
}

/** The filter a choice means. Ranges such as `last hour` are counted back from `now`, Unix milliseconds. */
export function filterOf(
  choice: FilterChoice,
  known: { pairs: readonly string[]; tokens: readonly SizedToken[]; given: Names['given'] },
  now: number,
): ReadChoice {
  const search = readSearch(choice.search, known);
  const times = timesOf(choice, now);
  const size = sizeOf(choice, known.tokens);
  const outcome = quoteOutcomeSchema.safeParse(choice.outcome);
  const code = refusalCodeSchema.safeParse(choice.code);
  const chainId = Number(choice.chain);
  return {
    filter: {
      ...times.filter,
      ...(outcome.success ? { outcome: outcome.data } : {}),
      ...(code.success ? { code: code.data } : {}),
      ...(choice.side === 'bids' || choice.side === 'asks' ? { side: choice.side } : {}),
      ...(choice.pair === '' ? {} : { pair: choice.pair }),
      ...(Number.isSafeInteger(chainId) && chainId > 0 ? { chainId } : {}),
      ...size.filter,
      ...(search.kind === 'filter' ? search.filter : {}),
    },
    unknown: {
      ...(search.kind === 'unknown' ? { search: search.reason } : {}),
      ...(times.fault === null ? {} : { range: times.fault }),
      ...(size.fault === null ? {} : { size: size.fault }),
    },
  };
}

/** The times of a choice, and why they mean nothing. Ranges such as `last hour` are counted back from `now`, Unix milliseconds. */
export function timesOf(
  { range, from, to }: Pick<FilterChoice, 'range' | 'from' | 'to'>,
  now: number,
): { filter: Pick<LogFilter, 'since' | 'until'>; fault: string | null } {
  if (range !== 'between') {
    const last = RANGES.find(({ value }) => value === range);
    return { filter: last === undefined ? {} : { since: Math.floor(now - last.ms) }, fault: null };
  }
  const [since, until] = [readMoment(from, 'first'), readMoment(to, 'last')];
  if (since === null || until === null)
    return { filter: {}, fault: 'Write a day, or a day and time, such as 2026-11-19 14:20.' };
  if (since !== undefined && until !== undefined && until < since)
    return { filter: {}, fault: 'It ends before it begins.' };
  return {
    filter: { ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) },
    fault: null,
  };
}

/** Unix milliseconds of a day or moment in the viewer’s time zone, in UTC with a Z; of what is left out the first or last. undefined when empty, null when unreadable. */
export function readMoment(text: string, end: 'first' | 'last'): number | null | undefined {
  const typed = text.trim();
  if (typed === '') return undefined;
  const parts = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2})(?::(\d{2}))?)?(Z?)$/.exec(typed);
  if (parts === null) return null;
  const [, day, clock, second, z] = parts;
  const [lastClock, lastSecond] = end === 'last' ? ['23:59', '59.999'] : ['00:00', '00.000'];
  const at = `${day}T${clock ?? lastClock}:${second === undefined ? lastSecond : `${second}.${end === 'last' ? '999' : '000'}`}`;
  // Of a time that the clocks show twice the whole of it is meant.
  return momentOf(at, z === 'Z') ?? momentsOf(at).at(end === 'last' ? -1 : 0) ?? null;
}

function sizeOf(
  { token, min, max }: FilterChoice,
  tokens: readonly SizedToken[],
): { filter: LogFilter; fault: string | null } {
  if (token === '' || (min.trim() === '' && max.trim() === '')) return { filter: {}, fault: null };
  const named = tokens.filter(({ symbol }) => symbol === token);
  if (named.length === 0) return { filter: {}, fault: `${token} is not listed.` };
  const bounds = [readNumber(min), readNumber(max)];
  if (bounds.some(({ fault }) => fault !== null)) return { filter: {}, fault: 'Write an amount such as 1,000 or 0.5.' };
  const [least, most] = bounds.map(({ text }) => readDecimal(text ?? ''));
  const size = named.map(({ chainId, address, decimals }) => ({
    chainId,
    address: address as `0x${string}`,
    ...(least
      ? {
          min: plainText(withPlaces(least, decimals, 'up'))
            .replace('.', '')
            .replace(/^0+(?=\d)/, ''),
        }
      : {}),
    ...(most
      ? {
          max: plainText(withPlaces(most, decimals, 'down'))
            .replace('.', '')
            .replace(/^0+(?=\d)/, ''),
        }
      : {}),
  }));
  return { filter: { size }, fault: null };
}

/**
 * What the person chose, kept in the address of the page, and the filter it means. A link to this page chooses anew: `onAsked` is told
 * the part of its address behind `?`.
 */
export function useFilter(onAsked: (query: string) => void) {
  const { desk } = useConsole();
  const listed = useDesk((view) => view.listed);
  const tokens = useDesk((view) => view.tokens);
  const { given } = useNames();
  const [choice, setChoice] = useChoiceInAddress(NO_CHOICE, onAsked);
  // A range is counted from the moment it is chosen: one that moves would read the log anew every second.
  const [now, setNow] = useState(() => desk.now());
  const known = useMemo(
    () => ({
      given,
      pairs: [...new Set(listed.map(({ pair }) => pair))],
      tokens: [...tokens].map(([key, token]) => {
        const [chainId = '', address = ''] = key.split(':');
        return { chainId: Number(chainId), address, ...token };
      }),
    }),
    [listed, tokens, given],
  );
  const read = useMemo(() => filterOf(choice, known, now), [choice, known, now]);
  const text = JSON.stringify(read.filter);
  const filter = useMemo(() => JSON.parse(text) as typeof read.filter, [text]);
  const choose = (next: Partial<FilterChoice>) => {
    setChoice(next);
    if (next.range !== undefined) setNow(desk.now());
  };
  return { choice, choose, clear: () => setChoice(NO_CHOICE), filter, unknown: read.unknown, known };
}
