import type { ExposureRow } from '../../electron/contract/desk-view.ts';
import type { ChainStillLive } from '../../electron/contract/still-live.ts';
import { shortAmountText, wholeAmountText } from './figures/amounts.ts';
import { shortHex } from './figures/counts.ts';

export interface StillLive {
  /** Tokens of which something can still be taken, the one that lasts longest first. */
  rows: readonly ExposureRow[];
  /** Firm quotes, and orders signed by hand that give tokens. */
  orders: number;
  /** When the last of them is dead, Unix milliseconds; null when nothing is live. */
  zeroAt: number | null;
}

export function stillLive(exposure: readonly ExposureRow[]): StillLive {
  const rows = exposure.filter((row) => row.live !== '0').sort((a, b) => (b.zeroAt ?? 0) - (a.zeroAt ?? 0));
  let zeroAt: number | null = null;
  for (const row of rows) if (row.zeroAt !== null) zeroAt = Math.max(zeroAt ?? 0, row.zeroAt);
  return { rows, orders: rows.reduce((count, row) => count + row.quotes, 0), zeroAt };
}

/**
 * How far a sum of quotes and intent orders is all that can be taken: no permit, no transaction and no NFT is in it. `chains`: undefined
 * while they are not heard.
 */
export function boundText(
  chains: readonly ChainStillLive[] | undefined,
  without: readonly string[],
): 'at least' | 'at most' | 'in quotes and intent orders' {
  if (chains === undefined || without.length > 0 || chains.some(({ unknown }) => unknown.length > 0)) return 'at least';
  const isAll = chains.every(
    ({ permits, transactions, approvals, nftOrders }) =>
      permits.length + transactions.length + approvals.length === 0 && nftOrders.every(({ givesNft }) => !givesNft),
  );
  return isAll ? 'at most' : 'in quotes and intent orders';
}

/**
 * Firm quotes alone, and when the last of them is dead: an order signed by hand that gives tokens is in the exposure, too, and may last
 * for days.
 */
export function quotesOf(
  { orders, zeroAt }: Pick<StillLive, 'orders' | 'zeroAt'>,
  chains: readonly ChainStillLive[],
): { quotes: number; quotesEnd: number | null } {
  const byHand = chains.flatMap(({ nftOrders }) => nftOrders.filter(({ givesNft }) => !givesNft));
  const quotes = Math.max(0, orders - byHand.length);
  const ends = chains.flatMap(({ quotes: { until } }) => until ?? []);
  // Until the chains were asked, the end of everything is all that is known.
  return { quotes, quotesEnd: quotes === 0 ? null : ends.length === 0 ? zeroAt : Math.max(...ends) };
}

/** Raw units of one token over all chains on which it has the same name and decimals. */
export interface LiveToken {
  symbol: string;
  decimals: number;
  live: bigint;
  /** It is called by its address, and nobody knows its decimals. */
  unlisted?: true;
}

/** What is live per token, in the order in which tokens are listed, so that no figure changes its place. */
export function liveTokens(exposure: readonly ExposureRow[]): readonly LiveToken[] {
  const tokens = new Map<string, LiveToken>();
  for (const { tokenId, decimals, live, unlisted } of exposure) {
    const key = `${tokenId}:${decimals}`;
    const all = (tokens.get(key)?.live ?? 0n) + BigInt(live);
    tokens.set(key, { symbol: tokenId, decimals, live: all, ...(unlisted && { unlisted }) });
  }
  return [...tokens.values()];
}

/** What a token that can still be taken is called in a narrow place: one that is not listed now by its shortened address. */
export function liveName({ symbol, unlisted }: Pick<LiveToken, 'symbol' | 'unlisted'>): string {
  return unlisted === true ? shortHex(symbol) : symbol;
}

/** How much of it, cut up: `1.2501 WETH`, `5,000,000 raw units of 0x1234…abcd`. */
export function liveText(token: LiveToken): string {
  if (token.unlisted === true) return `${wholeAmountText(token.live, 0)} raw units of ${liveName(token)}`;
  return `${shortAmountText(token.live, token, 'up')} ${token.symbol}`;
}
