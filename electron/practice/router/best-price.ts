import type { Address } from '../../protocol/address.ts';
import { fitsDirectMethod, isBetter, type PriceAsk, type PricedPath, pricePath } from './price-path.ts';
import type { Source } from './sources.ts';

/** So many of the best ways, each through one source a hop, are looked at again with hops divided over sources. */
const SPLIT_AT_MOST = 8;

export interface BestPrice extends PricedPath {
  method: ContractMethod;
}

/**
 * The way that leaves the user best off and that a wanted contract method can settle; null when there is none. With
 * `path` only that one is looked at.
 */
export function bestPrice(
  ask: PriceAsk,
  sources: readonly Source[],
  filter: MethodFilter,
  path: readonly Address[] | null,
): BestPrice | null {
  const paths = path === null ? findPaths(sources, ask.from, ask.to) : [path];
  const whole = paths.flatMap((one) => {
    const priced = pricePath(ask, one, sources, 'whole');
    return priced === null ? [] : [{ path: one, priced }];
  });
  whole.sort((a, b) => (isBetter(ask.side, a.priced, b.priced) ? -1 : 1));
  // What is too deep for one source may still go through several.
  const rest = whole.length === 0 ? paths : whole.map((one) => one.path);
  const split = rest.slice(0, SPLIT_AT_MOST).flatMap((one) => pricePath(ask, one, sources, 'split') ?? []);
  const direct = sources
    .filter(({ tokenIn, tokenOut }) => tokenIn === ask.from && tokenOut === ask.to && paths.some(isDirect))
    .flatMap((source) => pricePath(ask, [ask.from, ask.to], [source], 'whole') ?? []);
  let best: BestPrice | null = null;
  for (const priced of [...split, ...whole.map((one) => one.priced), ...direct]) {
    const method = methodFor(ask, priced, filter);
    if (method !== null && (best === null || isBetter(ask.side, priced, best))) best = { ...priced, method };
  }
  return best;
}

function isDirect(path: readonly Address[]): boolean {
  return path.length === 2;
}

/** A route names at most four tokens (PROTOCOL 18), which is three hops. */
const MOST_TOKENS = 4;

/** Every way from one token to another over what can be traded, no token passed twice; tokens, both ends included. */
export function findPaths(
  edges: readonly { tokenIn: Address; tokenOut: Address }[],
  from: Address,
  to: Address,
): Address[][] {
  const next = new Map<Address, Set<Address>>();
  for (const { tokenIn, tokenOut } of edges) {
    next.set(tokenIn, (next.get(tokenIn) ?? new Set()).add(tokenOut));
  }
  const paths: Address[][] = [];
  const search = (path: Address[], at: Address): void => {
    for (const token of next.get(at) ?? []) {
      if (path.includes(token)) continue;
      const longer = [...path, token];
      if (token === to) paths.push(longer);
      else if (longer.length < MOST_TOKENS) search(longer, token);
    }
  };
  search([from], from);
  return paths;
}

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
