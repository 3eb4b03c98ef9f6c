import { randomBytes } from 'node:crypto';
import { ZERO_ADDRESS } from '../../protocol/address.ts';
import {
  type BuildAsk,
  type IntentBuildAnswer,
  intentBuildBodySchema,
  onChainOrderTypeSchema,
} from '../../protocol/intent-build.ts';
import type { IntentRoute } from '../../protocol/intent-wire.ts';
import type { SwapSide } from '../../protocol/market-wire.ts';
import { typedDataHash } from '../../protocol/typed-data.ts';
import { lessBps, moreBps } from '../basis-points.ts';
import { checkIntentSeal } from '../router/integrity.ts';
import { parseInput } from '../service/route.ts';
import { WireRefused } from '../wire-refused.ts';
import { bridgeInput } from './bridge-lanes.ts';
import { type IntentDesk, intentChain, type ServedChain } from './intent-desk.ts';
import { intentTypedData, kindNamed, readValue } from './kinds/kinds.ts';
import { checkPermit } from './order-permit.ts';
import { partnerAndFee } from './partner-fee.ts';

/**
 * `POST /v2/intent/orders/build` (PROTOCOL 14.4): typed data of one of the kinds, out of a route that this service gave.
 * Nothing is kept: an order is there once it is submitted.
 * @throws WireRefused with the texts of PROTOCOL 17, WireRefused `Partner not allowed`
 */
export function buildOrder(desk: IntentDesk, body: unknown): IntentBuildAnswer {
  const ask = readBuild(body);
  checkIntentSeal(desk.market.key, sideOf(ask), ask.route);
  const chain = intentChain(desk, ask.route.origin.input.token.chainId);
  const { needs, checkBuild } = kindNamed(ask.orderType);
  if (needs?.fields.some((field) => ask[field] === undefined)) throw new WireRefused(needs.fault);
  checkBuild?.(ask);
  const value = orderValue(ask, partnerAndFee(desk, ask));
  checkPermitOf(desk, chain, ask, value);
  const toSign = intentTypedData(
    { chainId: chain.chain.chainId, intents: chain.addresses.intents },
    ask.orderType,
    value,
  );
  return { toSign, orderHash: typedDataHash(toSign) };
}

function checkPermitOf(desk: IntentDesk, chain: ServedChain, ask: BuildAsk, value: Record<string, unknown>): void {
  checkPermit(chain, {
    permit: ask.permit ?? '0x',
    owner: ask.owner,
    token: ask.route.origin.input.token.address,
    amount: BigInt(String(value.srcAmount ?? 0)),
    isSettledLater: ask.limitAmount !== undefined || kindNamed(ask.orderType).isSliced,
    now: Math.floor(desk.market.now() / 1000),
  });
}

/**
 * The body of a build.
 * @throws WireRefused `route validation failed`, `missing deadline`, or the text for the fields of its kind (PROTOCOL 17); else
 * WireRefused naming the field
 */
function readBuild(body: unknown): BuildAsk {
  const { data, error } = intentBuildBodySchema.safeParse(body);
  if (data !== undefined) return data;
  const given = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const faulty = new Set(error.issues.map(({ path: [field] }) => field));
  if (faulty.has('route')) throw new WireRefused('InvalidRoute', 'route validation failed');
  if (given.deadline === undefined) throw new WireRefused('MissingDeadline', 'missing deadline');
  const { data: kind } = onChainOrderTypeSchema.safeParse(given.orderType);
  const needed = kind === undefined ? null : kindNamed(kind).needs;
  if (needed?.fields.some((field) => faulty.has(field))) throw new WireRefused(needed.fault);
  return parseInput(intentBuildBodySchema, body);
}

const NONCE_BYTES = 16;

const NO_BRIDGE = {
  protocolSelector: '0x00000000',
  destinationChainId: '0',
  outputToken: ZERO_ADDRESS,
  scalingFactor: 0,
  protocolData: '0x',
};

/** The `value` that an owner signs for what they asked (PROTOCOL 14.4): its kind says which of the fields count. */
function orderValue(ask: BuildAsk, partnerAndFee: string): Record<string, unknown> {
  const { route, owner, beneficiary = owner } = ask;
  return readValue(kindNamed(ask.orderType), {
    ...ask,
    ...plainAmounts(ask),
    beneficiary,
    srcToken: route.origin.input.token.address,
    destToken: boughtOf(route).token.address,
    expectedAmount: sideOf(ask) === 'SELL' ? boughtOf(route).amount : route.origin.input.amount,
    deadline: `${ask.deadline}`,
    kind: sideOf(ask) === 'SELL' ? 0 : 1,
    nonce: ask.nonce ?? `${BigInt(`0x${randomBytes(NONCE_BYTES).toString('hex')}`)}`,
    partnerAndFee,
    permit: ask.permit ?? '0x',
    metadata: ask.metadata ?? '0x',
    interval: `${ask.interval}`,
    numSlices: `${ask.numSlices}`,
    bridge: bridgeValue(route),
  });
}

/** Which amount an order fixes: some kinds say it by their names. */
function sideOf({ orderType, side = 'SELL' }: BuildAsk): SwapSide {
  return kindNamed(orderType).side ?? side;
}

/** Source and destination amount: the fixed one is the route's, the other one its limit. Counted in the order's own tokens. */
function plainAmounts(ask: BuildAsk): { srcAmount: string; destAmount: string } {
  const { route, slippage = 0, limitAmount } = ask;
  const source = BigInt(route.origin.input.amount);
  if (sideOf(ask) === 'BUY') {
    const most = moreBps(source, slippage);
    return { srcAmount: limitAmount ?? `${most}`, destAmount: boughtOf(route).amount };
  }
  const arriving = BigInt(route.destination.output.amount);
  const least = limitAmount === undefined ? lessBps(arriving, slippage) : BigInt(limitAmount);
  const params = route.bridge?.contractParams;
  return { srcAmount: `${source}`, destAmount: `${params === undefined ? least : bridgeInput(params, least)}` };
}

/** What the order buys on its own chain: for the beneficiary, or for the bridge. */
function boughtOf({ origin, destination }: IntentRoute) {
  return origin.output ?? destination.output;
}

function bridgeValue({ bridge, destination }: IntentRoute): Record<string, unknown> {
  const params = bridge?.contractParams;
  if (params === undefined) return NO_BRIDGE;
  const { protocolSelector, outputToken, scalingFactor, protocolData } = params;
  const destinationChainId = `${destination.output.token.chainId}`;
  return { protocolSelector, destinationChainId, outputToken, scalingFactor, protocolData };
}
