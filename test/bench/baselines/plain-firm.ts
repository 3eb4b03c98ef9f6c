import { randomBytes } from 'node:crypto';
import Database from 'better-sqlite3';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { ORDER_TYPES } from '../../vectors/order-types.ts';
import { serveBare } from './server.ts';

/** The plain way: viem signs the typed data, and each request commits its own row with FULL. */
const account = privateKeyToAccount(generatePrivateKey());
const database = new Database(process.argv[2]);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec('CREATE TABLE quotes (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT');
const insert = database.prepare('INSERT INTO quotes (body) VALUES (?)');
const domain = {
  name: 'PRACTICE RFQ',
  version: '1',
  chainId: 31337,
  verifyingContract: `0x${'11'.repeat(20)}`,
} as const;

serveBare(async (body) => {
  const request = JSON.parse(body.toString());
  const message = {
    nonceAndMeta: (BigInt(`0x${randomBytes(12).toString('hex')}`) << 160n) + BigInt(request.userAddress),
    expiry: BigInt(Math.floor(Date.now() / 1000) + 150),
    makerAsset: request.makerAsset,
    takerAsset: request.takerAsset,
    maker: account.address,
    taker: request.takerAddress,
    makerAmount: BigInt(request.makerAmount ?? request.takerAmount),
    takerAmount: 1_000_000n,
  };
  const signature = await account.signTypedData({ domain, types: ORDER_TYPES, primaryType: 'Order', message });
  const text = JSON.stringify({ order: { ...message, signature } }, (_key, value) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  insert.run(text);
  return text;
});
