import type { ExposureRow } from '../../electron/contract/desk-view.ts';

export interface StillLive {
  /** Tokens of which something can still be taken, the one that lasts longest first. */
  rows: readonly ExposureRow[];
  quotes: number;
  /** When the last quote is dead, Unix milliseconds; null when nothing is live. */
  zeroAt: number | null;
}

export function stillLive(exposure: readonly ExposureRow[]): StillLive {
  const rows = exposure.filter((row) => row.live !== '0').sort((a, b) => (b.zeroAt ?? 0) - (a.zeroAt ?? 0));
  let zeroAt: number | null = null;
  for (const row of rows) if (row.zeroAt !== null) zeroAt = Math.max(zeroAt ?? 0, row.zeroAt);
  return { rows, quotes: rows.reduce((count, row) => count + row.quotes, 0), zeroAt };
}

/** Raw units of one token over all chains on which it has the same name and decimals. */
export interface LiveToken {
  symbol: string;
  decimals: number;
  live: bigint;
}

/** What is live per token, in the order in which tokens are listed, so that no figure changes its place. */
export function liveTokens(exposure: readonly ExposureRow[]): readonly LiveToken[] {
  const tokens = new Map<string, LiveToken>();
  for (const { tokenId, decimals, live } of exposure) {
    const key = `${tokenId}:${decimals}`;
    tokens.set(key, { symbol: tokenId, decimals, live: (tokens.get(key)?.live ?? 0n) + BigInt(live) });
  }
  return [...tokens.values()];
}
