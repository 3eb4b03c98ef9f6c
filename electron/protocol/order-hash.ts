import type { Address, Hex } from './address.ts';
import { keccak } from './keccak.ts';
import { addressWord, expiryWord, hashText, typedHash, word } from './typed-words.ts';
import type { SignedOrder } from './wire.ts';

/** The eight signed fields (PROTOCOL 2.2) in the order of the contract's EIP-712 type. Amounts are raw units, expiry Unix seconds. */
export type OrderFields = {
  nonceAndMeta: bigint;
  expiry: number;
  makerAsset: Address;
  takerAsset: Address;
  maker: Address;
  taker: Address;
  makerAmount: bigint;
  takerAmount: bigint;
};

const ORDER_TYPE_HASH = hashText(
  'Order(uint256 nonceAndMeta,uint128 expiry,address makerAsset,address takerAsset,address maker,address taker,uint256 makerAmount,uint256 takerAmount)',
);
const DOMAIN_TYPE_HASH = hashText('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)');
const VERSION_HASH = hashText('1');

/** EIP-712 domain separator of a chain's RFQ contract (PROTOCOL 2.3). Compute it once per chain. */
export function domainSeparator(domain: { domainName: string; chainId: number; rfqContract: Address }): Hex {
  const encoded =
    DOMAIN_TYPE_HASH +
    hashText(domain.domainName) +
    VERSION_HASH +
    word(BigInt(domain.chainId), 'chainId') +
    addressWord(domain.rfqContract, 'rfqContract');
  return `0x${keccak(Buffer.from(encoded, 'hex'))}`;
}

/**
 * EIP-712 hash of an order: what the maker signs, and the order's name everywhere (PROTOCOL 2.2, 2.5).
 * Throws DeskError `order_field` when a field does not fit its type.
 */
export function orderHash(separator: Hex, order: OrderFields): Hex {
  const encoded =
    ORDER_TYPE_HASH +
    word(order.nonceAndMeta, 'nonceAndMeta') +
    expiryWord(order.expiry) +
    addressWord(order.makerAsset, 'makerAsset') +
    addressWord(order.takerAsset, 'takerAsset') +
    addressWord(order.maker, 'maker') +
    addressWord(order.taker, 'taker') +
    word(order.makerAmount, 'makerAmount') +
    word(order.takerAmount, 'takerAmount');
  return typedHash(separator, encoded);
}

/** The order as `POST /firm` answers it (PROTOCOL 4.3.11). `spelling`: addresses as the request wrote them. */
export function toWireOrder(
  order: OrderFields,
  signature: Hex,
  spelling: { makerAsset?: string; takerAsset?: string; taker?: string } = {},
): SignedOrder {
  return {
    nonceAndMeta: order.nonceAndMeta.toString(),
    expiry: order.expiry,
    makerAsset: (spelling.makerAsset ?? order.makerAsset) as Address,
    takerAsset: (spelling.takerAsset ?? order.takerAsset) as Address,
    maker: order.maker,
    taker: (spelling.taker ?? order.taker) as Address,
    makerAmount: order.makerAmount.toString(),
    takerAmount: order.takerAmount.toString(),
    signature,
  };
}

/** The eight fields of an order that came over the wire, as they are hashed (PROTOCOL 2.2). */
export function fromWireOrder(order: Omit<SignedOrder, 'signature'>): OrderFields {
  const { expiry, makerAsset, takerAsset, maker, taker } = order;
  return {
    nonceAndMeta: BigInt(order.nonceAndMeta),
    expiry,
    makerAsset,
    takerAsset,
    maker,
    taker,
    makerAmount: BigInt(order.makerAmount),
    takerAmount: BigInt(order.takerAmount),
  };
}
