import { randomBytes } from 'node:crypto';
import { createKeccak } from 'hash-wasm';
import secp256k1 from 'secp256k1';
import { serveBare } from './server.ts';

/**
 * The least a firm quote can cost: parse, hash, sign natively, answer. No checks, no price, no record. It hashes by itself, so
 * that it stays what it is when our code changes.
 */
const key = randomBytes(32);
const hasher = await createKeccak(256);
const keccak = (bytes: Uint8Array): Uint8Array => hasher.init().update(bytes).digest('binary');
const word = (value: bigint | number) => value.toString(16).padStart(64, '0');
const addressWord = (address: string) => address.slice(2).padStart(64, '0');
const hashText = (text: string) => Buffer.from(keccak(Buffer.from(text))).toString('hex');

const orderType = hashText(
  'Order(uint256 nonceAndMeta,uint128 expiry,address makerAsset,address takerAsset,address maker,address taker,uint256 makerAmount,uint256 takerAmount)',
);
const domain = [
  hashText('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'),
  hashText('PRACTICE RFQ'),
  hashText('1'),
  word(31337),
  addressWord(`0x${'11'.repeat(20)}`),
];
/** What is signed: 0x1901, the domain's hash, the order's. */
const message = Buffer.concat([
  Buffer.from('1901', 'hex'),
  keccak(Buffer.from(domain.join(''), 'hex')),
  Buffer.alloc(32),
]);

serveBare((body) => {
  const request = JSON.parse(body.toString());
  const order = {
    nonceAndMeta: (BigInt(`0x${randomBytes(12).toString('hex')}`) << 160n) | BigInt(request.userAddress),
    expiry: Math.floor(Date.now() / 1000) + 150,
    makerAsset: request.makerAsset,
    takerAsset: request.takerAsset,
    maker: `0x${'22'.repeat(20)}`,
    taker: request.takerAddress,
    makerAmount: BigInt(request.makerAmount ?? request.takerAmount),
    takerAmount: 1_000_000n,
  };
  const words =
    orderType +
    word(order.nonceAndMeta) +
    word(order.expiry) +
    addressWord(order.makerAsset) +
    addressWord(order.takerAsset) +
    addressWord(order.maker) +
    addressWord(order.taker) +
    word(order.makerAmount) +
    word(order.takerAmount);
  message.set(keccak(Buffer.from(words, 'hex')), 34);
  const { signature, recid } = secp256k1.ecdsaSign(keccak(message), key);
  return JSON.stringify({
    order: {
      ...order,
      nonceAndMeta: String(order.nonceAndMeta),
      makerAmount: String(order.makerAmount),
      takerAmount: String(order.takerAmount),
      signature: `0x${Buffer.from(signature).toString('hex')}${(27 + recid).toString(16)}`,
    },
  });
});
