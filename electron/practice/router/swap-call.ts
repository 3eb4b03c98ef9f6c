import { encodeFunctionData } from 'viem';
import { type Address, type Hex, ZERO_ADDRESS } from '../../protocol/address.ts';
import { MARKET_ROUTER } from '../chain/artifacts.ts';
import { WireRefused } from '../wire-refused.ts';
import type { ContractMethod } from './contract-methods.ts';
import type { FirmHop } from './firm-legs.ts';
import type { SwapTerms } from './swap-terms.ts';

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
  const { method, hops, fees, permit, srcToken, destToken, srcTaxBps, destTaxBps } = options;
  const { srcAmount: limit, destAmount, quotedAmount } = options.terms;
  const [only] = hops[0]?.legs ?? [];
  const isOrder = method === 'swapOnRFQ';
  if (isOrder && only === undefined) throw new WireRefused('InvalidPriceRoute', 'Invalid priceRoute');
  const srcAmount = isOrder && only !== undefined ? fillAmount(only.order, options.terms) : limit;
  const terms = {
    srcToken,
    destToken,
    srcAmount,
    destAmount,
    quotedAmount,
    srcTaxBps,
    destTaxBps,
    beneficiary: options.beneficiary ?? ZERO_ADDRESS,
    deadline: options.deadline ?? 0,
  };
  const args = argsOf(method, { terms, fees, hops, only, permit });
  const data = encodeFunctionData({ abi: MARKET_ROUTER.abi, functionName: method, args });
  return { method, args, data, srcAmount };
}

function argsOf(
  method: ContractMethod,
  {
    terms,
    fees,
    hops,
    only,
    permit,
  }: Record<'terms' | 'fees' | 'permit', unknown> & {
    hops: readonly FirmHop[];
    only: FirmHop['legs'][number] | undefined;
  },
): readonly unknown[] {
  switch (method) {
    case 'swapOnRFQ':
      return [terms, only?.order, only?.signature, permit];
    case 'swapExactAmountInOnPool':
    case 'swapExactAmountOutOnPool':
      return [terms, fees, only?.pool, permit];
    default:
      return [terms, fees, hops, permit];
  }
}

/** An exact input is filled as it is; for an exact output as much as it costs by the firm price, rounded up. */
function fillAmount(
  { makerAmount, takerAmount }: FirmHop['legs'][number]['order'],
  { srcAmount, destAmount, side }: SwapTerms,
): bigint {
  if (side === 'SELL') return srcAmount;
  return (destAmount * takerAmount + makerAmount - 1n) / makerAmount;
}
