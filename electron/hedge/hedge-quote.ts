import { type HedgeQuote, type QuotedWay, quotedWaySchema } from '../contract/hedge.ts';
import type { HedgeAsk } from '../contract/hedge-terms.ts';
import type { HedgeOpened } from '../journal/hedges/events.ts';
import {
  compare,
  decimalSchema,
  div,
  formatDecimal,
  mul,
  parseDecimal,
  type Rational,
  sub,
} from '../protocol/decimal.ts';
import type { IntentPrice, IntentRoute } from '../protocol/intent-wire.ts';
import type { BestRoute, PriceRoute } from '../protocol/market-wire.ts';
import { bestRouteSchema } from '../protocol/market-wire.ts';
import { combinedQuote } from '../service/combined-quote.ts';
import { routesOf } from '../service/intent-prices.ts';
import { marketPrices } from '../service/market-operations.ts';
import { type Spender, spenderOf } from '../service/spender.ts';
import { approvalNeed, approvalPlan } from './approvals.ts';
import type { HedgeNode } from './hedge-node.ts';
import { partnerIn } from './hedge-partner.ts';
import { chainOf, type HedgeParts, sentenceOf } from './hedge-parts.ts';
import { FRESH_MS } from './hedge-run.ts';
import { endsOf } from './hedge-terms.ts';
import { wireToken } from './hedge-tokens.ts';
import { bridgeOf } from './intent-price.ts';
import { pinnedContracts } from './pinned-contracts.ts';
import { swapBound } from './swap-bounds.ts';

/** Alternatives that are told: each costs looks at the chain. */
const MOST_BRIDGES = 8;
const PRICE_PLACES = 18;
const DOLLAR_PLACES = 2;
const PERMIT_SECONDS = 600;
const NONSENSE = 'The service answered with figures that no token can hold.';

type Ends = ReturnType<typeof endsOf>;

/**
 * Asks the service both ways, the desk's own grid left out of the market, and puts them side by side. Throws DeskError, among them
 * `service_day_spent`.
 */
export async function quoteBothWays(
  parts: HedgeParts,
  node: (chainId: number) => HedgeNode,
  ask: HedgeAsk,
): Promise<HedgeQuote> {
  const ends = endsOf(parts, ask);
  const { chainId, src, dest, side, amount, maker, beneficiary } = ends;
  const service = parts.service(chainId);
  service.checkBudget();
  const asked = {
    srcToken: wireToken(src),
    destToken: wireToken(dest),
    srcDecimals: src.decimals,
    destDecimals: dest.decimals,
    amount,
    side,
    userAddress: maker,
    ...partnerIn(chainOf(parts, chainId).config),
  };
  const crosses = dest.chainId !== chainId;
  const [combined, market] = await Promise.allSettled([
    combinedQuote(service, {
      ...asked,
      chainId,
      mode: crosses ? 'INTENT' : 'ALL',
      ...(crosses && { destChainId: dest.chainId }),
      ...(beneficiary !== null && { beneficiary }),
    }),
    crosses
      ? Promise.reject(new Error('The router settles on one chain only.'))
      : marketPrices(service, {
          ...asked,
          network: chainId,
          excludeRFQ: true,
          ...(beneficiary !== null && { receiver: beneficiary }),
        }),
  ]);
  const at = parts.now();
  const intent = combined.status === 'fulfilled' ? (combined.value.intent ?? null) : null;
  const reason = combined.status === 'fulfilled' ? (combined.value.fallbackReason ?? null) : null;
  const chain = node(chainId);
  const others = intent === null ? [] : otherRoutes(intent).map((route) => ({ ...intent, route }));
  const ways = await Promise.all([
    intent === null ? null : intentQuote(parts, chain, ends, intent, at),
    market.status === 'rejected' ? null : marketQuote(parts, chain, ends, market.value, at),
  ]);
  // An alternative that cannot be told is none that could be chosen.
  const told = await Promise.all(others.map((other) => intentQuote(parts, chain, ends, other, at).catch(() => null)));
  // What one way says cannot take the other from the screen.
  const [intentWay = null, marketWay = null] = ways.map((way) => (quotedWaySchema.safeParse(way).success ? way : null));
  const said = reason && [reason.errorType, reason.details].filter(Boolean).join(': ');
  const why =
    combined.status === 'rejected'
      ? sentenceOf(combined.reason)
      : intent !== null
        ? NONSENSE
        : (said ?? 'The service gave no intent price.');
  const marketWhy = market.status === 'rejected' ? sentenceOf(market.reason) : NONSENSE;
  return {
    at,
    src,
    dest,
    side,
    amount,
    intent: {
      quote: intentWay,
      fault: intentWay === null ? why : null,
      others: told.flatMap((way) => quotedWaySchema.safeParse(way).data ?? []),
    },
    market: { quote: marketWay, fault: marketWay === null ? marketWhy : null },
    better: betterOf(side, intentWay, marketWay),
    fallback: reason ? { code: reason.errorType ?? null, sentence: said || 'The service did not say why.' } : null,
  };
}

/** The alternatives that a person can choose: each over a bridge of a name of its own. */
function otherRoutes(price: IntentPrice): IntentRoute[] {
  const names = new Set([bridgeOf(price.route)]);
  return routesOf(price).filter((route) => {
    const name = bridgeOf(route);
    if (name === null || names.has(name) || names.size > MOST_BRIDGES) return false;
    names.add(name);
    return true;
  });
}

