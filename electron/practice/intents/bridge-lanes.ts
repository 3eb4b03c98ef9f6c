import { encodeAbiParameters, keccak256, toBytes } from 'viem';
import type { Address, Hex } from '../../protocol/address.ts';
import { shareOf } from '../basis-points.ts';
import type { ListedToken } from '../router/router-chain.ts';
import type { DeskChain, IntentDesk, ServedChain } from './intent-desk.ts';

/** A way over the practice bridge, as it stands in a route. */
export interface BridgeWay {
  protocol: string;
  estimatedTimeMs: number;
  tags: string[];
  /** What it costs the solver, of what crosses. */
  costBps: number;
  /** What the bridge itself keeps of it. */
  keptBps: number;
}

/** The first choice comes first. */
export const BRIDGE_WAYS: readonly BridgeWay[] = [
  { protocol: 'PracticeBridge', estimatedTimeMs: 20_000, tags: ['recommended', 'cheapest'], costBps: 3, keptBps: 0 },
  { protocol: 'PracticeBridgeTaxed', estimatedTimeMs: 20_000, tags: [], costBps: 0, keptBps: 8 },
];

/** How the order's `bridge` says where it goes (PROTOCOL 12.4, `contractParams`). */
export interface ContractParams {
  protocolSelector: Hex;
  outputToken: Address;
  scalingFactor: number;
  protocolData: Hex;
}

/** A token that crosses: what it is where it leaves, and where it arrives. */
export interface LaneToken {
  from: ListedToken;
  to: ListedToken;
}

/** Tokens that both chains have under the same symbol; none unless both have the intent product. */
export function laneTokens(from: DeskChain, to: DeskChain): LaneToken[] {
  if (from.addresses === null || to.addresses === null) return [];
  return from.market.tokens.flatMap((token) => {
    const other = to.market.tokens.find(({ symbol }) => symbol === token.symbol);
    return other === undefined ? [] : [{ from: token, to: other }];
  });
}

/** `GET /v2/intent/prices/bridge-routes` (PROTOCOL 14.4): each token by its address where it arrives. */
export function bridgeRoutes({ chains }: IntentDesk) {
  const pairs = chains.flatMap((from) => chains.filter((to) => to !== from).map((to) => [from, to] as const));
  const routes = pairs.map(([from, to]) => ({
    srcChainId: from.market.chain.chainId,
    destChainId: to.market.chain.chainId,
    tokens: laneTokens(from, to).map((token) => ({ ...token.to, srcAddress: token.from.address })),
  }));
  return { routes: routes.filter(({ tokens }) => tokens.length > 0) };
}

/** The token that crosses for somebody to get this one; null where there is no lane for it. */
export function laneFor(from: ServedChain, to: ServedChain, destToken: Address): LaneToken | null {
  return laneTokens(from, to).find((lane) => lane.to.address === destToken) ?? null;
}

/** The ways over the bridge that a query wants, by name without regard to case. */
export function waysWanted(wanted: { includeBridges?: string[]; excludeBridges?: string[] }): BridgeWay[] {
  const isNamed = (list: string[], { protocol }: BridgeWay) =>
    list.some((name) => name.toLowerCase() === protocol.toLowerCase());
  const { includeBridges, excludeBridges = [] } = wanted;
  return BRIDGE_WAYS.filter(
    (way) => (includeBridges === undefined || isNamed(includeBridges, way)) && !isNamed(excludeBridges, way),
  );
}

/** What it costs the solver to bring an order over the bridge, by what the order says of it. */
export function bridgeCostBps(protocolData: string): number {
  return BRIDGE_WAYS.find(({ keptBps }) => (keptBps === 0) === (keptOf(protocolData) === 0n))?.costBps ?? 0;
}

/** For an order that puts `amount` raw units into the bridge. */
export function contractParams({ keptBps }: BridgeWay, { from, to }: LaneToken, amount: bigint): ContractParams {
  const kept = shareOf(amount, keptBps);
  return {
    protocolSelector: PRACTICE_BRIDGE,
    outputToken: to.address,
    scalingFactor: to.decimals - from.decimals,
    protocolData: kept === 0n ? '0x' : encodeAbiParameters([{ type: 'uint256' }], [kept]),
  };
}

/** As much of `contractParams` as amounts depend on. */
interface Scaled {
  scalingFactor: number;
  protocolData: string;
}

/** What arrives of `amount`; 0 when the bridge's fee is not covered. */
export function arrivingOf({ scalingFactor, protocolData }: Scaled, amount: bigint): bigint {
  return bridgeOutput(amount, { fee: keptOf(protocolData), scalingFactor }) ?? 0n;
}

/** The least that must go in so that `output` arrives. */
export function bridgeInput({ scalingFactor, protocolData }: Scaled, output: bigint): bigint {
  const scale = 10n ** BigInt(Math.abs(scalingFactor));
  const scaled = scalingFactor < 0 ? output * scale : (output + scale - 1n) / scale;
  return scaled + keptOf(protocolData);
}

function keptOf(protocolData: string): bigint {
  return protocolData === '0x' ? 0n : BigInt(protocolData);
}

/** The `protocolSelector` of the practice bridge, which the escrow asks for. */
export const PRACTICE_BRIDGE: Hex = keccak256(toBytes('PracticeBridge')).slice(0, 10) as Hex;

/**
 * What arrives at the other end when `amount` enters the bridge: its fee, in the same raw units, stays, and the rest is
 * counted in the other token's decimals (`scalingFactor` more of them), rounded down. Null when the fee takes it all.
 */
export function bridgeOutput(
  amount: bigint,
  { fee, scalingFactor }: { fee: bigint; scalingFactor: number },
): bigint | null {
  if (amount <= fee) return null;
  const scale = 10n ** BigInt(Math.abs(scalingFactor));
  return scalingFactor < 0 ? (amount - fee) / scale : (amount - fee) * scale;
}
