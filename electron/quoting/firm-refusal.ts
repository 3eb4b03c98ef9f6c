import type { BookPair, ChainBook } from '../book/chain-book.ts';
import type { RefusalCode } from '../contract/refusal.ts';
import type { Ask } from '../guard/ask.ts';
import type { Guard } from '../guard/guard.ts';
import type { Counted } from '../guard/protection-windows.ts';
import type { Protections } from '../guard/protections.ts';
import { dollarAmount } from '../guard/rule-dollars.ts';
import type { Covered } from '../guard/spendable.ts';
import type { FirmRequest } from '../protocol/firm-request.ts';
import type { Side } from '../protocol/side.ts';
import type { FirmRequestInput } from './firm-input.ts';
import { priceRequest } from './firm-quote.ts';
import type { ServedLately } from './served-lately.ts';

/** As far as a decision came. */
export interface Decision {
  readonly input: FirmRequestInput;
  readonly request: FirmRequest;
  readonly chain: ChainBook;
  market?: { readonly pair: BookPair; readonly side: Side };
  ask?: Ask;
  covered?: Covered;
  /** Dollars a quote token, where a protection counts dollars; null where nothing fresh says it. */
  dollarRate?: string | null;
}

/** What a decision asks beside the book: of the desk as it is, or of one that is played again from its journal. */
interface DecisionParts {
  readonly guard: Pick<Guard, 'chainRefusal' | 'sideRefusal' | 'covered' | 'refusal'> & {
    readonly protections: Pick<Protections, 'refusal' | 'dollarRate'>;
  };
  /** Unix milliseconds. */
  readonly now: number;
  /** How long the request has waited, and how long it may. */
  readonly waitedMs: number;
  readonly deadlineMs: number;
  readonly depths: Pick<ServedLately, 'reach'>;
}

/** Why nothing is signed for a request, or null; then the decision knows market and amounts. */
export function refusalOf(
  decision: Decision,
  { guard, now, waitedMs, deadlineMs, depths }: DecisionParts,
): RefusalCode | null {
  const { request, chain } = decision;
  if (waitedMs >= deadlineMs) return 'deadline';
  const closed = guard.chainRefusal(chain);
  if (closed !== null) return closed;
  const market = chain.market(request.makerAsset, request.takerAsset);
  if (market === undefined) return 'unknown_pair';
  decision.market = market;
  decision.input.trace?.finds(market.pair.id, market.side);
  const blacklisted = chain.blacklistCode(request.userAddress, now);
  if (blacklisted !== null) return blacklisted;
  const off = guard.sideRefusal(chain, market.pair, market.side);
  if (off !== null) return off;
  const priced = priceRequest(chain, market, request, depths);
  if ('code' in priced) return priced.code;
  decision.ask = priced.ask;
  decision.covered = guard.covered(chain, priced.ask);
  decision.dollarRate = guard.protections.dollarRate(chain, market.pair);
  return guard.refusal(chain, priced.ask) ?? guard.protections.refusal(countedOf(decision, market, priced.ask));
}

/** The quote as protections count it. */
export function countedOf(
  { input, chain, dollarRate: rate = null }: Decision,
  { pair, side }: { pair: BookPair; side: Side },
  ask: Ask,
): Counted {
  const { user, makerAsset, takerAsset, makerAmount, takerAmount } = ask;
  const assets = { makerAsset, takerAsset, makerAmount, takerAmount };
  const amount = side === 'bids' ? makerAmount : takerAmount;
  const dollars = rate === null ? null : dollarAmount({ amount, decimals: pair.quote.decimals, rate });
  return {
    chainId: chain.chainId,
    pair: pair.id,
    user,
    counterparty: input.counterparty,
    side,
    ...assets,
    dollars,
    gain: null,
  };
}
