import { DeskError } from '../protocol/desk-error.ts';
import type { IntentRoute } from '../protocol/intent-wire.ts';
import { isSame } from './market-checks.ts';

/** Where an order says that it ends: what its type signs, as it stands in the value. */
export interface SignedEnd {
  destToken: unknown;
  bridge: unknown;
}

/**
 * The order ends where the route does (PROTOCOL 12.4): on its own chain with the route's token, or over the route's bridge on the
 * other chain, where the order's own token is the one that goes into the bridge. Throws DeskError `built_otherwise`.
 */
export function checkEnd({ destToken, bridge }: SignedEnd, route: IntentRoute): void {
  const { origin, destination } = route;
  const { chainId } = origin.input.token;
  const end = destination.output.token;
  const crossing = bridgeOf(bridge);
  if (end.chainId === chainId) {
    expect('destToken', destToken, [end.address]);
    if (crossing !== null) expect('bridge', crossing.destinationChainId, ['0', String(chainId)]);
    return;
  }
  if (crossing === null) throw otherwise('bridge', 'missing');
  if (origin.output !== undefined) expect('destToken', destToken, [origin.output.token.address]);
  expect('bridge.destinationChainId', crossing.destinationChainId, [String(end.chainId)]);
  const params = route.bridge?.contractParams;
  const tokens = [end.address, ...(destination.input ? [destination.input.token.address] : [])];
  expect('bridge.outputToken', crossing.outputToken, params === undefined ? tokens : [params.outputToken]);
  expect('bridge.outputToken', crossing.outputToken, tokens);
  if (params === undefined) return;
  for (const field of ['protocolSelector', 'scalingFactor', 'protocolData'] as const) {
    expect(`bridge.${field}`, crossing[field], [String(params[field])]);
  }
}

function bridgeOf(bridge: unknown): Record<string, unknown> | null {
  return typeof bridge === 'object' && bridge !== null ? (bridge as Record<string, unknown>) : null;
}

function expect(field: string, built: unknown, wanted: string[]): void {
  const said = String(built);
  if (!wanted.some((one) => isSame(said, one))) throw otherwise(field, said);
}

function otherwise(field: string, built: string): DeskError {
  const said = `The service built an order that ends elsewhere than its route: ${field} is ${built}.`;
  return new DeskError('built_otherwise', said, { remedy: 'It was not signed.' });
}
