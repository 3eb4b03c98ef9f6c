import type { BookPair, ChainBook } from '../book/chain-book.ts';
import type { ChainView } from '../chain/chain-view.ts';
import type { RefusalCode } from '../contract/refusal.ts';
import type { Closure } from '../contract/trading.ts';
import type { Address } from '../protocol/address.ts';
import type { Side } from '../protocol/side.ts';
import type { Ask } from './ask.ts';
import { timeOfBoth } from './both-clocks.ts';
import { type ClockFault, type ClockLimits, clockFault } from './chain-clock.ts';
import { chainClosure } from './chain-closure.ts';
import { rulesOf } from './chain-rules.ts';
import { Exposure } from './exposure.ts';
import { HedgeTakes } from './hedge-takes.ts';
import { askRefusal, limitRefusal, quotable } from './quote-limits.ts';
import { type Covered, hedgeable, spendable } from './spendable.ts';
import { TokenClosures } from './token-closures.ts';
import { UserRate } from './user-rate.ts';

/**
 * Orders that the journal may lack: quotes signed at `since` (Unix milliseconds) at the latest, each for as long as this by the
 * clock of then, which may have been ahead by as much as is believed; and some by hand of which the last can be filled until
 * `byHandUntil` (Unix seconds).
 */
interface HoldOff {
  since: number;
  /** Found at this start, by a clock that nothing has confirmed yet. */
  isNew: boolean;
  readonly lifetimeSeconds: number;
  readonly byHandUntil: number;
}

interface ChainGuardParts {
  /** The chain as its watcher sees it at this moment. */
  view: () => ChainView | undefined;
  clockLimits: () => ClockLimits;
  /** Unix milliseconds. */
  now: () => number;
}

/** Why a pair is closed by itself, and by which of its tokens, where it is one. */
export interface PairClosure {
  readonly code:
    | 'token_closed'
    | 'not_approved'
    | 'protection_tripped'
    | 'protection_unpriced'
    | 'sources_apart'
    | 'reference_stale';
  readonly tokenId: string | null;
  readonly sentence: string;
}

export function notApproved(tokenId: string): string {
  return `${tokenId} is not approved for the RFQ contract.`;
}

/** The sides of a pair on which the maker would pay something out: quote on bids, base on asks. */
function* paidSides({ ladder: { ladder } }: BookPair): Generator<Side> {
  if (ladder.bids.length > 0) yield 'bids';
  if (ladder.asks.length > 0) yield 'asks';
}

/** The tokens that the pairs of a chain would pay out by their ladders, by ID. A side that is off pays nothing. */
export function paidTokens(chain: ChainBook, isOff: (pair: string, side: Side) => boolean): Set<string> {
  const paid = new Set<string>();
  for (const pair of chain.pairs.values()) {
    for (const side of paidSides(pair)) {
      if (!isOff(pair.id, side)) paid.add(side === 'asks' ? pair.definition.base : pair.definition.quote);
    }
  }
  return paid;
}

/** The guard's memory of one chain: what is live, who asked, and what the chain was last seen to be. */
export class ChainGuard {
  readonly exposure = new Exposure();
  readonly rate = new UserRate();
  readonly reported = new Set<Closure>();
  readonly tokens = new TokenClosures();
  readonly hedges: HedgeTakes;
  /** What the failed checks of the chain said, for a person. */
  failedChecks: string | null = null;
  /** Why a key that is held elsewhere does not sign, for a person. */
  keyFault: string | null = null;
  /** Questions to the journal that are not answered yet. */
  questions = 0;
  readonly #parts: ChainGuardParts;
  #block: ChainView['block'] = null;
  /** Our clock at the look that showed it, Unix milliseconds. */
  #blockSeenAt = 0;
  /** The latest time of a block that did not contradict our clock, Unix seconds. */
  #latestTime = 0;
  #holdOff: HoldOff | null = null;

  constructor(parts: ChainGuardParts) {
    this.#parts = parts;
    this.hedges = new HedgeTakes({
      seenAt: () => parts.view()?.seenAt ?? 0,
      seenBlock: () => parts.view()?.block?.number ?? 0,
      now: parts.now,
    });
  }

  /** The chain as it is seen now. Fills count against the balance from the first look that includes them. */
  view(): ChainView | undefined {
    const view = this.#parts.view();
    if (view?.block && view.block !== this.#block) {
      this.#block = view.block;
      this.#blockSeenAt = view.seenAt ?? 0;
      this.exposure.blockSeen(view.block.number);
      this.endOrders();
    }
    return view;
  }

  /** What is wrong between the chain's clock and ours at this moment, or null: also while no block is known. */
  clockFault(): ClockFault | null {
    return this.#clockFaultAt(this.#parts.now());
  }

  /** Whether both clocks are known, and agree at this moment. */
  clockAgrees(): boolean {
    this.view();
    return this.#block !== null && this.clockFault() === null;
  }

