import { BigNumber } from 'bignumber.js';
import type { z } from 'zod';
import type { Address } from '../../protocol/address.ts';
import type { BestRoute, PriceRoute, pricesQuerySchema } from '../../protocol/market-wire.ts';
import { parseInput } from '../service/route.ts';
import { WireRefused } from '../wire-refused.ts';
import { type BestPrice, bestPrice } from './best-price.ts';
import { sealRoute } from './integrity.ts';
import { chainServed, type MarketDesk, partnerOf } from './market-desk.ts';
import { type PriceAsk, pricePath } from './price-path.ts';
import { findToken, impactPercent, inDollars, type RouterChain, usdValue } from './router-chain.ts';
import { findSources, type Source } from './sources.ts';
import { type SwapTaxes, swapTaxesSchema } from './swap-taxes.ts';

type PricesQuery = z.output<typeof pricesQuerySchema>;

/** Percent; more than this is told as `maxImpactReached` unless `maxImpact` says otherwise (PROTOCOL 18). */
const IMPACT_CEILING = 15;

/**
 * Prices a swap (PROTOCOL 14.1). `addedFeeBps` stacks with the partner's registered fee: a build has to ask for it as well.
 * @throws WireRefused with the texts of PROTOCOL 17, `No route`
 */
export async function priceSwap(desk: MarketDesk, query: PricesQuery, addedFeeBps = 0): Promise<PriceRoute> {
  const chain = chainServed(desk, query.network);
  const src = findToken(chain, query.srcToken, 'srcToken', query.srcDecimals);
  const dest = findToken(chain, query.destToken, 'destToken', query.destDecimals);
  if (src.traded.address === dest.traded.address) throw noRoute();
  const taxes = taxesOf(query);
  const feeBps = partnerOf(desk, query.partner).feeBps + addedFeeBps;
  const amount = BigInt(query.amount);
  if (amount === 0n) throw new WireRefused('InvalidInput', 'amount must be above zero');
  const ask: PriceAsk = {
    side: query.side,
    amount,
    taxes,
    feeBps,
    from: src.traded.address,
    to: dest.traded.address,
  };
  // The legacy router fills no orders of makers.
  const excludeRFQ = query.excludeRFQ || query.version === '5';
  const sources = await findSources(chain, { ...query, excludeRFQ, users: usersOf(query) });
  const best = bestPrice(ask, sources, query, pathWanted(chain, query.route, ask));
  if (best === null) throw noRoute();
  const value = {
    src: usdValue(chain, src.traded, best.srcAmount),
    dest: usdValue(chain, dest.traded, best.destAmount),
  };
  if (!query.ignoreBadUsdPrice && (value.src === null || value.dest === null)) {
    throw new WireRefused('PricingError', 'No USD price for srcToken or destToken');
  }
  const impact = impactPercent(value.src, value.dest);
  const route = {
    blockNumber: Number(await chain.chain.client.getBlockNumber()),
    network: query.network,
    srcToken: src.named,
    srcDecimals: src.traded.decimals,
    srcAmount: `${best.srcAmount}`,
    destToken: dest.named,
    destDecimals: dest.traded.decimals,
    destAmount: `${best.destAmount}`,
    bestRoute: bestRoute(best, taxes, chain),
    ...(await estimateGas(chain, best)),
    side: query.side,
    version: query.version,
    ...routerOf(chain, query.version),
    contractMethod: best.method,
    partnerFee: new BigNumber(feeBps).dividedBy(100).toNumber(),
    srcUSD: inDollars(value.src),
    destUSD: inDollars(value.dest),
    partner: query.partner,
    maxImpactReached: impact.isGreaterThan(query.maxImpact ?? IMPACT_CEILING),
    ...(query.otherExchangePrices ? { others: otherExchanges(ask, sources) } : {}),
  };
  return sealRoute(desk.key, route, desk.now());
}

/** Nothing leads from one token to the other for this amount. */
function noRoute(): WireRefused {
  return new WireRefused('PricingError', 'No route');
}

function usersOf({ userAddress, receiver }: PricesQuery): Address[] {
  return [userAddress, receiver].flatMap((user) => (user === undefined ? [] : [user.toLowerCase() as Address]));
}

