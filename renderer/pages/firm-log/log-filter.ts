import type { LogFilter, QuoteRow } from '../../../electron/contract/quote-log.ts';
import { REFUSALS, type RefusalCode } from '../../../electron/contract/refusal.ts';
import { type Names, userCalled } from '../../state/names.tsx';

/** What the search field means: one field of the filter, or why it means nothing. */
export type Search = { kind: 'nothing' } | { kind: 'filter'; filter: LogFilter } | { kind: 'unknown'; reason: string };

/** A token that a search may name. */
export interface SymbolToken {
  chainId: number;
  address: string;
  symbol: string;
}

type UserAddress = NonNullable<LogFilter['user']>;

/** `0xa1f4`, and `0xa1f4…45d3` as it stands on the screen; three dots do as well. */
const SHORTENED = /^(0x[0-9a-f]{4,64})(?:(?:…|\.{2,3})([0-9a-f]{1,64}))?$/i;

/**
 * Reads a hash or a user's address, whole or shortened as it stands on the screen, a pair, a token's symbol, a code or the name of a
 * user. Pairs and symbols may be typed in any case, `weth usdc` too.
 */
export function readSearch(
  text: string,
  { pairs, tokens, given }: { pairs: readonly string[]; tokens: readonly SymbolToken[]; given: Names['given'] },
): Search {
  const typed = text.trim();
  if (typed === '') return { kind: 'nothing' };
  if (/^0x[0-9a-f]{64}$/i.test(typed)) return { kind: 'filter', filter: { orderHash: typed.toLowerCase() } };
  if (/^0x[0-9a-f]{40}$/i.test(typed)) return { kind: 'filter', filter: { user: typed.toLowerCase() as UserAddress } };
  const hex = shortenedHex(typed);
  if (hex !== null) return { kind: 'filter', filter: { hex } };
  if (/^0x/i.test(typed)) {
    return { kind: 'unknown', reason: 'Write how it begins, such as 0xa1f4, or begins and ends: 0xa1f4…45d3.' };
  }
  const code = typed.toLowerCase();
  if (isCode(code)) return { kind: 'filter', filter: { code } };
  const wanted = plain(typed);
  const pair = pairs.find((candidate) => plain(candidate) === wanted);
  if (pair !== undefined) return { kind: 'filter', filter: { pair } };
  const named = tokens.filter(({ symbol }) => symbol.toLowerCase() === code);
  if (named.length > 0) {
    return {
      kind: 'filter',
      filter: { size: named.map(({ chainId, address }) => ({ chainId, address: address as UserAddress })) },
    };
  }
  const called = userCalled(given, typed);
  if (called.kind === 'user') return { kind: 'filter', filter: { user: called.address } };
  if (called.kind === 'several') return { kind: 'unknown', reason: called.reason };
  return { kind: 'unknown', reason: 'Not an order hash, an address, a user’s name, a pair, a token or a code.' };
}

/** The ends of a hash or an address that stands shortened, in lower case; null where it is none. */
export function shortenedHex(text: string): NonNullable<LogFilter['hex']> | null {
  const [, starts, ends = ''] = SHORTENED.exec(text.trim().toLowerCase()) ?? [];
  return starts === undefined ? null : { starts, ends };
}

function isCode(text: string): text is RefusalCode {
  return Object.hasOwn(REFUSALS, text);
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[\s/-]+/g, '');
}

/** Whether a row that arrives live belongs to what is shown. */
export function matches(row: QuoteRow, filter: LogFilter): boolean {
  const time = Date.parse(row.time);
  return (
    (filter.since === undefined || time >= filter.since) &&
    (filter.until === undefined || time <= filter.until) &&
    (filter.chainId === undefined || row.chainId === filter.chainId) &&
    (filter.pair === undefined || row.pair === filter.pair) &&
    (filter.side === undefined || row.side === filter.side) &&
    (filter.user === undefined || row.userAddress === filter.user) &&
    (filter.orderHash === undefined || row.orderHash === filter.orderHash) &&
    (filter.hex === undefined || isShortened(row, filter.hex)) &&
    (filter.outcome === undefined || row.outcome === filter.outcome) &&
    (filter.code === undefined || row.code === filter.code) &&
    (filter.size === undefined || filter.size.some((size) => isOfSize(row, size)))
  );
}

function isShortened({ orderHash, userAddress }: QuoteRow, { starts, ends }: NonNullable<LogFilter['hex']>): boolean {
  return [orderHash, userAddress].some(
    (hex) => hex != null && hex.length >= starts.length + ends.length && hex.startsWith(starts) && hex.endsWith(ends),
  );
}

function isOfSize(row: QuoteRow, size: NonNullable<LogFilter['size']>[number]): boolean {
  if (row.chainId !== size.chainId) return false;
  const isWithin = (asset: string, amount: string | null) =>
    asset === size.address &&
    amount !== null &&
    (size.min === undefined || BigInt(amount) >= BigInt(size.min)) &&
    (size.max === undefined || BigInt(amount) <= BigInt(size.max));
  return isWithin(row.makerAsset, row.makerAmount) || isWithin(row.takerAsset, row.takerAmount);
}

export const RANGES = [
  { value: '15m', text: 'last 15 min', ms: 900_000 },
  { value: '1h', text: 'last hour', ms: 3_600_000 },
  { value: '24h', text: 'last 24 h', ms: 86_400_000 },
  { value: '7d', text: 'last 7 d', ms: 604_800_000 },
] as const;
