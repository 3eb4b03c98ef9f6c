import type { Address } from '../../protocol/address.ts';

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
