import { randomBytes } from 'node:crypto';
import { type Address, ZERO_ADDRESS } from '../../protocol/address.ts';
import { type IntentBuildAnswer, intentBuildBodySchema, onChainOrderTypeSchema } from '../../protocol/intent-build.ts';
import type { IntentRoute } from '../../protocol/intent-wire.ts';
import { typedDataHash } from '../../protocol/typed-data.ts';
import { parseInput } from '../router/parse-input.ts';
import { WireRefused } from '../wire-refused.ts';
import { bridgeInput } from './bridge-lanes.ts';
import { type IntentDesk, intentChain, type ServedChain } from './intent-desk.ts';
import { checkPermit, isSettledLater } from './order-permit.ts';
import { type BuildAsk, checkKind, KIND_FIELDS, sideOf } from './order-rules.ts';
import { intentTypedData } from './order-types.ts';
import { partnerAndFee } from './partner-fee.ts';
import { checkRouteSeal } from './route-seal.ts';

/**
 * `POST /v2/intent/orders/build` (PROTOCOL 14.4): typed data of one of the five kinds, out of a route that this service gave.
 * Nothing is kept: an order is there once it is submitted.
 * @throws WireRefused with the texts of PROTOCOL 17, WireRefused `Partner not allowed`
 */
export function buildOrder(desk: IntentDesk, body: unknown): IntentBuildAnswer {
  const ask = readBuild(body);
  checkRouteSeal(desk.market.key, sideOf(ask), ask.route);
  const chain = intentChain(desk, ask.route.origin.input.token.chainId);
  checkKind(ask);
  const value = orderValue(ask, partnerAndFee(desk, ask));
  checkPermitRules(desk, chain, ask, value);
  const toSign = intentTypedData(
    { chainId: chain.chain.chainId, intents: chain.addresses.intents },
    ask.orderType,
    value,
  );
  return { toSign, orderHash: typedDataHash(toSign) };
}

/** Rules 6 to 8 of PROTOCOL 15. */
function checkPermitRules(desk: IntentDesk, chain: ServedChain, ask: BuildAsk, value: Record<string, unknown>): void {
  const { permit = '0x', owner, route } = ask;
  const token = route.origin.input.token.address;
  if (permit === '0x') {
    if (!chain.permitOnly.has(token)) return;
    throw new WireRefused('PermitRequired', 'Permit / Permit2 required');
  }
  if (isSettledLater(ask)) {
    throw new WireRefused('InvalidPermit', 'Limit and TWAP orders need an approval, not a permit');
  }
  const amount = BigInt(String(value.srcAmount));
  const now = Math.floor(desk.market.now() / 1000);
  checkPermit(permit, { owner, spender: chain.addresses.intents, token, amount, now });
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
  const needed = kind === undefined ? undefined : KIND_FIELDS[kind];
  if (needed?.fields.some((field) => faulty.has(field))) throw new WireRefused(needed.fault);
  return parseInput(intentBuildBodySchema, body);
}

const WHOLE_BPS = 10_000n;
const NONCE_BYTES = 16;

const NO_BRIDGE = {
  protocolSelector: '0x00000000',
  destinationChainId: '0',
  outputToken: ZERO_ADDRESS,
  scalingFactor: 0,
  protocolData: '0x',
};

/** The `value` that an owner signs for what they asked (PROTOCOL 14.4); its type says which of the fields count. */
function orderValue(ask: BuildAsk, partnerAndFee: string): Record<string, unknown> {
  const { route, owner, beneficiary = owner, orderType, interval, numSlices } = ask;
  const common = {
    owner: lower(owner),
    beneficiary: lower(beneficiary),
    srcToken: route.origin.input.token.address,
    destToken: boughtOf(route).token.address,
    expectedAmount: sideOf(ask) === 'SELL' ? boughtOf(route).amount : route.origin.input.amount,
    deadline: `${ask.deadline}`,
    nonce: ask.nonce ?? `${BigInt(`0x${randomBytes(NONCE_BYTES).toString('hex')}`)}`,
    partnerAndFee,
    permit: ask.permit ?? '0x',
    metadata: ask.metadata ?? '0x',
    bridge: bridgeValue(route),
  };
  const slices = { interval: `${interval}`, numSlices: `${numSlices}` };
  const plain = { ...common, ...plainAmounts(ask), kind: sideOf(ask) === 'SELL' ? 0 : 1 };
  switch (orderType) {
    case 'TWAPOrder':
      return { ...common, ...slices, totalSrcAmount: ask.totalSrcAmount, destAmount: plain.destAmount };
    case 'TWAPBuyOrder':
      return { ...common, ...slices, totalDestAmount: ask.totalDestAmount, maxSrcAmount: ask.maxSrcAmount };
    case 'ExternalOrder':
      return { ...plain, handler: lower(ask.handler ?? ZERO_ADDRESS), data: ask.data };
    case 'ProductiveOrder':
      return { ...plain, strategy: lower(ask.strategy ?? ZERO_ADDRESS) };
    default:
      return plain;
  }
}

/** Source and destination amount: the fixed one is the route's, the other one its limit. Counted in the order's own tokens. */
function plainAmounts(ask: BuildAsk): { srcAmount: string; destAmount: string } {
  const { route, slippage = 0, limitAmount } = ask;
  const source = BigInt(route.origin.input.amount);
  if (sideOf(ask) === 'BUY') {
    const most = (source * (WHOLE_BPS + BigInt(slippage)) + WHOLE_BPS - 1n) / WHOLE_BPS;
    return { srcAmount: limitAmount ?? `${most}`, destAmount: boughtOf(route).amount };
  }
  const arriving = BigInt(route.destination.output.amount);
  const least =
    limitAmount === undefined ? (arriving * (WHOLE_BPS - BigInt(slippage))) / WHOLE_BPS : BigInt(limitAmount);
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

function lower(address: Address): Address {
  return address.toLowerCase() as Address;
}
