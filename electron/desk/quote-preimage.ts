import * as Secp256k1 from 'ox/Secp256k1';
import * as Signature from 'ox/Signature';
import type { ChainBook } from '../book/chain-book.ts';
import type { QuoteDetail } from '../contract/quote-log.ts';
import type { QuoteXray } from '../contract/quote-xray.ts';
import type { Address, Hex } from '../protocol/address.ts';
import { unpackNonceAndMeta } from '../protocol/nonce-and-meta.ts';
import { domainSeparator, orderHash } from '../protocol/order-hash.ts';

/** What was hashed and signed (spec 2.2, 2.3), hashed and recovered once more; null where nothing was signed. */
export function quotePreimage(quote: QuoteDetail, chain: ChainBook): QuoteXray['preimage'] {
  const { nonceAndMeta, expiry, makerAmount, takerAmount, signature, chainId } = quote;
  if (nonceAndMeta === null || expiry === null || makerAmount === null || takerAmount === null) return null;
  const { domainName, rfqContract, signer } = chain.config;
  const { makerAsset, takerAsset, maker, takerAddress: taker } = quote;
  const parts = { makerAsset, takerAsset, maker, taker };
  const separator = domainSeparator({ domainName, chainId, rfqContract });
  const nonce = BigInt(nonceAndMeta);
  const amounts = { makerAmount: BigInt(makerAmount), takerAmount: BigInt(takerAmount) };
  const hash = orderHash(separator, { nonceAndMeta: nonce, expiry, ...parts, ...amounts });
  const { user, random } = unpackNonceAndMeta(nonce);
  return {
    domain: { name: domainName, version: '1', chainId, verifyingContract: rfqContract },
    domainSeparator: separator,
    order: { nonceAndMeta, expiry, ...parts, makerAmount, takerAmount },
    ...{ user, random: `0x${random.toString(16).padStart(24, '0')}`, hash },
    matches: hash === quote.orderHash,
    recovered: signature === null ? null : recoveredFrom(hash, signature as Hex),
    signer,
  };
}

/** The address a signature of this hash recovers to; null for what is no signature. */
function recoveredFrom(payload: Hex, signature: Hex): Address | null {
  try {
    const address = Secp256k1.recoverAddress({ payload, signature: Signature.fromHex(signature) });
    return address.toLowerCase() as Address;
  } catch {
    return null;
  }
}