  #clockFaultAt(now: number): ClockFault | null {
    if (this.#block === null) return null;
    return clockFault(this.#block.timestamp, this.#latestTime, now, this.#parts.clockLimits());
  }

  /**
   * Ends the orders whose time is over. A clock that contradicts the other is no proof of anything: they must agree now, and
   * have agreed when the block was seen, or a block from the future is believed as soon as our own clock is set to the same
   * wrong time.
   */
  endOrders(): void {
    if (this.#block !== null && this.clockFault() === null && this.#clockFaultAt(this.#blockSeenAt) === null) {
      this.#latestTime = this.#block.timestamp;
      this.exposure.timeSeen(this.#block.timestamp, this.#parts.now());
      this.hedges.timeSeen(timeOfBoth(this.#block.timestamp, this.#parts.now()));
      this.#endHoldOff(this.#block.timestamp, this.#parts.now());
    }
  }

  /** Signs nothing until everything that was signed until then is over by both clocks. */
  holdOff(holdOff: HoldOff): void {
    this.#holdOff = holdOff;
  }

  /** A fill in a block of this time (Unix milliseconds) of an order that is not known here: such orders lived then still. */
  strangerFilled(blockTime: number): void {
    if (this.#holdOff !== null) this.#holdOff.since = Math.max(this.#holdOff.since, blockTime);
  }

  /** The second in which the last order that is not known can be filled, Unix seconds; null when there is none. */
  holdsOffUntil(): number | null {
    if (this.#holdOff === null) return null;
    const { since, lifetimeSeconds, byHandUntil } = this.#holdOff;
    const { headMaxAgeSeconds } = this.#parts.clockLimits();
    return Math.max(Math.ceil(since / 1_000) + lifetimeSeconds + headMaxAgeSeconds, byHandUntil);
  }

  /** Both clocks agree: one that was wrong when the desk started keeps nothing closed for longer or shorter than it must be. */
  #endHoldOff(blockTime: number, now: number): void {
    if (this.#holdOff === null) return;
    const { since, isNew } = this.#holdOff;
    this.#holdOff.since = isNew ? now : Math.min(since, now);
    this.#holdOff.isNew = false;
    if (timeOfBoth(blockTime, now) > (this.holdsOffUntil() ?? 0)) this.#holdOff = null;
  }

  /** The chain that was known is gone: nothing of it counts any more. Gives the rows of the orders that end with it. */
  begunAnew(): number[] {
    this.#block = null;
    this.#latestTime = 0;
    this.#holdOff = null;
    this.hedges.reset();
    return this.exposure.reset();
  }

  closure(chain: ChainBook, now: number, checksPending: boolean): Closure | null {
    const { balanceMaxAgeSeconds } = chain.config;
    const { questions, reported } = this;
    const view = this.view();
    const clockWrong = this.clockFault() !== null;
    const holdsOff = this.#holdOff !== null;
    return chainClosure({ checksPending, view, balanceMaxAgeSeconds, clockWrong, holdsOff, questions, reported }, now);
  }

  /**
   * Why a pair signs nothing on either side although nobody stopped it, or null: a token of it is closed, or one that it
   * would pay out is not approved at all.
   */
  pairClosure(pair: BookPair, isOff: (side: Side) => boolean): PairClosure | null {
    const { base, quote } = pair.definition;
    const ofBase = this.tokens.of(pair.base);
    if (ofBase !== null) return { code: 'token_closed', tokenId: base, sentence: ofBase };
    const ofQuote = this.tokens.of(pair.quote);
    if (ofQuote !== null) return { code: 'token_closed', tokenId: quote, sentence: ofQuote };
    const balances = this.view()?.balances;
    for (const side of paidSides(pair)) {
      const token = side === 'asks' ? pair.base : pair.quote;
      if (balances?.get(token.address)?.allowance !== 0n || isOff(side)) continue;
      const tokenId = side === 'asks' ? base : quote;
      return { code: 'not_approved', tokenId, sentence: notApproved(tokenId) };
    }
    return null;
  }

  covered(token: Address): Covered {
    const held = this.view()?.balances.get(token);
    return {
      balance: held?.balance ?? null,
      allowance: held?.allowance ?? null,
      exposure: this.exposure.live(token),
      hedged: this.hedges.sum(token),
    };
  }

  /** The most that can be signed of a token beside what is live, raw units. */
  spendable(chain: ChainBook, token: Address): bigint {
    return spendable(this.covered(token), rulesOf(chain).reserve.get(token) ?? 0n);
  }

  /** The most of a token that one more hedge may take, raw units; null where the balance is not known, or too old. */
  hedgeable({ config }: ChainBook, token: Address): bigint | null {
    const isOld = this.#parts.now() - (this.view()?.seenAt ?? 0) > config.balanceMaxAgeSeconds * 1_000;
    return isOld ? null : hedgeable(this.covered(token));
  }

  /** The most of a token that one quote may give: what is spendable, under the limits for it. */
  quotable(chain: ChainBook, token: Address): bigint {
    return quotable(chain, token, this);
  }

  /** Why an order must not be signed now, or null. */
  refusal(chain: ChainBook, ask: Ask, now: number): RefusalCode | null {
    return askRefusal(chain, ask, this, now);
  }

  /**
   * Why an order that a person signs for one taker must not be signed, or, once it `isCounted`, must not be handed over; null
   * when nothing speaks against it. An asset that is an NFT is named by `exposedAsset`, as no list and no limit names one.
   */
  handRefusal(chain: ChainBook, ask: Ask, isCounted: boolean): RefusalCode | null {
    const { makerAsset, takerAsset, makerAmount } = ask;
    const moved = [...chain.tokens.values()].filter(({ address }) => address === makerAsset || address === takerAsset);
    if (moved.some((token) => this.tokens.of(token) !== null)) return 'token_closed';
    const over = limitRefusal(chain, ask, this, { isCounted });
    if (over !== null || isCounted || !moved.some(({ address }) => address === makerAsset)) return over;
    if (this.covered(makerAsset).balance === null) return 'chain_unseen';
    return makerAmount > this.spendable(chain, makerAsset) ? 'insufficient_balance' : null;
  }
}
