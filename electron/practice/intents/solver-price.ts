import { BigNumber } from 'bignumber.js';
import { type Address, ZERO_ADDRESS } from '../../protocol/address.ts';
import { DeskError } from '../../protocol/desk-error.ts';
import { type PriceRoute, pricesQuerySchema, type SwapSide } from '../../protocol/market-wire.ts';
import { toQuery } from '../../protocol/query-fields.ts';
import { shareOf } from '../basis-points.ts';
import type { MarketDesk } from '../router/market-desk.ts';
import { priceSwap } from '../router/price-swap.ts';
import { findToken, type ListedToken, type RouterChain } from '../router/router-chain.ts';
import { WireRefused } from '../wire-refused.ts';
import { bridgeCostBps } from './bridge-lanes.ts';
import { type IntentDesk, intentChain, noIntentRoute, type ServedChain } from './intent-desk.ts';
import type { PriceAsk } from './settle/relay.ts';

/** What is quoted is so much worse than what the market gives: solvers earn at most that, or they do not get the order. */
const MARGIN_BPS = 5;
/** About what a fill uses, and what the other end of a bridge does. */
const GAS = { fill: 260_000n, release: 120_000n } as const;

/** Solvers swap in the pools, at no fee of the service. */
const SOLVER = 'solver';
const SOLVER_TERMS = { feeBps: 0, owner: ZERO_ADDRESS, mostFeeBps: 0, maySurplus: false };

/** What solvers are asked for: `amount` raw units of `src` (SELL) or of `dest` (BUY), both of one chain. */
export interface SolverAsk {
  side: SwapSide;
  amount: bigint;
  src: ListedToken;
  dest: ListedToken;
  /** Percent; 15 unless said. */
  maxImpact?: number | undefined;
  /** Null for an order of one chain. */
  bridgeCostBps: number | null;
}

/** Raw units; costs are of the token that is not fixed, and counted in already. */
export interface SolverPrice {
  srcAmount: bigint;
  destAmount: bigint;
  gas: bigint;
  bridge: bigint;
}

/**
 * What an order is quoted at before the fees of partners: the pools' price less what the fill costs and solvers earn.
 * @throws WireRefused `No route`; when the gas costs more than the swap is worth
 */
export async function solverPrice(desk: MarketDesk, chain: ServedChain, ask: SolverAsk): Promise<SolverPrice> {
  const { moved, gas, bridge } = await costedMarket(desk, chain, ask);
  return priceAt(ask, { moved, gas, bridge, margin: shareOf(moved, MARGIN_BPS) });
}

/**
 * What the other amount comes to for whoever fills the order at cost.
 * @throws as `solverPrice`
 */
export async function priceAtCost(desk: MarketDesk, chain: ServedChain, ask: SolverAsk): Promise<bigint> {
  const { srcAmount, destAmount } = priceAt(ask, { ...(await costedMarket(desk, chain, ask)), margin: 0n });
  return ask.side === 'SELL' ? destAmount : srcAmount;
}

type Costed = Record<'moved' | 'gas' | 'bridge' | 'margin', bigint>;

function priceAt({ side, amount }: SolverAsk, { moved, gas, bridge, margin }: Costed): SolverPrice {
  const costs = gas + bridge + margin;
  if (side === 'BUY') return { srcAmount: moved + costs, destAmount: amount, gas, bridge };
  if (moved <= costs) throw noIntentRoute();
  return { srcAmount: amount, destAmount: moved - costs, gas, bridge };
}

async function costedMarket(desk: MarketDesk, chain: ServedChain, ask: SolverAsk): Promise<Omit<Costed, 'margin'>> {
  const { side, amount, src, dest, bridgeCostBps } = ask;
  const other = side === 'SELL' ? dest : src;
  const moved = src.address === dest.address ? amount : await swapped(desk, chain.chain.chainId, ask);
  const gas = await gasIn(chain.market, other, bridgeCostBps === null ? GAS.fill : GAS.fill + GAS.release);
  if (gas >= moved) throw new WireRefused('GasCostTooHigh', 'The gas costs more than the swap is worth');
  return { moved, gas, bridge: shareOf(moved, bridgeCostBps ?? 0) };
}

/** The amount that is not fixed, as the pools have it now. */
async function swapped(
  desk: MarketDesk,
  network: number,
  { side, amount, src, dest, maxImpact }: SolverAsk,
): Promise<bigint> {
  const query = pricesQuerySchema.parse(
    toQuery({
      srcToken: src.address,
      destToken: dest.address,
      amount,
      side,
      network,
      maxImpact,
      partner: SOLVER,
      version: '6.2',
      excludeRFQ: true,
    }),
  );
  const route = await priceSwap({ ...desk, partners: { [SOLVER]: SOLVER_TERMS } }, query).catch(unlessNoRoute);
  if (route.maxImpactReached) throw noIntentRoute();
  return BigInt(side === 'SELL' ? route.destAmount : route.srcAmount);
}

function unlessNoRoute(error: unknown): PriceRoute {
  throw error instanceof WireRefused && error.code === 'PricingError' ? noIntentRoute() : error;
}

/** So much gas, at the node's price, in raw units of a token, rounded up; 0 while a price in dollars is missing. */
async function gasIn(chain: RouterChain, token: ListedToken, gas: bigint): Promise<bigint> {
  const [native, own] = [chain.usdPrice(chain.addresses.wrappedNative), chain.usdPrice(token.address)];
  if (native === null || own === null || new BigNumber(own).isZero()) return 0n;
  const wei = new BigNumber(`${gas * (await chain.chain.client.getGasPrice())}`);
  const tokens = wei.shiftedBy(-18).times(native).dividedBy(own);
  return BigInt(tokens.shiftedBy(token.decimals).toFixed(0, BigNumber.ROUND_UP));
}

/** The other amount that solvers count with in an auction; null while the market has none. Rejects when the chain is away. */
export async function auctionPrice(
  desk: Pick<IntentDesk, 'chains' | 'market'>,
  { chainId, side, amount, srcToken, destToken, bridge }: PriceAsk,
): Promise<bigint | null> {
  try {
    const chain = intentChain(desk, chainId);
    const token = (address: Address, field: string) => findToken(chain.market, address, field).traded;
    const [src, dest] = [token(srcToken, 'srcToken'), token(destToken, 'destToken')];
    const costBps = bridge === null ? null : bridgeCostBps(bridge.protocolData);
    return await priceAtCost(desk.market, chain, { side, amount, src, dest, bridgeCostBps: costBps });
  } catch (error) {
    if (error instanceof DeskError || error instanceof WireRefused) return null;
    throw error;
  }
}
