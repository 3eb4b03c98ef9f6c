import type { ChainBook } from '../book/chain-book.ts';
import type { Ask } from '../guard/ask.ts';
import type { Hex } from '../protocol/address.ts';
import { packNonceAndMeta } from '../protocol/nonce-and-meta.ts';
import { domainSeparator, type OrderFields, orderHash } from '../protocol/order-hash.ts';

/** What makes an order differ from every other one, bytes. */
export const SALT_BYTES = 12;

export interface UnsignedOrder {
  readonly order: OrderFields;
  readonly orderHash: Hex;
}

const separators = new WeakMap<ChainBook, Hex>();

/** Builds an order that no other one equals. `now` is Unix milliseconds; the order ends `quoteLifetimeSeconds` later (PROTOCOL 4.3.11 and 2.3.2). */
export function buildOrder(
  chain: ChainBook,
  { user, taker, makerAsset, takerAsset, makerAmount, takerAmount }: Ask,
  now: number,
  randomBytes: (size: number) => Buffer,
): UnsignedOrder {
  const order: OrderFields = {
    nonceAndMeta: packNonceAndMeta(user, BigInt(`0x${randomBytes(SALT_BYTES).toString('hex')}`)),
    expiry: Math.floor(now / 1_000) + chain.config.quoteLifetimeSeconds,
    makerAsset,
    takerAsset,
    maker: chain.config.maker,
    taker,
    makerAmount,
    takerAmount,
  };
  return { order, orderHash: orderHash(separatorOf(chain), order) };
}

function separatorOf(chain: ChainBook): Hex {
  const known = separators.get(chain);
  if (known !== undefined) return known;
  const { domainName, rfqContract } = chain.config;
  const made = domainSeparator({ domainName, chainId: chain.chainId, rfqContract });
  separators.set(chain, made);
  return made;
}