function taxesOf(query: PricesQuery): SwapTaxes {
  return parseInput(swapTaxesSchema, {
    src: query.srcTokenTransferFee ?? 0,
    srcDex: query.srcTokenDexTransferFee ?? 0,
    dest: query.destTokenTransferFee ?? 0,
    destDex: query.destTokenDexTransferFee ?? 0,
  });
}

/** Where the transaction goes, which is also who must be approved. */
function routerOf({ addresses }: RouterChain, version: string) {
  const router = version === '5' ? addresses.legacyRouter : addresses.router;
  return { contractAddress: router, tokenTransferProxy: router };
}

function bestRoute({ hops }: BestPrice, taxes: SwapTaxes, chain: RouterChain): BestRoute {
  const decimals = (token: Address) => chain.tokens.find(({ address }) => address === token)?.decimals ?? 0;
  const swaps = hops.map((legs) => {
    const [srcToken, destToken] = [legs[0]?.source.tokenIn ?? '0x', legs[0]?.source.tokenOut ?? '0x'] as const;
    return {
      srcToken,
      srcDecimals: decimals(srcToken),
      destToken,
      destDecimals: decimals(destToken),
      swapExchanges: legs.map(({ source: { exchange, data }, amountIn, amountOut, percent }) => {
        return { exchange, srcAmount: `${amountIn}`, destAmount: `${amountOut}`, percent, data };
      }),
    };
  });
  return [{ percent: 100, swaps, taxes }];
}

/** About what the router and each leg use; the transaction's own estimate is made when it is built. */
const GAS = { router: 90_000n, generic: 20_000n, rfq: 110_000n, pool: 70_000n } as const;

/** What settling costs, in gas and in dollars at the node's price (PROTOCOL 12.2). */
async function estimateGas(
  chain: RouterChain,
  { hops, method }: BestPrice,
): Promise<{ gasCost: string; gasCostUSD: string }> {
  const generic = method === 'swapExactAmountIn' || method === 'swapExactAmountOut' ? GAS.generic : 0n;
  const gas = hops.flat().reduce((sum, { source }) => sum + GAS[source.data.kind], GAS.router + generic);
  const { client } = chain.chain;
  const price = chain.usdPrice(chain.addresses.wrappedNative) ?? '0';
  const wei = gas * (await client.getGasPrice());
  return { gasCost: `${gas}`, gasCostUSD: new BigNumber(`${wei}`).shiftedBy(-18).times(price).toFixed(6) };
}

/** What each exchange by itself would do with the swap, the best first (PROTOCOL 14.1, `otherExchangePrices`). */
function otherExchanges(ask: PriceAsk, sources: readonly Source[]) {
  const direct = sources.filter(({ tokenIn, tokenOut }) => tokenIn === ask.from && tokenOut === ask.to);
  return direct
    .flatMap((source) => {
      const priced = pricePath(ask, [ask.from, ask.to], [source], 'whole');
      if (priced === null) return [];
      return [{ exchange: source.exchange, srcAmount: `${priced.srcAmount}`, destAmount: `${priced.destAmount}` }];
    })
    .sort(
      (a, b) =>
        Number(BigInt(b.destAmount) - BigInt(a.destAmount)) || Number(BigInt(a.srcAmount) - BigInt(b.srcAmount)),
    );
}

/**
 * The tokens of the `route` parameter, dash-separated, both ends included (PROTOCOL 14.1); null without one.
 * @throws WireRefused when it does not lead from the source to the destination, or passes a token twice
 */
function pathWanted(
  chain: RouterChain,
  route: string | undefined,
  { from, to }: Pick<PriceAsk, 'from' | 'to'>,
): Address[] | null {
  if (route === undefined) return null;
  const path = route.split('-').map((text) => findToken(chain, text, 'route').traded.address);
  const leadsThere = path.length > 1 && path[0] === from && path.at(-1) === to;
  if (leadsThere && new Set(path).size === path.length) return path;
  throw new WireRefused('InvalidInput', 'Invalid route');
}
