import * as Secp256k1 from 'ox/Secp256k1';
import * as Signature from 'ox/Signature';
import type { ChainBook } from '../book/chain-book.ts';
import type { QuoteDetail } from '../contract/quote-log.ts';
import type { QuoteXray } from '../contract/quote-xray.ts';
import type { Address, Hex } from '../protocol/address.ts';
import { type NftOrderFields, nftOrderFields, nftOrderHash } from '../protocol/nft-order-hash.ts';
import { unpackNonceAndMeta } from '../protocol/nonce-and-meta.ts';
import { domainSeparator, orderHash } from '../protocol/order-hash.ts';
import { hashToSign, type SigningForm } from '../protocol/signing-form.ts';

/** What was hashed and signed (PROTOCOL 2.2, 2.3), hashed and recovered once more; null where nothing was signed. */
export function quotePreimage(quote: QuoteDetail, chain: ChainBook): QuoteXray['preimage'] {
  const { nonceAndMeta, expiry, makerAmount, takerAmount, signature, chainId } = quote;
  if (nonceAndMeta === null || expiry === null || makerAmount === null || takerAmount === null) return null;
  const { domainName, rfqContract, signer } = chain.config;
  const { makerAsset, takerAsset, maker, takerAddress: taker } = quote;
  const parts = { makerAsset, takerAsset, maker, taker };
  const separator = domainSeparator({ domainName, chainId, rfqContract });
  const nonce = BigInt(nonceAndMeta);
  const amounts = { makerAmount: BigInt(makerAmount), takerAmount: BigInt(takerAmount) };
  const fields = { nonceAndMeta: nonce, expiry, ...parts, ...amounts };
  const { makerNft, takerNft } = quote;
  const isOfNfts = makerNft !== undefined || takerNft !== undefined;
  const packed = isOfNfts ? nftOrderFields({ ...fields, makerNft, takerNft }) : null;
  const hash = packed === null ? orderHash(separator, fields) : nftOrderHash(separator, packed);
  const { user, random } = unpackNonceAndMeta(nonce);
  const signed = signature === null ? null : signedForm({ chainId, maker, hash, signer }, signature as Hex);
  return {
    domain: { name: domainName, version: '1', chainId, verifyingContract: rfqContract },
    domainSeparator: separator,
    order: {
      nonceAndMeta,
      expiry,
      ...parts,
      makerAmount,
      takerAmount,
      nft: packed === null ? undefined : packedText(packed),
    },
    user,
    random: `0x${random.toString(16).padStart(24, '0')}`,
    hash,
    matches: hash === quote.orderHash,
    recovered: signed?.recovered ?? null,
    ...(signed?.form === 'safe' ? { message: signed.hash } : {}),
    signer,
  };
}

function packedText({ makerAsset, makerAssetId, takerAsset, takerAssetId }: NftOrderFields) {
  return {
    makerAsset: `${makerAsset}`,
    makerAssetId: `${makerAssetId}`,
    takerAsset: `${takerAsset}`,
    takerAssetId: `${takerAssetId}`,
  };
}

/** The form in which a signature is our signer's, and that of the plain hash where it is in none. */
function signedForm(
  { chainId, maker, hash, signer }: { chainId: number; maker: Address; hash: Hex; signer: Address },
  signature: Hex,
): { form: SigningForm; hash: Hex; recovered: Address | null } {
  const inForm = (form: SigningForm) => {
    const signed = hashToSign(form, { chainId, maker }, hash);
    return { form, hash: signed, recovered: recoveredFrom(signed, signature) };
  };
  const [raw, wrapped] = [inForm('raw'), inForm('safe')];
  return raw.recovered !== signer && wrapped.recovered === signer ? wrapped : raw;
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
