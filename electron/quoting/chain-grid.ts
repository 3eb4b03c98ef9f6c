import type { BookPair, ChainBook } from '../book/chain-book.ts';
import type { RefusalCode } from '../contract/refusal.ts';
import type { Guard } from '../guard/guard.ts';
import type { Address } from '../protocol/address.ts';
import type { Side } from '../protocol/side.ts';
import type { Level, PriceEntry } from '../protocol/wire.ts';
import { givenToken, neededForAll, servedLevels } from './clip-to-balance.ts';
import type { ServedGrid } from './served-grid.ts';
import { ServedLately } from './served-lately.ts';

const SIDES = ['bids', 'asks'] as const satisfies Side[];

/** The grid of one chain, built anew when something changed that it shows, and else left as it is. */
export class ChainGrid {
  readonly #guard: Guard;
  readonly #now: () => number;
  /** What the sides served in the last seconds. */
  readonly depths: ServedLately;
  #grid: ServedGrid | null = null;
  /** What each token had to be quotable for at the last build so that nothing was cut, and what it was. */
  #tokens = new Map<Address, { needed: bigint; quotable: bigint }>();
  /** When the next ladder, pushed price or reference becomes older than its limit, Unix milliseconds. */
  #staleAt = Number.POSITIVE_INFINITY;
  /**
   * The pairs of the last build: whether their reference, or what an engine pushed, was missing, held back or too old, and which of their
   * sides stood off it.
   */
  #priced: { pair: BookPair; isDark: boolean; closed: string }[] = [];
  /** Pairs that a check or a missing approval had closed at the last build. */
  #closed = new Set<string>();

  /** `now`: Unix milliseconds. `monotonic`: milliseconds of a clock that never jumps. */
  constructor(guard: Guard, now: () => number, monotonic: () => number) {
    this.#guard = guard;
    this.#now = now;
    this.depths = new ServedLately(monotonic);
  }

  current(chain: ChainBook): ServedGrid {
    return this.#grid ?? this.build(chain);
  }

  hasOtherClosure(chain: ChainBook): boolean {
    return this.#grid?.closed !== this.#refusal(chain);
  }

