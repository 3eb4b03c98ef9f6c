import type { Address, Hex } from './address.ts';
import { keccak } from './keccak.ts';
import type { Signable, TypedData } from './signable.ts';
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

/** The same in the words of the ABI. */
export const ORDER_FIELDS = [
  { name: 'nonceAndMeta', type: 'uint256' },
  { name: 'expiry', type: 'uint128' },
  { name: 'makerAsset', type: 'address' },
  { name: 'takerAsset', type: 'address' },
  { name: 'maker', type: 'address' },
  { name: 'taker', type: 'address' },
  { name: 'makerAmount', type: 'uint256' },
  { name: 'takerAmount', type: 'uint256' },
] as const;
const ORDER_TYPE_HASH = hashText(`Order(${ORDER_FIELDS.map(({ name, type }) => `${type} ${name}`).join(',')})`);
const DOMAIN_TYPE_HASH = hashText('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)');
const VERSION_HASH = hashText('1');

/** What names a chain's RFQ contract in EIP-712 (PROTOCOL 2.3). */
export interface OrderDomain {
  readonly domainName: string;
  readonly chainId: number;
  readonly rfqContract: Address;
}

/** EIP-712 domain separator of a chain's RFQ contract (PROTOCOL 2.3). Compute it once per chain. */
export function domainSeparator(domain: OrderDomain): Hex {
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

/** An order to be signed in its domain; `hash` is its `orderHash` there. */
export function orderToSign(domain: OrderDomain, order: OrderFields, hash: Hex): Signable {
  return { hash, whole: () => ({ typedData: orderTypedData(domain, { Order: ORDER_FIELDS }, order) }) };
}

/** Typed data of one struct in the domain of the RFQ contract. */
export function orderTypedData(
  { domainName, chainId, rfqContract }: OrderDomain,
  types: TypedData['types'],
  message: TypedData['message'],
): TypedData {
  const [primaryType = ''] = Object.keys(types);
  const domain = { name: domainName, version: '1', chainId, verifyingContract: rfqContract };
  return { domain, types, primaryType, message };
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
