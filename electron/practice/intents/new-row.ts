import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { Hex } from '../../protocol/address.ts';
import type { intentSubmitBodySchema, OnChainOrderType } from '../../protocol/intent-build.ts';
import { arrivingOf } from './bridge-lanes.ts';
import type { IntentStore } from './intent-store.ts';
import { isBuy, isSliced, type SignedIntent } from './settle/signed-intent.ts';

/** The end of what ISO 8601 writes with four digits: some deadlines are never. */
const LATEST_MS = Date.UTC(9999, 11, 31);
const MAX_UINT256 = 2n ** 256n - 1n;

type Submitted = z.output<typeof intentSubmitBodySchema>;

/** A submitted order as it is kept from now on (PROTOCOL 12.5). `order` is what was signed, by its schema. */
export function newRow(
  { chainId, signature, partner = 'anon', type }: Submitted,
  signed: { kind: OnChainOrderType; order: Record<string, unknown>; intent: SignedIntent; orderHash: Hex },
  status: 'PENDING' | 'AWAITING_SIGNATURE',
): Parameters<IntentStore['insert']>[0] {
  const { kind, order, intent, orderHash } = signed;
  const destChainId = destinationOf(intent);
  return {
    id: randomUUID(),
    status,
    side: isBuy(intent) ? 'BUY' : 'SELL',
    type,
    onChainOrderType: kind,
    ...endsOf(intent, chainId),
    owner: intent.owner,
    beneficiary: intent.beneficiary,
    orderHash,
    partner,
    order,
    transactions: [],
    refunds: [],
    expiresAt: new Date(Math.min(Number(intent.deadline) * 1000, LATEST_MS)).toISOString(),
    chainId,
    destChainId,
    signature,
    cancelAskedAt: null,
    auctionStartedAt: null,
    nextSliceAt: null,
    bridgeState: null,
  };
}

/** The chain that the bridge leads to; null without one. */
export function destinationOf({ bridge }: SignedIntent): number | null {
  return bridge.destinationChainId === 0n ? null : Number(bridge.destinationChainId);
}

/** Both ends, of all slices together; the output in what arrives at the other chain. */
function endsOf(intent: SignedIntent, chainId: number) {
  const { srcAmount, destAmount, expectedAmount, bridge } = intent;
  const destChainId = destinationOf(intent);
  const slices = isSliced(intent) ? intent.numSlices : 1n;
  const arriving = (amount: bigint) => (destChainId === null ? amount : arrivingOf(bridge, amount));
  const token = destChainId === null ? intent.destToken : bridge.outputToken;
  const [expectedIn, expectedOut] = isBuy(intent)
    ? [expectedAmount * slices, arriving(destAmount)]
    : [srcAmount, arriving(expectedAmount) * slices];
  const least = isBuy(intent) ? expectedOut : arriving(destAmount) * slices;
  // Nobody fills what goes beyond, and yet it may be signed.
  const raw = (amount: bigint) => `${amount > MAX_UINT256 ? MAX_UINT256 : amount}`;
  return {
    input: {
      chainId,
      token: intent.srcToken,
      amount: raw(srcAmount),
      expectedAmount: raw(expectedIn),
      executedAmount: '0',
    },
    output: {
      chainId: destChainId ?? chainId,
      token: token.toLowerCase() as typeof token,
      amount: raw(least),
      expectedAmount: raw(expectedOut),
      executedAmount: '0',
    },
  };
}
