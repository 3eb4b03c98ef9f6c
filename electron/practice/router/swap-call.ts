import { encodeFunctionData } from 'viem';
import type { z } from 'zod';
import { type Address, type Hex, ZERO_ADDRESS } from '../../protocol/address.ts';
import type { transactionsBodySchema } from '../../protocol/market-transaction.ts';
import type { PriceRoute, SwapSide } from '../../protocol/market-wire.ts';
import { lessBps, moreBps, WHOLE_BPS } from '../basis-points.ts';
import { MARKET_ROUTER } from '../chain/artifacts.ts';
import { WireRefused } from '../wire-refused.ts';
import type { ContractMethod } from './best-price.ts';
import { type ExecutorRoute, encodeRoute } from './executor-route.ts';
import type { FirmHop, RouteHop } from './firm-legs.ts';
import { otherEnd } from './price-path.ts';
import type { SwapTaxes } from './swap-taxes.ts';

export type SwapWish = z.output<typeof transactionsBodySchema>;

/** The amounts of a swap as the router takes them, raw units. */
export interface SwapTerms {
  side: SwapSide;
  srcAmount: bigint;
  destAmount: bigint;
  /** Of the amount that is not fixed, before fees: what surplus is measured on. */
  quotedAmount: bigint;
  /** How far the amount that is not fixed may fall short of, or exceed, what was priced. */
  slippageBps: number;
}

/**
 * The limits that the body sets (PROTOCOL 14.2): the fixed amount is the route's; the other one is named, or follows from what
 * the route promises under `feeBps` and the slippage.
 * @throws WireRefused when an amount is missing or is not the route's
 */
export function swapTerms(
  route: PriceRoute,
  wish: SwapWish,
  { hops, taxes, feeBps }: { hops: readonly RouteHop[]; taxes: SwapTaxes; feeBps: number },
): SwapTerms {
  const side = route.side ?? 'SELL';
  const [fixed, other] =
    side === 'SELL' ? (['srcAmount', 'destAmount'] as const) : (['destAmount', 'srcAmount'] as const);
  if (wish[fixed] === undefined) throw new WireRefused('InvalidInput', `${fixed} is required on ${side}`);
  if (wish[fixed] !== route[fixed]) throw new WireRefused('InvalidInput', `${fixed} is not the route’s`);
  const quotedAmount = side === 'SELL' ? sum(hops.at(-1), 'destAmount') : sum(hops[0], 'srcAmount');
  const promised = otherEnd({ side, taxes, feeBps }, quotedAmount);
  const named = wish[other];
  if (named === undefined && wish.slippage === undefined) {
    throw new WireRefused('InvalidInput', `slippage is required without ${other}`);
  }
  const limit = named === undefined ? withSlippage(side, promised, BigInt(wish.slippage ?? 0)) : BigInt(named);
  const amount = BigInt(route[fixed]);
  return {
    side,
    ...(side === 'SELL' ? { srcAmount: amount, destAmount: limit } : { srcAmount: limit, destAmount: amount }),
    quotedAmount,
    slippageBps: slippageBetween(promised, limit),
  };
}

function withSlippage(side: SwapSide, promised: bigint, slippage: bigint): bigint {
  return side === 'SELL' ? lessBps(promised, slippage) : moreBps(promised, slippage);
}

function slippageBetween(promised: bigint, limit: bigint): number {
  const distance = promised > limit ? promised - limit : limit - promised;
  return Number((distance * WHOLE_BPS) / promised);
}

function sum(hop: RouteHop | undefined, which: 'srcAmount' | 'destAmount'): bigint {
  return (hop?.swapExchanges ?? []).reduce((total, leg) => total + leg[which], 0n);
}

/** Who earns on the swap, as the router's contract takes it. */
export interface CallFees {
  service: Address;
  serviceFeeBps: number;
  partner: Address;
  partnerFeeBps: number;
  takeSurplus: boolean;
  capSurplus: boolean;
  surplusToUser: boolean;
  direct: boolean;
}

export interface SwapCall {
  method: ContractMethod;
  args: readonly unknown[];
  data: Hex;
  /** What the router takes of the source at most. */
  srcAmount: bigint;
}

