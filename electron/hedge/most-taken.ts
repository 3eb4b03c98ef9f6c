import type { HedgeOpened } from '../journal/hedges/events.ts';
import type { HedgeRecord } from '../journal/hedges/fold.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { HedgeLog } from './hedge-log.ts';
import { chainOf, type HedgeParts } from './hedge-parts.ts';
import { type HedgeRun, record } from './hedge-run.ts';
import { boundOfMid, pairOfHedge } from './reference-distance.ts';
import { swapBound } from './slippage-bound.ts';
import type { Venue } from './venues/venue.ts';

/**
 * The most that a hedge takes of its source, raw units, as far as it is known before anything is built: what it sells, its limit, what
 * stood on the screen with the slippage, or the furthest from the reference at which it was placed. Null where nothing says it.
 */
export function mostTaken(
  parts: Pick<HedgeParts, 'book'>,
  opened: HedgeOpened,
  venue: Venue | undefined,
): bigint | null {
  const { side, amount, slippageBps, shown, referenceMid, maxDistanceBps } = opened;
  if (venue?.about.isRecord === true) return 0n;
  if (side === 'SELL') return BigInt(amount);
  const most = venue?.mostOf(opened) ?? null;
  if (most !== null) return most;
  if (shown !== null) return swapBound(side, BigInt(shown), slippageBps);
  const found = pairOfHedge(parts, opened);
  if (found === null || referenceMid === undefined || maxDistanceBps === undefined) return null;
  return boundOfMid(found, opened, referenceMid, maxDistanceBps);
}

/**
 * Tells the guard what a hedge that runs may still take of the maker's tokens, so that no quote is signed on the same
 * balance: all of it from the moment it is opened, less what it is known to have spent, by the block in which it did.
 */
export async function tellWhatHedgeTakes(
  parts: Pick<HedgeParts, 'guard' | 'book'>,
  log: Pick<HedgeLog, 'isRunning' | 'running' | 'built'>,
  { seq, opened, spent }: Pick<HedgeRecord, 'seq' | 'opened' | 'spent'>,
  venue: Venue | undefined,
  block: number | null,
): Promise<void> {
  const { chainId, src, side } = opened;
  const tell = (most: bigint, gone: string) => {
    const amount = most > BigInt(gone) ? most - BigInt(gone) : 0n;
    parts.guard.orders.of(chainId).hedges.set(seq, { token: src.address, amount, until: null, block });
  };
  const known = mostTaken(parts, opened, venue);
  if (known !== null) tell(known, spent);
  if (side === 'SELL') return;
  // The most that a purchase spends stands in what was built for it, which is before anything of it is signed.
  const built = log.isRunning(seq) ? await log.built(seq) : null;
  if (built !== null && log.isRunning(seq)) tell(BigInt(built.most), log.running(seq).spent);
}

/**
 * Counts what a hedge is about to be signed for. Throws DeskError `promised` where the balance does not cover it beyond what quotes
 * and other hedges promise, unless a person wants it all the same.
 */
export function claim(run: HedgeRun, most: bigint): void {
  const { opened, spent } = record(run);
  const { chainId, src, automatic, acceptsPromises } = opened;
  const chain = chainOf(run.parts, chainId);
  const guard = run.parts.guard.orders.of(chainId);
  const own = guard.hedges.of(run.seq);
  const free = guard.hedgeable(chain, src.address);
  const amount = most - BigInt(spent);
  if (amount <= own) return;
  if (acceptsPromises !== true && (free === null ? automatic : amount > own + free)) {
    throw new DeskError('promised', promisedWords(src.symbol), { remedy: 'Nothing was signed: hedge it again.' });
  }
  guard.hedges.set(run.seq, { token: src.address, amount, until: null });
}

/**
 * Why a person has to be asked before a hedge takes so much: what the maker has does not cover it beyond what quotes and other
 * hedges promise. Null where it does, or where that is not known.
 */
export function questionOfPromises(
  parts: Pick<HedgeParts, 'book' | 'guard'>,
  { chainId, src }: Pick<HedgeOpened, 'chainId' | 'src'>,
  most: bigint | null,
): string | null {
  const free = parts.guard.orders.of(chainId).hedgeable(chainOf(parts, chainId), src.address);
  return most === null || free === null || most <= free ? null : promisedWords(src.symbol);
}

export function promisedWords(symbol: string): string {
  return `Signed quotes and other hedges still promise ${symbol}: after this the maker may not hold enough for all of them.`;
}
