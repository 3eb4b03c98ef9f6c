import type { z } from 'zod';
import { type Address, ZERO_ADDRESS } from '../../protocol/address.ts';
import type { intentKindSchema, OnChainOrderType } from '../../protocol/intent-build.ts';
import { unpackPartnerAndFee } from '../../protocol/intent-order.ts';
import { isNative } from '../../protocol/route-token.ts';
import { WireRefused } from '../wire-refused.ts';
import { laneFor } from './bridge-lanes.ts';
import { type IntentDesk, intentChain, type ServedChain } from './intent-desk.ts';
import { isTokenSupported } from './intent-token.ts';
import { destinationOf } from './new-row.ts';
import { checkPermit } from './order-permit.ts';
import { isTwap, KIND_FIELDS } from './order-rules.ts';
import { PRACTICE_BRIDGE } from './settle/bridge-output.ts';
import { isBuy, isSliced, type SignedIntent } from './settle/signed-intent.ts';

const MOST_FEE_BPS = 200;
/** What the bridge keeps: nothing, or one word. */
const FEE_WORD = /^0x([0-9a-fA-F]{64})?$/;

interface Checked {
  intent: SignedIntent;
  kind: OnChainOrderType;
  type: z.infer<typeof intentKindSchema>;
}

/** What an order must be that is taken, whoever built it. @throws WireRefused with the texts of PROTOCOL 17 */
export function checkOrder(desk: IntentDesk, chain: ServedChain, checked: Checked): void {
  const { intent } = checked;
  const now = Math.floor(desk.market.now() / 1000);
  if (intent.deadline < BigInt(now)) throw new WireRefused('OrderExpired', 'Order expired');
  if (isSliced(intent)) checkSlices(checked, now);
  checkTokens(desk, chain, intent);
  if (unpackPartnerAndFee(intent.partnerAndFee).feeBps > MOST_FEE_BPS) {
    throw new WireRefused('InvalidInput', `order.partnerAndFee is over ${MOST_FEE_BPS} bps`);
  }
  if (intent.permit === '0x') {
    if (!chain.permitOnly.has(intent.srcToken)) return;
    throw new WireRefused('PermitRequired', 'Permit / Permit2 required');
  }
  if (checked.type === 'LIMIT' || isSliced(intent)) {
    throw new WireRefused('InvalidPermit', 'Limit and TWAP orders need an approval, not a permit');
  }
  const { owner, srcToken: token, srcAmount: amount } = intent;
  checkPermit(intent.permit, { owner, spender: chain.addresses.intents, token, amount, now });
}

function checkSlices({ intent, kind }: Checked, now: number): void {
  const { interval, numSlices, deadline, srcAmount, destAmount } = intent;
  const fault = KIND_FIELDS[kind]?.fault;
  if (fault && !isTwap({ interval: Number(interval), numSlices: Number(numSlices) })) throw new WireRefused(fault);
  if (deadline <= BigInt(now) + numSlices * interval) {
    throw new WireRefused('InvalidDeadline', 'deadline must allow enough time for all slices to execute');
  }
  const totals =
    kind === 'TWAPOrder'
      ? [['totalSrcAmount', srcAmount] as const]
      : [['totalDestAmount', destAmount] as const, ['maxSrcAmount', srcAmount] as const];
  const short = totals.find(([, total]) => total < numSlices);
  if (short) throw new WireRefused('AmountTooSmall', `${short[0]} must be >= numSlices`);
}

/** Tokens that are traded here, and a bridge that leads where there is a lane. */
function checkTokens(desk: IntentDesk, chain: ServedChain, intent: SignedIntent): void {
  const { srcToken, destToken, srcAmount, destAmount, bridge, handler } = intent;
  const isSupported = isTokenSupported(chain, srcToken) && isTokenSupported(chain, destToken) && !isNative(srcToken);
  if (!isSupported) throw new WireRefused('TokenNotSupported', 'Token not supported');
  if ((isBuy(intent) ? destAmount : srcAmount) === 0n) {
    throw new WireRefused('InvalidInput', `order.${isBuy(intent) ? 'dest' : 'src'}Amount must be above zero`);
  }
  const destChainId = destinationOf(intent);
  if (handler !== ZERO_ADDRESS && (destChainId !== null || isNative(destToken))) {
    throw new WireRefused('InvalidInput', 'A handler is given a token of the source chain');
  }
  if (destChainId === null) return;
  const lane = laneFor(chain, intentChain(desk, destChainId), bridge.outputToken.toLowerCase() as Address);
  const isLane =
    lane?.from.address === destToken &&
    bridge.scalingFactor === lane.to.decimals - lane.from.decimals &&
    bridge.protocolSelector === PRACTICE_BRIDGE &&
    FEE_WORD.test(bridge.protocolData);
  if (!isLane) throw new WireRefused('InvalidInput', 'order.bridge leads over no lane');
}
