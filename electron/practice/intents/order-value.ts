import { randomBytes } from 'node:crypto';
import { type Address, ZERO_ADDRESS } from '../../protocol/address.ts';
import type { IntentRoute } from '../../protocol/intent-wire.ts';
import { bridgeInput } from './bridge-lanes.ts';
import { type BuildAsk, sideOf } from './order-rules.ts';

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
export function orderValue(ask: BuildAsk, partnerAndFee: string): Record<string, unknown> {
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
