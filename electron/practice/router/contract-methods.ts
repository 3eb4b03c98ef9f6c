import { fitsDirectMethod, type PriceAsk, type PricedPath } from './price-path.ts';

/** The router's functions that settle a swap (PROTOCOL 12.2, `contractMethod`). */
export type ContractMethod =
  | 'swapExactAmountIn'
  | 'swapExactAmountOut'
  | 'swapExactAmountInOnPool'
  | 'swapExactAmountOutOnPool'
  | 'swapOnRFQ';

/** Which functions a request wants (PROTOCOL 14.1); names are compared without regard to case. */
export interface MethodFilter {
  includeContractMethods?: readonly string[];
  excludeContractMethods?: readonly string[];
  excludeContractMethodsWithoutFeeModel: boolean;
}

/** Whether a function takes partner fees and surplus. */
export function hasFeeModel(method: string): boolean {
  return method !== 'swapOnRFQ';
}

/** The leanest function that settles the path and is wanted; null when there is none. */
export function methodFor(ask: PriceAsk, { hops }: PricedPath, filter: MethodFilter): ContractMethod | null {
  const methods: ContractMethod[] = [];
  const [only] = hops[0] ?? [];
  if (only !== undefined && hops.length === 1 && hops[0]?.length === 1 && fitsDirectMethod(ask)) {
    methods.push(directMethod(ask, only.source.data.kind));
  }
  methods.push(ask.side === 'SELL' ? 'swapExactAmountIn' : 'swapExactAmountOut');
  return methods.find((method) => isWanted(method, ask, filter)) ?? null;
}

function directMethod({ side }: PriceAsk, kind: 'rfq' | 'pool'): ContractMethod {
  if (kind === 'rfq') return 'swapOnRFQ';
  return side === 'SELL' ? 'swapExactAmountInOnPool' : 'swapExactAmountOutOnPool';
}

function isWanted(method: ContractMethod, { feeBps }: PriceAsk, filter: MethodFilter): boolean {
  const { includeContractMethods, excludeContractMethods = [] } = filter;
  const isNamed = (name: string) => name.toLowerCase() === method.toLowerCase();
  if (!hasFeeModel(method) && (feeBps > 0 || filter.excludeContractMethodsWithoutFeeModel)) return false;
  return (
    (includeContractMethods === undefined || includeContractMethods.some(isNamed)) &&
    !excludeContractMethods.some(isNamed)
  );
}
