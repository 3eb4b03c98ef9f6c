import { randomBytes } from 'node:crypto';
import secp256k1 from 'secp256k1';
import { hexToBytes } from 'viem';
import type { Hex } from '../../../electron/protocol/address.ts';
import { packNonceAndMeta } from '../../../electron/protocol/nonce-and-meta.ts';
import { domainSeparator, orderHash } from '../../../electron/protocol/order-hash.ts';
import { serveBare } from './server.ts';

/** The least a firm quote can cost: parse, hash, sign natively, answer. No checks, no price, no record. */
const key = randomBytes(32);
const separator = domainSeparator({ domainName: 'PRACTICE RFQ', chainId: 31337, rfqContract: `0x${'11'.repeat(20)}` });

serveBare((body) => {
  const request = JSON.parse(body.toString());
  const nonceAndMeta = packNonceAndMeta(
    request.userAddress.toLowerCase(),
    BigInt(`0x${randomBytes(12).toString('hex')}`),
  );
  const order = {
    nonceAndMeta,
    expiry: Math.floor(Date.now() / 1000) + 150,
    makerAsset: request.makerAsset,
    takerAsset: request.takerAsset,
    maker: `0x${'22'.repeat(20)}` as Hex,
    taker: request.takerAddress,
    makerAmount: BigInt(request.makerAmount ?? request.takerAmount),
    takerAmount: 1_000_000n,
  };
  const { signature, recid } = secp256k1.ecdsaSign(hexToBytes(orderHash(separator, order)), key);
  return JSON.stringify({
    order: {
      ...order,
      nonceAndMeta: String(nonceAndMeta),
      makerAmount: String(order.makerAmount),
      takerAmount: String(order.takerAmount),
      signature: `0x${Buffer.from(signature).toString('hex')}${(27 + recid).toString(16)}`,
    },
  });
});
