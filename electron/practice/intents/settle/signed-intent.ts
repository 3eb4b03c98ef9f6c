import type { z } from 'zod';
import { type Address, type Hex, ZERO_ADDRESS } from '../../../protocol/address.ts';
import type { OnChainOrderType } from '../../../protocol/intent-build.ts';
import { unpackPartnerAndFee } from '../../../protocol/intent-order.ts';
import type { IntentRow } from '../intent-row.ts';
import { INTENT_FLAGS, INTENT_VALUE_SCHEMAS } from '../order-types.ts';

const TYPES: readonly OnChainOrderType[] = ['Order', 'ExternalOrder', 'ProductiveOrder', 'TWAPOrder', 'TWAPBuyOrder'];

/** An order as the contract takes it: one tuple for all types, fields that a type has not are empty. Raw units. */
export interface SignedIntent {
  orderType: number;
  owner: Address;
  beneficiary: Address;
  srcToken: Address;
  destToken: Address;
  /** Of all slices for the TWAP types. */
  srcAmount: bigint;
  /** Of one slice for TWAPOrder, of all for TWAPBuyOrder. */
  destAmount: bigint;
  expectedAmount: bigint;
  /** Unix seconds. */
  deadline: bigint;
  kind: number;
  nonce: bigint;
  partnerAndFee: bigint;
  permit: Hex;
  metadata: Hex;
  handler: Address;
  data: Hex;
  strategy: Address;
  /** Seconds. */
  interval: bigint;
  numSlices: bigint;
  bridge: {
    protocolSelector: Hex;
    destinationChainId: bigint;
    outputToken: Address;
    scalingFactor: number;
    protocolData: Hex;
  };
}

/** The signed value of an order for the contract. @throws ZodError when it is none of its type */
export function signedIntent(type: OnChainOrderType, value: unknown): SignedIntent {
  const order: Parsed = INTENT_VALUE_SCHEMAS[type].parse(value);
  const amounts =
    'totalSrcAmount' in order
      ? { srcAmount: order.totalSrcAmount, destAmount: order.destAmount, kind: 0 }
      : 'totalDestAmount' in order
        ? { srcAmount: order.maxSrcAmount, destAmount: order.totalDestAmount, kind: 1 }
        : order;
  const { bridge } = order;
  const own: { owner: Address; handler?: Address; data?: Hex; strategy?: Address } = order;
  return {
    orderType: TYPES.indexOf(type),
    owner: order.owner,
    beneficiary: order.beneficiary,
    srcToken: order.srcToken,
    destToken: order.destToken,
    srcAmount: BigInt(amounts.srcAmount),
    destAmount: BigInt(amounts.destAmount),
    expectedAmount: BigInt(order.expectedAmount),
    deadline: BigInt(order.deadline),
    kind: amounts.kind,
    nonce: BigInt(order.nonce),
    partnerAndFee: BigInt(order.partnerAndFee),
    permit: order.permit,
    metadata: order.metadata,
    handler: own.handler ?? ZERO_ADDRESS,
    data: own.data ?? '0x',
    strategy: own.strategy ?? ZERO_ADDRESS,
    interval: 'interval' in order ? BigInt(order.interval) : 0n,
    numSlices: 'numSlices' in order ? BigInt(order.numSlices) : 0n,
    bridge: {
      ...bridge,
      protocolSelector: bridge.protocolSelector as Hex,
      destinationChainId: BigInt(bridge.destinationChainId),
    },
  };
}

type Parsed = { [Type in OnChainOrderType]: z.infer<(typeof INTENT_VALUE_SCHEMAS)[Type]> }[OnChainOrderType];

/** The order of a row. */
export function intentOf({ onChainOrderType, order }: Pick<IntentRow, 'onChainOrderType' | 'order'>): SignedIntent {
  return signedIntent(onChainOrderType, order);
}

export function isSliced({ numSlices }: SignedIntent): boolean {
  return numSlices > 0n;
}

/** True when `destAmount` is exact, false when `srcAmount` is. */
export function isBuy({ kind }: SignedIntent): boolean {
  return kind === 1;
}

export function isProductive({ strategy }: SignedIntent): boolean {
  return strategy !== ZERO_ADDRESS;
}

export function hasFlag({ partnerAndFee }: SignedIntent, flag: keyof typeof INTENT_FLAGS): boolean {
  return (unpackPartnerAndFee(partnerAndFee).flags & INTENT_FLAGS[flag]) !== 0;
}
