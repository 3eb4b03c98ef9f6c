import type { BookPair, ChainBook } from '../book/chain-book.ts';
import type { ChainView } from '../chain/chain-view.ts';
import type { RefusalCode } from '../contract/refusal.ts';
import type { Closure } from '../contract/trading.ts';
import type { Address } from '../protocol/address.ts';
import { rulesOf } from './chain-rules.ts';
import { chainClosure } from './closures.ts';
import { Exposure } from './exposure.ts';
import { UserRate } from './user-rate.ts';

/** What a firm request would have the maker sign. Amounts are raw units. */
export interface Ask {
  readonly user: Address;
  readonly taker: Address;
  readonly makerAsset: Address;
  readonly takerAsset: Address;
  readonly makerAmount: bigint;
  readonly takerAmount: bigint;
}

/** What the maker has of a token, as a decision read it; raw units, null where it is not known. */
export interface Covered {
  readonly balance: bigint | null;
  readonly allowance: bigint | null;
  /** Signed before this and still live. */
  readonly exposure: bigint;
}

/** The guard's memory of one chain: what is live, who asked, and what the chain was last seen to be. */
export class ChainGuard {
  readonly exposure = new Exposure();
  readonly rate = new UserRate();
  readonly reported = new Set<Closure>();
  /** Questions to the journal that are not answered yet. */
  questions = 0;
  readonly #view: () => ChainView | undefined;
  #block: ChainView['block'] = null;

  constructor(view: () => ChainView | undefined) {
    this.#view = view;
  }

  /** The chain as it is seen now. Fills count against the balance from the first look that includes them. */
  view(): ChainView | undefined {
    const view = this.#view();
    if (view?.block && view.block !== this.#block) {
      this.#block = view.block;
      this.exposure.blockSeen(view.block);
    }
    return view;
  }

  closure(chain: ChainBook, now: number, checksPending: boolean): Closure | null {
    const { balanceMaxAgeSeconds } = chain.config;
    const { questions, reported } = this;
    const view = this.view();
    const { endedByClock } = this.exposure;
    return chainClosure({ checksPending, view, balanceMaxAgeSeconds, endedByClock, questions, reported }, now);
  }

  covered(token: Address): Covered {
    const held = this.view()?.balances.get(token);
    return {
      balance: held?.balance ?? null,
      allowance: held?.allowance ?? null,
      exposure: this.exposure.live(token),
    };
  }

  /** The most that can be signed of a token beside what is live: with it, all live plus the reserve stay below balance and allowance. */
  spendable(chain: ChainBook, token: Address): bigint {
    const { balance, allowance, exposure } = this.covered(token);
    if (balance === null || allowance === null) return 0n;
    const most =
      (balance < allowance ? balance : allowance) - (rulesOf(chain).reserve.get(token) ?? 0n) - exposure - 1n;
    return most > 0n ? most : 0n;
  }

  /** The most of a token that one quote may give: what is spendable, under the limits for it. */
  quotable(chain: ChainBook, token: Address): bigint {
    const { maxQuote, maxOutstanding } = rulesOf(chain);
    let most = this.spendable(chain, token);
    const one = maxQuote.get(token);
    const all = maxOutstanding.get(token);
    if (one !== undefined && one < most) most = one;
    if (all !== undefined && all - this.exposure.live(token) < most) most = all - this.exposure.live(token);
    return most > 0n ? most : 0n;
  }

  /** Why an order must not be signed now, or null. */
  refusal(chain: ChainBook, ask: Ask, now: number): RefusalCode | null {
    const byRule = this.ruleRefusal(chain, ask, this.exposure.live(ask.makerAsset) + ask.makerAmount);
    if (byRule !== null) return byRule;
    const { quotesPerUserPerMinute } = rulesOf(chain);
    if (quotesPerUserPerMinute > 0 && this.rate.count(ask.user, now) >= quotesPerUserPerMinute) return 'user_rate';
    if (this.covered(ask.makerAsset).balance === null) return 'chain_unseen';
    return ask.makerAmount > this.spendable(chain, ask.makerAsset) ? 'insufficient_balance' : null;
  }

  /** The part of it that a person sets. `outstanding` is what is live of the maker's token, this order included. */
  ruleRefusal(chain: ChainBook, ask: Ask, outstanding: bigint): RefusalCode | null {
    const { takers, maxQuote, maxOutstanding } = rulesOf(chain);
    if (takers !== null && !takers.has(ask.taker)) return 'taker_not_allowed';
    if (isOver(ask.makerAmount, maxQuote.get(ask.makerAsset))) return 'quote_limit';
    if (isOver(ask.takerAmount, maxQuote.get(ask.takerAsset))) return 'quote_limit';
    return isOver(outstanding, maxOutstanding.get(ask.makerAsset)) ? 'outstanding_limit' : null;
  }
}

/** Whether a pair's ladder is older than its limit at `now` (Unix milliseconds). */
export function isLadderStale(chain: ChainBook, pair: BookPair, now: number): boolean {
  const { ladderMaxAgeMs } = rulesOf(chain);
  return ladderMaxAgeMs > 0 && now - pair.ladder.time > ladderMaxAgeMs;
}

function isOver(amount: bigint, limit: bigint | undefined): boolean {
  return limit !== undefined && amount > limit;
}
