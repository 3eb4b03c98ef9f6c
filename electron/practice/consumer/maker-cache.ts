import type { Pair, PriceEntry, Token } from '../../protocol/wire.ts';
import type { CachedMaker, ConsumerMode } from './maker-consumer.ts';

type Grid = Omit<CachedMaker, 'blacklist'>;
type Parts = Partial<Grid>;

export interface MakerCache {
  /** Whole bodies of /tokens and /pairs: what is no longer in them is gone. */
  takeTokens(tokens: Grid['tokens']): void;
  takePairs(pairs: Grid['pairs']): void;
  /** A whole body of /prices; false while it cannot be used because tokens and pairs were not read yet. */
  takePrices(prices: Grid['prices']): boolean;
  /** The channel's first message is complete; every later one holds entries that are new or changed (PROTOCOL 6). */
  takeFirst(parts: Parts): void;
  merge(parts: Parts): void;
  dropPrices(): void;
  clear(): void;
  /** What can be routed over now, or null when there is nothing. The same object as long as it is the same. */
  read(): Grid | null;
}

/**
 * What the service holds of a maker's grid. Every price entry ages out on its own. In spec mode a body of /prices
 * replaces all entries; in strict mode, like the public adapter, an entry without both sides is passed over, so that
 * the one before it ages out, and so does what is not in the body at all.
 */
export function openMakerCache(mode: ConsumerMode, staleAfterMs: number, now: () => number): MakerCache {
  let tokens: Map<string, Token> | null = null;
  let pairs: Map<string, Pair> | null = null;
  let prices = new Map<string, { entry: PriceEntry; at: number }>();
  let built: { grid: Grid | null; until: number } | null = null;

  const dated = (entries: Grid['prices']) => {
    const at = now();
    return Object.entries(entries).map(([id, entry]) => [id, { entry, at }] as const);
  };

  function forgetStale(): void {
    for (const [id, { at }] of prices) if (now() - at > staleAfterMs) prices.delete(id);
  }

  function build(): { grid: Grid | null; until: number } {
    forgetStale();
    if (tokens === null || pairs === null) return { grid: null, until: Number.POSITIVE_INFINITY };
    const known = tokens;
    const usable = [...pairs].filter(([id, pair]) => isRoutable(mode, id, known.get(pair.base), known.get(pair.quote)));
    const ids = new Set(usable.map(([id]) => id));
    const fresh = [...prices].filter(([id, { entry }]) => ids.has(id) && isPriced(mode, entry));
    const oldest = fresh.reduce((least, [, { at }]) => Math.min(least, at), Number.POSITIVE_INFINITY);
    const grid = {
      tokens: Object.fromEntries(known),
      pairs: Object.fromEntries(usable),
      prices: Object.fromEntries(fresh.map(([id, { entry }]) => [id, entry])),
    };
    return { grid: fresh.length === 0 ? null : grid, until: oldest + staleAfterMs };
  }

  const changing =
    <A extends unknown[], R>(change: (...args: A) => R) =>
    (...args: A): R => {
      built = null;
      return change(...args);
    };

  return {
    takeTokens: changing((whole) => {
      tokens = new Map(Object.entries(whole));
    }),
    takePairs: changing((whole) => {
      pairs = new Map(Object.entries(whole));
    }),
    takePrices: changing((whole) => {
      if (tokens === null || pairs === null) return false;
      forgetStale();
      if (mode === 'spec') prices = new Map(dated(whole));
      else for (const [id, one] of dated(whole)) if (hasBothSides(one.entry)) prices.set(id, one);
      return true;
    }),
    takeFirst: changing((parts) => {
      if (parts.tokens !== undefined) tokens = new Map(Object.entries(parts.tokens));
      if (parts.pairs !== undefined) pairs = new Map(Object.entries(parts.pairs));
      if (parts.prices !== undefined) prices = new Map(dated(parts.prices));
    }),
    merge: changing((parts) => {
      for (const [id, token] of Object.entries(parts.tokens ?? {})) tokens?.set(id, token);
      for (const [id, pair] of Object.entries(parts.pairs ?? {})) {
        // Updates of liquidityUSD do not count on the channel (PROTOCOL 6).
        pairs?.set(id, { ...pair, liquidityUSD: pairs.get(id)?.liquidityUSD ?? pair.liquidityUSD });
      }
      for (const [id, one] of dated(parts.prices ?? {})) prices.set(id, one);
    }),
    dropPrices: changing(() => prices.clear()),
    clear: changing(() => {
      tokens = null;
      pairs = null;
      prices.clear();
    }),
    read() {
      if (built === null || now() > built.until) built = build();
      return built.grid;
    },
  };
}

function hasBothSides(entry: PriceEntry): boolean {
  return entry.bids !== undefined && entry.asks !== undefined;
}

function isPriced(mode: ConsumerMode, entry: PriceEntry): boolean {
  const isLit = (entry.bids?.length ?? 0) + (entry.asks?.length ?? 0) > 0;
  return isLit && (mode === 'spec' || hasBothSides(entry));
}

/** Route search at the public service finds a pair only if its ID holds both symbols. */
function isRoutable(mode: ConsumerMode, id: string, base: Token | undefined, quote: Token | undefined): boolean {
  if (base === undefined || quote === undefined) return false;
  return mode === 'spec' || (id.includes(base.symbol) && id.includes(quote.symbol));
}