  /** Whether time or exposure has changed what the grid should show. Cheap: it looks at tokens, not at levels. */
  isOutdated(chain: ChainBook): boolean {
    if (this.#now() > this.#staleAt || this.hasOtherClosure(chain)) return true;
    if (this.#priced.some(({ pair, isDark }) => this.#now() > this.#freshUntil(chain, pair) !== isDark)) return true;
    if (this.#priced.some(({ pair, closed }) => this.#offReference(chain, pair) !== closed)) return true;
    if (this.#grid?.closed === null && this.#hasOtherClosedPairs(chain)) return true;
    for (const [address, { needed, quotable }] of this.#tokens) {
      const now = this.#guard.quotable(chain, address);
      if (now !== quotable && (now < needed || quotable < needed)) return true;
    }
    return false;
  }

  #hasOtherClosedPairs(chain: ChainBook): boolean {
    for (const pair of chain.pairs.values()) {
      if (pair.fault === null && this.#isClosed(chain, pair) !== this.#closed.has(pair.id)) return true;
    }
    return false;
  }

  /** A pair of which that cannot be said is closed. */
  #isClosed(chain: ChainBook, pair: BookPair): boolean {
    try {
      return this.#guard.pairClosure(chain, pair) !== null;
    } catch {
      return true;
    }
  }

  /**
   * The grid as it is now: the same object where nothing of it changed. Where it cannot be told, the chain halts and no
   * price of before is served on.
   */
  build(chain: ChainBook): ServedGrid {
    try {
      return this.#built(chain);
    } catch (error) {
      this.#guard.trading.failed({ chainId: chain.chainId }, error);
      const { tokens, pairs, blacklist } = this.#grid ?? { tokens: {}, pairs: {}, blacklist: [] };
      this.#grid = { tokens, pairs, prices: {}, blacklist, closed: 'internal' };
      return this.#grid;
    }
  }

  /** Why no grid is served. A chain of which that cannot be told is halted, so that this stays until a person has looked. */
  #refusal(chain: ChainBook): RefusalCode | null {
    const { trading } = this.#guard;
    try {
      return this.#guard.gridRefusal(chain);
    } catch (error) {
      trading.failed({ chainId: chain.chainId }, error);
      return 'halted';
    }
  }

  #built(chain: ChainBook): ServedGrid {
    this.#tokens = new Map();
    this.#staleAt = Number.POSITIVE_INFINITY;
    this.#priced = [];
    this.#closed = new Set();
    const before = this.#grid;
    const closed = this.#refusal(chain);
    const listed = [...chain.pairs.values()].filter(({ fault }) => fault === null);
    const next: ServedGrid = {
      tokens: kept(before?.tokens, Object.fromEntries(chain.tokens)),
      pairs: kept(before?.pairs, Object.fromEntries(listed.map(({ id, definition }) => [id, definition]))),
      prices: closed === null ? this.#prices(chain, listed, before?.prices) : kept(before?.prices, {}),
      blacklist: kept(before?.blacklist, chain.blacklist(this.#now())),
      closed,
    };
    if (closed !== null) for (const pair of listed) for (const side of SIDES) this.#remember(chain, pair, side, []);
    this.#grid = before !== null && sameParts(before, next) ? before : next;
    return this.#grid;
  }

  #prices(chain: ChainBook, pairs: readonly BookPair[], before: ServedGrid['prices'] = {}): ServedGrid['prices'] {
    const prices = Object.fromEntries(
      pairs.map((pair) => [
        pair.id,
        kept(Object.hasOwn(before, pair.id) ? before[pair.id] : undefined, this.#entry(chain, pair)),
      ]),
    );
    return sameEntries(before, prices) ? before : prices;
  }

  /** One pair. What is broken in it halts it and removes only itself. */
  #entry(chain: ChainBook, pair: BookPair): PriceEntry {
    try {
      if (this.#isClosed(chain, pair)) this.#closed.add(pair.id);
      const { ladderMaxAgeSeconds } = chain.config.limits;
      const staleAt = pair.ladder.time + ladderMaxAgeSeconds * 1_000;
      if (ladderMaxAgeSeconds > 0 && staleAt >= this.#now()) this.#staleAt = Math.min(this.#staleAt, staleAt);
      const freshUntil = this.#freshUntil(chain, pair);
      const isDark = this.#now() > freshUntil;
      if (!isDark) this.#staleAt = Math.min(this.#staleAt, freshUntil);
      this.#priced.push({ pair, isDark, closed: this.#offReference(chain, pair) });
      const [bids, asks] = SIDES.map((side) => this.#remember(chain, pair, side, this.#side(chain, pair, side)));
      return priceEntry(chain.config.deadSide, bids ?? [], asks ?? []);
    } catch (error) {
      this.#guard.trading.failed({ chainId: chain.chainId, pair: pair.id }, error);
      return priceEntry(chain.config.deadSide, [], []);
    }
  }

  /** What was served before a stop does not hold after it. */
  #remember(chain: ChainBook, pair: BookPair, side: Side, levels: readonly Level[]): readonly Level[] {
    const stopped = this.#guard.trading.stateOf({ chainId: chain.chainId, pair: pair.id, side }) === 'HALTED';
    if (stopped || pair.retiredUntil !== null) this.depths.forget(pair, side);
    else this.depths.served(pair, side, levels);
    return levels;
  }

  /** Until when, Unix milliseconds; infinity where neither a reference nor an engine prices the pair. */
  #freshUntil(chain: ChainBook, pair: BookPair): number {
    return this.#guard.freshUntil(chain, pair) ?? Number.POSITIVE_INFINITY;
  }

  /** Which sides are closed because they stand off the reference. */
  #offReference(chain: ChainBook, pair: BookPair): string {
    const off = this.#guard.offReference(chain, pair);
    return SIDES.filter((side) => off?.[side]?.closed === true).join();
  }

  #side(chain: ChainBook, pair: BookPair, side: Side): readonly Level[] {
    if (pair[side].length === 0 || this.#guard.sideRefusal(chain, pair, side) !== null) return [];
    if (this.#guard.trading.stateOf({ chainId: chain.chainId, pair: pair.id, side }) !== 'LIVE') return [];
    const { address } = givenToken(pair, side);
    const needed = neededForAll(chain, pair, side);
    const known = this.#tokens.get(address);
    const quotable = known?.quotable ?? this.#guard.quotable(chain, address);
    if (chain.config.clipToBalance && (known === undefined || known.needed < needed)) {
      this.#tokens.set(address, { needed, quotable });
    }
    return servedLevels(chain, pair, side, quotable);
  }
}

/** A switched-off side is left out (PROTOCOL 4.3.2), or empty where the desk file asks for that. */
function priceEntry(deadSide: 'omit' | 'empty', bids: readonly Level[], asks: readonly Level[]): PriceEntry {
  const entry: PriceEntry = {};
  if (bids.length > 0 || deadSide === 'empty') entry.bids = [...bids];
  if (asks.length > 0 || deadSide === 'empty') entry.asks = [...asks];
  return entry;
}

/** The old object where the new one says the same, so that what was made of it (its bytes) can be kept. */
function kept<T extends object>(before: T | undefined, next: T): T {
  return before !== undefined && sameJson(before, next) ? before : next;
}

/** Whether two values would be the same bytes. Most of a grid is the very same objects, which are not looked into. */
function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  if (keys.length !== others.length || Array.isArray(a) !== Array.isArray(b)) return false;
  return keys.every(
    (key, index) => key === others[index] && sameJson(a[key as keyof typeof a], b[key as keyof typeof b]),
  );
}

function sameEntries(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  return keys.length === others.length && keys.every((key, index) => key === others[index] && a[key] === b[key]);
}

function sameParts(a: ServedGrid, b: ServedGrid): boolean {
  const parts: (keyof ServedGrid)[] = ['tokens', 'pairs', 'prices', 'blacklist', 'closed'];
  return parts.every((part) => a[part] === b[part]);
}