async function marketQuote(
  parts: HedgeParts,
  chain: HedgeNode,
  ends: Ends,
  route: PriceRoute,
  at: number,
): Promise<QuotedWay> {
  const amounts = { srcAmount: route.srcAmount, destAmount: route.destAmount };
  const spender = spenderOf({ market: route });
  return {
    ...figures(ends, amounts, {
      srcUsd: dollars(route.srcUSD),
      destUsd: dollars(route.destUSD),
      gasUsd: dollars(route.gasCostUSD),
    }),
    gas: { units: route.gasCost, usd: dollars(route.gasCostUSD) },
    fees: { partner: route.partner, percent: route.partnerFee, gasUsd: null, bridgeUsd: null },
    ...(await spending(parts, chain, ends, { spender, mode: 'market', srcAmount: route.srcAmount })),
    via: exchangesOf(route),
    bridge: null,
    expiresAt: at + FRESH_MS,
  };
}

async function intentQuote(
  parts: HedgeParts,
  chain: HedgeNode,
  ends: Ends,
  price: IntentPrice,
  at: number,
): Promise<QuotedWay> {
  const { origin, destination, bridge } = price.route;
  const amounts = { srcAmount: origin.input.amount, destAmount: destination.output.amount };
  const spender = spenderOf({ intent: price });
  const usd = { srcUsd: dollars(origin.input.amountUSD), destUsd: dollars(destination.output.amountUSD), gasUsd: '0' };
  return {
    ...figures(ends, amounts, usd),
    // The relayer pays it, and the price has it in it already.
    gas: { units: null, usd: '0' },
    fees: { partner: price.partner?.name ?? null, percent: price.partner?.feePercent ?? null, ...costsWithin(price) },
    ...(await spending(parts, chain, ends, { spender, mode: 'intent', srcAmount: origin.input.amount })),
    via: ['auction among solvers'],
    bridge: bridge
      ? {
          protocol: bridge.protocol ?? 'a bridge',
          seconds: secondsOf(bridge.estimatedTimeMs),
          choice: bridgeOf(price.route),
        }
      : null,
    expiresAt: at + FRESH_MS,
  };
}

/** Amounts, prices and what is left, of either way. */
function figures(
  { side, src, dest, slippageBps }: Ends,
  { srcAmount, destAmount }: { srcAmount: string; destAmount: string },
  { srcUsd, destUsd, gasUsd }: Record<'srcUsd' | 'destUsd' | 'gasUsd', string | null>,
) {
  const offered = BigInt(side === 'SELL' ? destAmount : srcAmount);
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
    bound: `${swapBound(side, offered, slippageBps)}`,
    price: price(got),
    priceAfterGas: left === null ? null : price(mul(got, left)),
    worthUsd: worth === null ? null : formatDecimal(worth, DOLLAR_PLACES, 'floor'),
  };
}

async function spending(
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
      permit2: pinnedContracts(chainOf(parts, chain.chainId).config).permit2,
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

function betterOf(side: HedgeOpened['side'], intent: QuotedWay | null, market: QuotedWay | null): HedgeQuote['better'] {
  if (intent === null || market === null) return null;
  if (side === 'BUY') {
    // The same is received: less is better, the market's gas on top.
    if (intent.srcUsd === null || market.srcUsd === null || market.gas.usd === null) return null;
    const cost = sub(parseDecimal(market.srcUsd), {
      n: -parseDecimal(market.gas.usd).n,
      d: parseDecimal(market.gas.usd).d,
    });
    return compare(parseDecimal(intent.srcUsd), cost) <= 0 ? 'intent' : 'market';
  }
  if (intent.priceAfterGas === null || market.priceAfterGas === null) return null;
  if (market.priceAfterGas.startsWith('-')) return 'intent';
  return compare(parseDecimal(intent.priceAfterGas), parseDecimal(market.priceAfterGas)) >= 0 ? 'intent' : 'market';
}

function exchangesOf({ bestRoute }: PriceRoute): string[] {
  const routes: BestRoute = bestRouteSchema.safeParse(bestRoute).data ?? [];
  return routes.flatMap(({ percent, swaps }) =>
    swaps.flatMap(({ swapExchanges }) =>
      swapExchanges.map(({ exchange, percent: share }) => `${exchange} ${Math.round((percent * share) / 100)}%`),
    ),
  );
}

/** What the price has in it for gas and for the bridge, where the service says it in dollars. */
function costsWithin({ route }: IntentPrice): Pick<QuotedWay['fees'], 'gasUsd' | 'bridgeUsd'> {
  const { gas, bridge } = (route.fees ?? {}) as { gas?: unknown; bridge?: unknown };
  return { gasUsd: sumUsd([gas]), bridgeUsd: sumUsd(Array.isArray(bridge) ? bridge : []) };
}

function sumUsd(amounts: readonly unknown[]): string | null {
  const said = amounts.map((amount) => dollars((amount as { amountUSD?: unknown } | null | undefined)?.amountUSD));
  const known = said.filter((one) => one !== null).map(parseDecimal);
  if (known.length === 0) return null;
  const total = known.reduce((sum, one) => sub(sum, { n: -one.n, d: one.d }), { n: 0n, d: 1n });
  return formatDecimal(total, DOLLAR_PLACES, 'ceil');
}

/** A plain decimal of what a service says in dollars; null where it says none. */
function dollars(said: unknown): string | null {
  return decimalSchema.safeParse(said).data ?? null;
}

/** Whole seconds, at most a year: what is said to take longer does not arrive. */
function secondsOf(milliseconds: number | undefined): number | null {
  return milliseconds === undefined ? null : Math.ceil(Math.max(0, Math.min(milliseconds / 1_000, 31_536_000)));
}
