import { type Moment, momentSchema } from '../../electron/contract/past.ts';

/** The pages, in the order of the navigation, each with its place in the address and its letter behind `G`. */
export const PAGES = [
  { id: 'desk', path: '/', name: 'Desk', letter: 'd', group: 'trade' },
  { id: 'prices', path: '/prices', name: 'Prices', letter: 'p', group: 'trade' },
  { id: 'listings', path: '/tokens-and-pairs', name: 'Tokens & pairs', letter: 't', group: 'trade' },
  { id: 'firm-log', path: '/firm-log', name: 'Firm log', letter: 'l', group: 'trade' },
  { id: 'fills', path: '/fills', name: 'Fills', letter: 'f', group: 'trade' },
  { id: 'results', path: '/results', name: 'Results', letter: 'n', group: 'trade' },
  { id: 'handover', path: '/handover', name: 'Handover', letter: 'v', group: 'trade' },
  { id: 'journal', path: '/journal', name: 'Journal', letter: 'j', group: 'trade' },
  { id: 'what-if', path: '/what-if', name: 'What if', letter: 'w', group: 'trade' },
  { id: 'blacklist', path: '/blacklist', name: 'Blacklist', letter: 'b', group: 'trade' },
  { id: 'hedge', path: '/hedge', name: 'Hedge', letter: 'h', group: 'trade' },
  { id: 'protections', path: '/protections', name: 'Protections', letter: 'o', group: 'trade' },
  { id: 'approvals', path: '/approvals', name: 'Approvals', letter: 'a', group: 'run' },
  { id: 'fleet', path: '/fleet', name: 'Fleet', letter: 'm', group: 'run' },
  { id: 'service', path: '/service', name: 'Service', letter: 's', group: 'run' },
  { id: 'practice', path: '/practice', name: 'Practice', letter: 'r', group: 'run' },
  { id: 'settings', path: '/settings', name: 'Settings', letter: 'e', group: 'run' },
] as const;

/** Where past stops are listed: a page behind the Desk, reached from there and from a halt. */
export const STOPS_PATH = '/stops';

/** Where alerts are set, and those of since the console was opened are listed. */
export const ALERTS_PATH = '/settings/alerts';

export type Page = (typeof PAGES)[number];

/** Where a page is found. */
export function pagePath(id: Page['id']): string {
  return PAGES.find((page) => page.id === id)?.path ?? '/';
}

/** The name of a pair or token as a part of an address. A `%` stands there twice over: the router takes one of them away before a page reads it. */
function partOf(name: string): string {
  return encodeURIComponent(name.replaceAll('%', '%25'));
}

/** The name that stands in a part of an address, as the router tells it; what nobody can decode stands for itself. */
export function nameIn(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Where a pair's ladder is edited. */
export function ladderPath(chainId: number, pair: string): string {
  return `/prices/${chainId}/${partOf(pair)}`;
}

/** The views of Prices: a pair's ladder, what its prices are made of, and that of all pairs in one list. */
export type PricesView = 'ladder' | 'pricing' | 'all';

/** Where all pairs stand in one list, each with what prices it. */
export const ALL_PRICING_PATH = '/prices/all';

/** Where it stands what the prices of a pair are made of; of a level, counted from 0 at the best one. */
export function pricingPath(chainId: number, pair: string, level = 0): string {
  return `${ladderPath(chainId, pair)}/pricing${level === 0 ? '' : `?level=${level + 1}`}`;
}

/** The level that such an address names, counted from 0; the best one where it names none. */
export function levelIn(search: string): number {
  const level = Number(new URLSearchParams(search).get('level') ?? 1);
  return Number.isInteger(level) && level >= 1 && level <= 1_000 ? level - 1 : 0;
}

/** Where a token is edited. */
export function tokenPath(chainId: number, tokenId: string): string {
  return `${pagePath('listings')}/${chainId}/${partOf(tokenId)}`;
}

/** Where fills are hedged: of a pair, or with the settings of automatic hedging open. */
export function hedgePath(of?: 'auto' | { chainId: number; pair: string }): string {
  if (of === undefined) return pagePath('hedge');
  return `${pagePath('hedge')}/${of === 'auto' ? of : `${of.chainId}/${partOf(of.pair)}`}`;
}

/** Where a day is handed over; today where none is named. */
export function handoverPath(date?: string): string {
  return date === undefined ? pagePath('handover') : `${pagePath('handover')}/${date}`;
}

/** Where one quote is opened. */
export function quotePath(seq: number): string {
  return `${pagePath('firm-log')}?open=${seq}`;
}

/** Where the desk of a moment is shown, compared with that of a second one where there is one. */
export function pastPath(moment: Moment, to?: Moment): string {
  const words = [moment, to].flatMap((one) => (one === undefined ? [] : 'row' in one ? `r${one.row}` : `${one.time}`));
  return `${pagePath('journal')}/at/${words.join('/')}`;
}

/** The moment that a part of such an address names; null where it names none. */
export function momentIn(text: string | undefined): Moment | null {
  const [, kind, digits] = /^(r?)(\d{1,15})$/.exec(text ?? '') ?? [];
  if (digits === undefined) return null;
  const moment = momentSchema.safeParse(kind === 'r' ? { row: Number(digits) } : { time: Number(digits) });
  return moment.data ?? null;
}

/** Which fills a page is about; `until` is null where they go on with the clock. */
export interface ShownFills {
  since: number;
  until: number | null;
  chainId?: number;
  pair?: string;
  user?: `0x${string}`;
  counterparty?: string | null;
}

/** Where these fills are shown. */
export function fillsPath({ since, until, chainId, pair, user, counterparty }: ShownFills): string {
  const query = new URLSearchParams({ since: `${since}` });
  if (until !== null) query.set('until', `${until}`);
  if (chainId !== undefined) query.set('chain', `${chainId}`);
  if (pair !== undefined) query.set('pair', pair);
  if (user !== undefined) query.set('user', user);
  if (counterparty !== undefined) query.set('counterparty', counterparty ?? '');
  return `${pagePath('fills')}?${query}`;
}

/** The fills that an address asks for; null where it asks for none. A counterparty without a name is that of requests that named none. */
export function fillsOf(search: string): ShownFills | null {
  const query = new URLSearchParams(search);
  const number = (name: string) => {
    const value = Number(query.get(name) ?? Number.NaN);
    return Number.isSafeInteger(value) && value >= 0 ? value : null;
  };
  const since = number('since');
  if (since === null) return null;
  const user = query.get('user') ?? '';
  const counterparty = query.get('counterparty');
  return {
    since,
    until: number('until'),
    chainId: number('chain') ?? undefined,
    pair: query.get('pair') ?? undefined,
    user: isAddress(user) ? user : undefined,
    counterparty: counterparty === null ? undefined : counterparty === '' ? null : counterparty,
  };
}

function isAddress(text: string): text is `0x${string}` {
  return /^0x[0-9a-f]{40}$/.test(text);
}
