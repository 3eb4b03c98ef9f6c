import { decodeAbiParameters, decodeFunctionData, parseAbiParameters } from 'viem';
import { MARKET_ROUTER, SWAP_POOL } from '../../../electron/practice/chain/artifacts.ts';
import { readAmount } from '../../../electron/practice/chain/read-amount.ts';
import type { ExecutorRoute } from '../../../electron/practice/router/executor-route.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../../../electron/protocol/address.ts';
import type { MarketFloor } from './market-floor.ts';

interface Order {
  makerAmount: bigint;
  takerAmount: bigint;
}

/** What a transaction gives at most or wants at least, and its hops where it goes over any route. */
function swapIn(data: Hex): { srcAmount: bigint; destAmount: bigint; hops: ExecutorRoute['hops'] | null } {
  const { functionName, args = [] } = decodeFunctionData({ abi: MARKET_ROUTER.abi, data });
  if (functionName !== 'swapExactAmountIn' && functionName !== 'swapExactAmountOut') {
    return { ...(args[0] as { srcAmount: bigint; destAmount: bigint }), hops: null };
  }
  const { fromAmount, toAmount } = args[1] as { fromAmount: bigint; toAmount: bigint };
  return { srcAmount: fromAmount, destAmount: toAmount, hops: hopsIn(args[4] as Hex) };
}

/** `Route` of MarketRouter.sol as a stranger would read it. */
const ROUTE = parseAbiParameters(
  '(uint256 deadline, uint256 srcTaxBps, uint256 destTaxBps, (address service, uint256 serviceFeeBps, address partner, uint256 partnerFeeBps, bool takeSurplus, bool capSurplus, bool surplusToUser, bool direct) fees, (address tokenIn, address tokenOut, (address pool, uint256 amount, uint256 taxInBps, uint256 taxOutBps, (uint256 nonceAndMeta, uint128 expiry, address makerAsset, address takerAsset, address maker, address taker, uint256 makerAmount, uint256 takerAmount) order, bytes signature)[] legs)[] hops)',
);

function hopsIn(executorData: Hex): ExecutorRoute['hops'] {
  const [{ hops }] = decodeAbiParameters(ROUTE, executorData) as unknown as [ExecutorRoute];
  return hops;
}

/** The firm orders in a transaction's calldata. */
export function ordersIn(data: Hex): (Order & { nonceAndMeta: bigint; taker: Address })[] {
  const { functionName, args = [] } = decodeFunctionData({ abi: MARKET_ROUTER.abi, data });
  if (functionName === 'swapOnRFQ') return [args[1] as never];
  const legs = (swapIn(data).hops ?? []).flatMap((hop) => hop.legs);
  return legs.flatMap(({ pool, order }) => (pool === ZERO_ADDRESS ? [order] : []));
}

/**
 * What the swap of a transaction must give for an exact input, worked out from the orders in it and from what each pool
 * says of itself now, without taxes and fees.
 */
export async function expectedOutput(market: MarketFloor, data: Hex): Promise<bigint> {
  const { srcAmount, hops } = swapIn(data);
  const [only] = ordersIn(data);
  if (hops === null) return only === undefined ? 0n : (srcAmount * only.makerAmount) / only.takerAmount;
  let amount = srcAmount;
  for (const { tokenIn, legs } of hops) {
    let left = amount;
    amount = 0n;
    for (const [index, leg] of legs.entries()) {
      const part = index === legs.length - 1 ? left : leg.amount;
      left -= part;
      amount +=
        leg.pool === ZERO_ADDRESS
          ? (part * leg.order.makerAmount) / leg.order.takerAmount
          : await ask(market, leg.pool, 'getAmountOut', [tokenIn, part]);
    }
  }
  return amount;
}

/** The same for an exact output: what the swap must take. */
export async function expectedInput(market: MarketFloor, data: Hex): Promise<bigint> {
  const { destAmount, hops } = swapIn(data);
  let amount = destAmount;
  const fill = ({ makerAmount, takerAmount }: Order, out: bigint) =>
    (out * takerAmount + makerAmount - 1n) / makerAmount;
  const [only] = ordersIn(data);
  if (hops === null) return only === undefined ? 0n : fill(only, amount);
  for (const { tokenIn, legs } of hops.toReversed()) {
    let left = amount;
    amount = 0n;
    for (const [index, leg] of legs.entries()) {
      const part = index === legs.length - 1 ? left : leg.amount;
      left -= part;
      amount +=
        leg.pool === ZERO_ADDRESS ? fill(leg.order, part) : await ask(market, leg.pool, 'getAmountIn', [tokenIn, part]);
    }
  }
  return amount;
}

function ask({ floor }: MarketFloor, pool: Address, name: string, args: readonly unknown[]): Promise<bigint> {
  return readAmount(floor.chain.client, SWAP_POOL, pool, name, args);
}
