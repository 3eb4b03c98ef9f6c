import { randomUUID } from 'node:crypto';
import { BigNumber } from 'bignumber.js';
import type { z } from 'zod';
import type { Address } from '../../protocol/address.ts';
import type { IntentPrice, intentPricesQuerySchema } from '../../protocol/intent-wire.ts';
import type { SwapSide } from '../../protocol/market-wire.ts';
import { shareOf } from '../basis-points.ts';
import { sealIntentRoute } from '../router/integrity.ts';
import { inDollars, type ListedToken, type RouteToken, usdValue } from '../router/router-chain.ts';
import { WireRefused } from '../wire-refused.ts';
import {
  arrivingOf,
  type BridgeWay,
  bridgeInput,
  type ContractParams,
  contractParams,
  type LaneToken,
  laneFor,
  waysWanted,
} from './bridge-lanes.ts';
import { type IntentDesk, intentChain, intentToken, noIntentRoute, type ServedChain } from './intent-desk.ts';
import { stackedFeeBps } from './partner-fee.ts';
import { type SolverPrice, solverPrice } from './solver-price.ts';

type PricesAsk = z.output<typeof intentPricesQuerySchema>;

/** Ends and terms of a price, once chains and tokens are known to be served. */
interface PricedAsk {
  desk: IntentDesk;
  side: SwapSide;
  amount: bigint;
  maxImpact: number | undefined;
  feeBps: number;
  source: ServedChain;
  destination: ServedChain;
  src: RouteToken;
  dest: RouteToken;
  /** Null for a swap of one chain. */
  lane: LaneToken | null;
}

/** Where a route goes over the bridge. */
interface Crossing {
  way: BridgeWay;
  params: ContractParams;
}

/**
 * What solvers would fill an order at (PROTOCOL 14.4), after the fees of partners. Across chains the first way over the bridge is
 * the route, and the others are alternatives.
 * @throws WireRefused with the texts of PROTOCOL 17: `No route`, `Token not supported`
 */
export async function priceIntent(desk: IntentDesk, query: PricesAsk): Promise<IntentPrice> {
  const ask = readAsk(desk, query);
  const { lane, side, feeBps } = ask;
  const [first, ...others] = lane === null ? [null] : waysWanted(query);
  if (first === undefined) throw noIntentRoute();
  const route = await routeOver(ask, first);
  const alternatives = await Promise.all(others.map((way) => routeOver(ask, way).catch(unlessRefused)));
  return {
    id: randomUUID(),
    side,
    inputToken: route.origin.input.token,
    outputToken: route.destination.output.token,
    route,
    alternatives: alternatives.filter((one) => one !== null),
    partner: { name: query.partner, feePercent: new BigNumber(feeBps).dividedBy(100).toNumber() },
    spender: ask.source.addresses.intents,
  } as IntentPrice;
}

function readAsk(desk: IntentDesk, query: PricesAsk): PricedAsk {
  const { chainId, destChainId = chainId, side, maxImpact } = query;
  const source = intentChain(desk, chainId);
  const src = intentToken(source, query.srcToken, { as: 'srcToken', decimals: query.srcDecimals });
  const isServed = desk.chains.some(({ market, addresses }) => {
    return addresses !== null && market.chain.chainId === destChainId;
  });
  if (!isServed) throw noIntentRoute();
  const destination = intentChain(desk, destChainId);
  const dest = intentToken(destination, query.destToken, { as: 'destToken', decimals: query.destDecimals });
  const amount = BigInt(query.amount);
  if (amount === 0n) throw new WireRefused('InvalidInput', 'amount must be above zero');
  const lane = chainId === destChainId ? null : laneFor(source, destination, dest.named);
  const isNowhere = chainId === destChainId ? src.traded.address === dest.traded.address : lane === null;
  if (isNowhere) throw noIntentRoute();
  const feeBps = stackedFeeBps(desk, query.partner, query.partnerFeeBps);
  return { desk, side, amount, maxImpact, feeBps, source, destination, src, dest, lane };
}

async function routeOver(ask: PricedAsk, way: BridgeWay | null) {
  const { desk, source, destination, src, dest, lane, side, amount, feeBps, maxImpact } = ask;
  const out = lane?.from ?? dest.traded;
  // A way that keeps nothing has the same parameters for any amount.
  const exact = way === null || lane === null ? null : contractParams(way, lane, 0n);
  const wanted = side === 'BUY' && exact !== null ? bridgeInput(exact, amount) : amount;
  const bridgeCostBps = way?.costBps ?? null;
  const swap = { side, amount: wanted, src: src.traded, dest: out, maxImpact, bridgeCostBps };
  const price = afterFee(side, await solverPrice(desk.market, source, swap), feeBps);
  const crossing = way === null || lane === null ? null : { way, params: contractParams(way, lane, price.destAmount) };
  // A way that keeps a part of what crosses promises no exact amount.
  const arrives = crossing === null ? price.destAmount : arrivingOf(crossing.params, price.destAmount);
  if (arrives <= 0n || (side === 'BUY' && arrives !== amount)) throw noIntentRoute();
  const originOutput = amountOf(source, out, price.destAmount, lane === null ? dest.named : out.address);
  return sealIntentRoute(desk.market.key, side, {
    origin: { input: amountOf(source, src.traded, price.srcAmount), output: originOutput },
    destination: {
      input: lane === null ? originOutput : amountOf(destination, lane.to, arrives),
      output: amountOf(destination, dest.traded, arrives, dest.named),
    },
    bridge: crossing === null ? null : bridgeBlock(crossing),
    fees: feesOf(ask, price, crossing),
    spender: source.addresses.intents,
  });
}

/** The partner's part comes off what is bought, or on what is paid, as the intent contract counts it. */
function afterFee(side: SwapSide, price: SolverPrice, feeBps: number): SolverPrice {
  if (side === 'SELL') return { ...price, destAmount: price.destAmount - shareOf(price.destAmount, feeBps) };
  return { ...price, srcAmount: price.srcAmount + shareOf(price.srcAmount, feeBps) };
}

function bridgeBlock({ way: { protocol, estimatedTimeMs, tags }, params }: Crossing) {
  return { protocol, estimatedTimeMs, tags, contractParams: params };
}

/** What solver and bridge count for gas and for crossing, in the token that is not fixed. */
function feesOf({ source, side, src, dest, lane }: PricedAsk, price: SolverPrice, crossing: Crossing | null) {
  const out = lane?.from ?? dest.traded;
  const costsIn = side === 'SELL' ? out : src.traded;
  const gas = amountOf(source, costsIn, price.gas);
  if (crossing === null) return { gas, bridge: [] };
  const kept = BigInt(crossing.params.protocolData === '0x' ? 0 : crossing.params.protocolData);
  const bridge = crossing.way.keptBps === 0 ? amountOf(source, costsIn, price.bridge) : amountOf(source, out, kept);
  return { gas, bridge: [{ protocol: crossing.way.protocol, ...bridge }] };
}

function amountOf({ market }: ServedChain, token: ListedToken, amount: bigint, named?: Address) {
  const address = named ?? token.address;
  const amountUSD = inDollars(usdValue(market, token, amount));
  return { token: { chainId: market.chain.chainId, address }, amount: `${amount}`, amountUSD };
}

function unlessRefused(error: unknown): null {
  if (error instanceof WireRefused) return null;
  throw error;
}
