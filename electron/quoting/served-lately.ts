import type { BookPair } from '../book/chain-book.ts';
import { WHOLE_BPS } from '../protocol/decimal.ts';
import type { FirmRequest } from '../protocol/firm-request.ts';
import { prepareLevels } from '../protocol/ladder.ts';
import { ladderDepth } from '../protocol/ladder-depth.ts';
import { isBaseGiven } from '../protocol/ladder-walk.ts';
import type { Side } from '../protocol/side.ts';
import type { Level } from '../protocol/wire.ts';

/** How long the service may route over a grid that was served to it, milliseconds. */
const HELD_MS = 6_000;
/** What it asks for over the amount that it routes (PROTOCOL 4.3.12). */
const OVER_ORDER_BPS = 100;

/**
 * `until`: when the next levels took its place, on the monotonic clock; endless for what is served now. `depths`: null until somebody asks
 * for more than there is.
 */
type Served = { readonly levels: readonly Level[]; until: number; depths: Depths | null };
/** Raw units, rounded down. */
type Depths = Readonly<Record<'base' | 'quote', bigint>>;
type Memory = { pair: BookPair; readonly bids: Served[]; readonly asks: Served[] };

/**
 * What was served of each side in the last seconds, as long as only the reference moved it. The service holds a grid for
 * a while, so that a ladder which follows may have less depth in quote by the time of the firm request than the request
 * was routed over. Whatever a person does to a ladder ends its memory at once.
 */
export class ServedLately {
  readonly #monotonic: () => number;
  readonly #pairs = new Map<string, Memory>();

  /** `monotonic`: milliseconds of a clock that never jumps. */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** From now on these levels are served; none where the side is dark. */
  served(pair: BookPair, side: Side, levels: readonly Level[]): void {
    const list = this.#memoryOf(pair)[side];
    const now = this.#monotonic();
    const newest = list.at(-1);
    if (newest !== undefined && newest.until > now) {
      if (sameLevels(newest.levels, levels)) return;
      newest.until = now;
    }
    while (list[0] !== undefined && now - list[0].until > HELD_MS) list.shift();
    if (levels.length > 0) list.push({ levels, until: Number.POSITIVE_INFINITY, depths: null });
  }

  /** A person stopped this side: nothing of what it served before holds any more. */
  forget(pair: BookPair, side: Side): void {
    this.#pairs.get(pair.id)?.[side].splice(0);
  }

  /**
   * How much base (raw units) may be signed for a request that lies within a depth which was served in the last seconds:
   * one percent over the base that was served then. null where no such depth was served.
   */
  reach(
    pair: BookPair,
    side: Side,
    request: Pick<FirmRequest, 'given' | 'amount'>,
    overfillBps: number,
  ): bigint | null {
    const unit = isBaseGiven(side, request.given) ? 'base' : 'quote';
    const tolerance = WHOLE_BPS + BigInt(Math.min(overfillBps, OVER_ORDER_BPS));
    const now = this.#monotonic();
    let most: bigint | null = null;
    for (const served of this.#memoryOf(pair)[side]) {
      if (now - served.until > HELD_MS) continue;
      served.depths ??= depthsOf(served.levels, pair); // hundreds of them, for each request over the depth
      if (request.amount * WHOLE_BPS > served.depths[unit] * tolerance) continue;
      const base = (served.depths.base * (WHOLE_BPS + BigInt(OVER_ORDER_BPS))) / WHOLE_BPS;
      if (most === null || base > most) most = base;
    }
    return most;
  }

  #memoryOf(pair: BookPair): Memory {
    const known = this.#pairs.get(pair.id);
    if (known !== undefined && (known.pair === pair || hasFollowed(known.pair, pair))) {
      known.pair = pair;
      return known;
    }
    const made: Memory = { pair, bids: [], asks: [] };
    this.#pairs.set(pair.id, made);
    return made;
  }
}

function depthsOf(levels: readonly Level[], { base, quote }: BookPair): Depths {
  const prepared = prepareLevels(levels, base.decimals, quote.decimals);
  return { base: ladderDepth(prepared, 'base'), quote: ladderDepth(prepared, 'quote') };
}

/** Whether nothing but the reference came between: the same tokens, and levels of the same sizes. */
function hasFollowed(before: BookPair, after: BookPair): boolean {
  if (before.base.address !== after.base.address || before.base.decimals !== after.base.decimals) return false;
  if (before.quote.address !== after.quote.address || before.quote.decimals !== after.quote.decimals) return false;
  if (before.ladder.revision === after.ladder.revision) return true;
  const { followed, ladder } = after.ladder;
  return (
    followed !== undefined &&
    (['bids', 'asks'] as const).every((side) => sameSizes(before.ladder.ladder[side], ladder[side]))
  );
}

function sameSizes(a: readonly Level[], b: readonly Level[]): boolean {
  return a.length === b.length && a.every(([, amount], index) => amount === b[index]?.[1]);
}

function sameLevels(a: readonly Level[], b: readonly Level[]): boolean {
  return a === b || (sameSizes(a, b) && a.every(([price], index) => price === b[index]?.[0]));
}
