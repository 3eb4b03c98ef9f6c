import type { OrderFields } from '../../protocol/order-hash.ts';
import type { SignedOrder } from '../../protocol/wire.ts';

/** The order as it is hashed and as the contract takes it. */
export function fieldsOf(order: SignedOrder): OrderFields {
  const { makerAsset, takerAsset, maker, taker, expiry } = order;
  const amounts = { makerAmount: BigInt(order.makerAmount), takerAmount: BigInt(order.takerAmount) };
  return { nonceAndMeta: BigInt(order.nonceAndMeta), expiry, makerAsset, takerAsset, maker, taker, ...amounts };
}
