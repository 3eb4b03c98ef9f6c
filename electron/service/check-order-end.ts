import { ZERO_ADDRESS } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { IntentRoute } from '../protocol/intent-wire.ts';
import { isNative } from '../protocol/route-token.ts';
import { isSame } from './market-checks.ts';

/** Where an order says that it ends: what its type signs, as it stands in the value. */
export interface SignedEnd {
  destToken: unknown;
  bridge: unknown;
}

/** What the desk itself knows of the end: the token that it wants, and the decimals of the tokens of the source chain that it lists, by address in lower case. */
export interface AgreedEnd {
  dest: { chainId: number; address: string; decimals: number };
  listed: ReadonlyMap<string, number>;
}

/** Bytes of no length, of four, and numbers that are 0: how an order says that it crosses nothing. */
const NO_CROSSING = {
  protocolSelector: '0x00000000',
  outputToken: ZERO_ADDRESS,
  scalingFactor: '0',
  protocolData: '0x',
} as const;

/**
 * The order ends where the desk wants it to (PROTOCOL 12.4): on its own chain with that token and over no bridge at all, or on the other
 * chain with that token. There it goes over the route's bridge, out of a token that the desk lists, and is scaled by what the decimals of
 * the two differ. What `protocolData` tells the bridge is the bridge's own affair: it is the route's, and nothing here can read it. Throws
 * DeskError `built_otherwise`.
 */
export function checkEnd({ destToken, bridge }: SignedEnd, route: IntentRoute, { dest, listed }: AgreedEnd): void {
  const { chainId } = route.origin.input.token;
  const crossing = typeof bridge === 'object' && bridge !== null ? (bridge as Record<string, unknown>) : null;
  if (dest.chainId === chainId) {
    expect('destToken', destToken, [dest.address]);
    if (crossing === null) return;
    expect('bridge', crossing.destinationChainId, ['0', String(chainId)]);
    for (const [field, nothing] of Object.entries(NO_CROSSING)) expect(`bridge.${field}`, crossing[field], [nothing]);
    return;
  }
  const enters = route.origin.output?.token;
  const params = route.bridge?.contractParams;
  if (crossing === null) throw otherwise('bridge', 'missing');
  if (enters === undefined || params === undefined) throw otherwise('what crosses, and how', 'not in it');
  expect('destToken', destToken, [enters.address]);
  const decimals = isNative(enters.address) ? 18 : listed.get(enters.address.toLowerCase());
  if (enters.chainId !== chainId || decimals === undefined) {
    throw new DeskError(
      'built_otherwise',
      `The order would cross as ${enters.address} of chain ${enters.chainId}, which is not listed.`,
      { remedy: 'It was not signed. List that token if you know it, or choose another bridge.' },
    );
  }
  expect('bridge.destinationChainId', crossing.destinationChainId, [String(dest.chainId)]);
  expect('bridge.outputToken', crossing.outputToken, [dest.address]);
  expect('bridge.scalingFactor', crossing.scalingFactor, [String(dest.decimals - decimals)]);
  for (const field of ['protocolSelector', 'scalingFactor', 'protocolData'] as const) {
    expect(`bridge.${field}`, crossing[field], [String(params[field])]);
  }
}

function expect(field: string, built: unknown, wanted: string[]): void {
  const said = String(built);
  if (!wanted.some((one) => isSame(said, one))) throw otherwise(field, said);
}

function otherwise(field: string, built: string): DeskError {
  const said = `The service built an order that ends elsewhere than was asked: ${field} is ${built}.`;
  return new DeskError('built_otherwise', said, { remedy: 'It was not signed.' });
}
