import type { BookPair, ChainBook } from '../book/chain-book.ts';
import type { RefusalCode } from '../contract/refusal.ts';
import type { Address } from '../protocol/address.ts';
import type { Ask } from './ask.ts';
import { rulesOf } from './chain-rules.ts';
import { type Covered, covers, notBelowZero, spendable } from './spendable.ts';
import type { UserRate } from './user-rate.ts';

/** What limits are held against: a chain as it stands now, or as far as the row of a decision says how it stood. */
export interface Counts {
  covered(token: Address): Covered;
  readonly rate: Pick<UserRate, 'count'>;
}

/** Why an order must not be signed by what the maker has of its token and by what is counted already, or null. `now`: Unix milliseconds. */
export function askRefusal(chain: ChainBook, ask: Ask, counts: Counts, now: number): RefusalCode | null {
  const byRule = ruleRefusal(chain, ask, counts, { isCounted: false });
  if (byRule !== null) return byRule;
  const { quotesPerUserPerMinute } = chain.config.limits;
  if (quotesPerUserPerMinute > 0 && counts.rate.count(ask, now) >= quotesPerUserPerMinute) return 'user_rate';
  const covered = counts.covered(ask.makerAsset);
  if (covered.balance === null) return 'chain_unseen';
  const reserve = rulesOf(chain).reserve.get(ask.makerAsset) ?? 0n;
  return covers(covered, reserve, ask.makerAmount) ? null : 'insufficient_balance';
}

/** The part of it that a person sets, which is judged again before an order that `isCounted` is handed over. */
export function ruleRefusal(
  chain: ChainBook,
  ask: Ask,
  counts: Counts,
  { isCounted }: { isCounted: boolean },
): RefusalCode | null {
  if (!rulesOf(chain).allowsTaker(ask.taker)) return 'taker_not_allowed';
  return limitRefusal(chain, ask, counts, { isCounted });
}

/** The limits among those rules, which hold for what a person signs too. */
export function limitRefusal(
  chain: ChainBook,
  { makerAsset, takerAsset, makerAmount, takerAmount }: Ask,
  counts: Counts,
  { isCounted }: { isCounted: boolean },
): RefusalCode | null {
  const { maxQuote, maxOutstanding } = rulesOf(chain).most;
  if (isOver(makerAmount, maxQuote.get(makerAsset))) return 'quote_limit';
  if (isOver(takerAmount, maxQuote.get(takerAsset))) return 'quote_limit';
  const { exposure } = counts.covered(makerAsset);
  const outstanding = isCounted ? exposure : exposure + makerAmount;
  return isOver(outstanding, maxOutstanding.get(makerAsset)) ? 'outstanding_limit' : null;
}

/** The most of a token that one quote may give: what is spendable, under the limits for one quote and for all that is live. Raw units. */
export function quotable(chain: ChainBook, token: Address, counts: Counts): bigint {
  const { reserve, most } = rulesOf(chain);
  const covered = counts.covered(token);
  const [one, all] = [most.maxQuote.get(token), most.maxOutstanding.get(token)];
  let left = spendable(covered, reserve.get(token) ?? 0n);
  if (one !== undefined && one < left) left = one;
  if (all !== undefined && all - covered.exposure < left) left = all - covered.exposure;
  return notBelowZero(left);
}

/** Whether a pair's ladder is older than its limit at `now` (Unix milliseconds). */
export function isLadderStale(chain: ChainBook, pair: BookPair, now: number): boolean {
  const { ladderMaxAgeSeconds } = chain.config.limits;
  return ladderMaxAgeSeconds > 0 && now - pair.ladder.time > ladderMaxAgeSeconds * 1_000;
}

function isOver(amount: bigint, limit: bigint | undefined): boolean {
  return limit !== undefined && amount > limit;
}
