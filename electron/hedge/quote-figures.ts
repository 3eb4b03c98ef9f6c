import type { QuotedWay } from '../contract/hedge.ts';
import { decimalSchema, div, formatDecimal, mul, parseDecimal, type Rational, sub } from '../protocol/decimal.ts';
import type { Spender } from '../service/spender.ts';
import type { HedgeNode } from './hedge-node.ts';
import { chainOf, type HedgeParts, sentenceOf } from './hedge-parts.ts';
import { permit2Of } from './pinned-contracts.ts';
import { swapBound } from './slippage-bound.ts';
import { approvalNeed, approvalPlan } from './token-approvals.ts';
import type { Ends } from './venues/venue.ts';

const PRICE_PLACES = 18;
const DOLLAR_PLACES = 2;
const PERMIT_SECONDS = 600;

/**
 * Amounts, prices and what is left of them after gas, of any venue. Amounts are raw units, dollars decimal. `furthest`: the furthest
 * from the reference that the other amount will be held to.
 */
export function figures(
  { side, src, dest, slippageBps }: Ends,
  { srcAmount, destAmount }: { srcAmount: string; destAmount: string },
  { srcUsd, destUsd, gasUsd }: Record<'srcUsd' | 'destUsd' | 'gasUsd', string | null>,
  furthest: bigint | null,
) {
  const offered = BigInt(side === 'SELL' ? destAmount : srcAmount);
  const bound = swapBound(side, offered, slippageBps, { shown: null, furthest });
  const given: Rational = { n: BigInt(srcAmount), d: 10n ** BigInt(src.decimals) };
  const got: Rational = { n: BigInt(destAmount), d: 10n ** BigInt(dest.decimals) };
  const price = (received: Rational) =>
    given.n === 0n ? '0' : formatDecimal(div(received, given), PRICE_PLACES, 'floor');
  const worth = destUsd === null || gasUsd === null ? null : sub(parseDecimal(destUsd), parseDecimal(gasUsd));
  const left = worth === null || destUsd === null || Number(destUsd) === 0 ? null : div(worth, parseDecimal(destUsd));
  return {
    srcAmount,
    destAmount,
    srcUsd,
    destUsd,
    bound: `${bound}`,
    isFenced: bound !== swapBound(side, offered, slippageBps),
    price: price(got),
    priceAfterGas: left === null ? null : price(mul(got, left)),
    worthUsd: worth === null ? null : formatDecimal(worth, DOLLAR_PLACES, 'floor'),
  };
}

/** Who takes the source, and what must happen before they can. */
export async function spending(
  parts: HedgeParts,
  chain: HedgeNode,
  { src, maker, side, slippageBps }: Ends,
  { spender, mode, srcAmount }: { spender: Spender | null; mode: Spender['mode']; srcAmount: string },
): Promise<Pick<QuotedWay, 'spender' | 'approval'>> {
  const amount = side === 'SELL' ? BigInt(srcAmount) : swapBound(side, BigInt(srcAmount), slippageBps);
  const address = spender?.address ?? null;
  try {
    const deadline = Math.floor(parts.now() / 1_000) + PERMIT_SECONDS;
    const { plan, allowance } = await approvalPlan(chain, {
      mode,
      spender,
      settlement: 'now',
      owner: maker,
      token: src.address,
      amount,
      prefer: 'permit',
      deadline,
      permitRequired: false,
      now: parts.now(),
      permit2: permit2Of(chainOf(parts, chain.chainId).config),
    });
    return { spender: address, approval: approvalNeed(plan, address, allowance) };
  } catch (error) {
    const sentence = `The allowance cannot be read: ${sentenceOf(error)}`;
    return {
      spender: address,
      approval: { kind: 'refused', sentence, spender: address, allowance: null, amounts: [], permit: null },
    };
  }
}

/** A plain decimal of what a service says in dollars; null where it says none. */
export function dollars(said: unknown): string | null {
  return decimalSchema.safeParse(said).data ?? null;
}