/** The router call that settles a swap. @throws WireRefused when the method does not fit the route */
export function swapCall(options: {
  method: ContractMethod;
  router: Address;
  terms: SwapTerms;
  hops: readonly FirmHop[];
  fees: CallFees;
  srcToken: Address;
  destToken: Address;
  srcTaxBps: number;
  destTaxBps: number;
  beneficiary: Address | null;
  /** Unix seconds; null is never. */
  deadline: number | null;
  permit: Hex;
}): SwapCall {
  const { method, hops, fees, permit, srcToken, destToken } = options;
  const { srcAmount: limit, destAmount, quotedAmount } = options.terms;
  const [only] = hops[0]?.legs ?? [];
  const isOrder = method === 'swapOnRFQ';
  if (isOrder && only === undefined) throw new WireRefused('InvalidPriceRoute', 'Invalid priceRoute');
  const srcAmount = isOrder && only !== undefined ? fillAmount(only.order, options.terms) : limit;
  const beneficiary = options.beneficiary ?? ZERO_ADDRESS;
  const howTo = {
    deadline: BigInt(options.deadline ?? 0),
    srcTaxBps: BigInt(options.srcTaxBps),
    destTaxBps: BigInt(options.destTaxBps),
  };
  const terms = { srcToken, destToken, srcAmount, destAmount, quotedAmount, beneficiary, ...howTo };
  const args = argsOf();
  const data = encodeFunctionData({ abi: MARKET_ROUTER.abi, functionName: method, args });
  return { method, args, data, srcAmount };

  function argsOf(): readonly unknown[] {
    switch (method) {
      case 'swapOnRFQ':
        return [terms, only?.order, only?.signature, permit];
      case 'swapExactAmountInOnPool':
      case 'swapExactAmountOutOnPool':
        return [terms, fees, only?.pool, permit];
      default: {
        const generic = { srcToken, destToken, fromAmount: srcAmount, toAmount: destAmount, quotedAmount, beneficiary };
        const route = encodeRoute({ ...howTo, fees: feesOnChain(fees), hops: hops.map(hopOnChain) });
        return [options.router, { ...generic, metadata: NO_METADATA }, feeWord(fees), permit, route];
      }
    }
  }
}

const NO_METADATA: Hex = `0x${'0'.repeat(64)}`;

/** Whom the router's word for fees names, with how much and what of the surplus, as the public router packs it. */
function feeWord({ partner, serviceFeeBps, partnerFeeBps, ...flags }: CallFees): bigint {
  const bits = [flags.surplusToUser, flags.direct, flags.capSurplus, false, false, flags.takeSurplus];
  const set = bits.reduce((sum, bit, index) => (bit ? sum | (1n << BigInt(FIRST_FLAG + index)) : sum), 0n);
  return (BigInt(partner) << PARTNER_SHIFT) | set | BigInt(serviceFeeBps + partnerFeeBps);
}

const PARTNER_SHIFT = 96n;
const FIRST_FLAG = 90;

function feesOnChain({ serviceFeeBps, partnerFeeBps, ...fees }: CallFees): ExecutorRoute['fees'] {
  return { ...fees, serviceFeeBps: BigInt(serviceFeeBps), partnerFeeBps: BigInt(partnerFeeBps) };
}

function hopOnChain({ tokenIn, tokenOut, legs }: FirmHop): ExecutorRoute['hops'][number] {
  return {
    tokenIn,
    tokenOut,
    legs: legs.map(({ taxInBps, taxOutBps, order, ...leg }) => ({
      ...leg,
      taxInBps: BigInt(taxInBps),
      taxOutBps: BigInt(taxOutBps),
      order: { ...order, expiry: BigInt(order.expiry) },
    })),
  };
}

/** An exact input is filled as it is; for an exact output as much as it costs by the firm price, rounded up. */
function fillAmount(
  { makerAmount, takerAmount }: FirmHop['legs'][number]['order'],
  { srcAmount, destAmount, side }: SwapTerms,
): bigint {
  if (side === 'SELL') return srcAmount;
  return (destAmount * takerAmount + makerAmount - 1n) / makerAmount;
}
