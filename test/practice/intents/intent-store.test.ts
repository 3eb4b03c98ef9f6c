import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type IntentStore, openIntentStore } from '../../../electron/practice/intents/intent-store.ts';
import type { Address, Hex } from '../../../electron/protocol/address.ts';
import { intentStatusSchema } from '../../../electron/protocol/intent-order-record.ts';

const OWNER: Address = `0x${'0a'.repeat(20)}`;
const OTHER: Address = `0x${'0b'.repeat(20)}`;
const token = (byte: string): Address => `0x${byte.repeat(20)}`;

let folder: string;
let now: number;
let store: IntentStore;
const open = () => openIntentStore({ file: join(folder, 'intents.db'), now: () => now });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'intents-'));
  now = Date.UTC(2026, 5, 1);
  store = open();
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

type Given = Parameters<IntentStore['insert']>[0];

function given(changes: Partial<Given> = {}): Given {
  const end = { chainId: 31337, token: token('11'), amount: '5', expectedAmount: '5', executedAmount: '0' };
  return {
    id: randomUUID(),
    status: 'PENDING',
    side: 'SELL',
    type: 'MARKET',
    onChainOrderType: 'Order',
    input: end,
    output: { ...end, token: token('22') },
    owner: OWNER,
    beneficiary: OTHER,
    orderHash: `0x${randomUUID().replaceAll('-', '').repeat(2)}` as Hex,
    partner: 'anon',
    order: { nonce: '1' },
    transactions: [],
    refunds: [],
    expiresAt: '2026-06-02T00:00:00.000Z',
    chainId: 31337,
    destChainId: null,
    signature: '0x1234',
    cancelAskedAt: null,
    auctionStartedAt: null,
    nextSliceAt: null,
    bridgeState: null,
    ...changes,
  } as Given;
}

test('an order is found by its id, and by its hash on its chain, as it was put in', () => {
  const row = given();
  const stored = store.insert(row);
  expect(stored).toEqual({ ...row, createdAt: '2026-06-01T00:00:00.000Z', updatedAt: '2026-06-01T00:00:00.000Z' });
  expect(store.byId(row.id)).toEqual(stored);
  expect(store.byHash(31337, row.orderHash.toUpperCase().replace('0X', '0x') as Hex)).toEqual(stored);
  expect(store.byHash(31338, row.orderHash)).toBeNull();
  expect(store.byId(randomUUID())).toBeNull();
});

test('the same id or hash is not taken twice; the hash may be there on another chain', () => {
  const row = given();
  store.insert(row);
  expect(() => store.insert(given({ id: row.id }))).toThrow(/UNIQUE/);
  expect(() => store.insert(given({ orderHash: row.orderHash }))).toThrow(/UNIQUE/);
  store.insert(given({ orderHash: row.orderHash, chainId: 31338 }));
});

test('a change is on disk at once, with its time', () => {
  const { id } = store.insert(given());
  now += 5_000;
  const fill = {
    originTx: `0x${'ab'.repeat(32)}` as Hex,
    destinationTx: null,
    filledPercent: 50,
    spentAmount: '2',
    receivedAmount: '3',
  };
  store.update(id, { status: 'ACTIVE', transactions: [fill], bridgeState: { step: 2 } });
  const again = open();
  expect(again.byId(id)).toMatchObject({
    status: 'ACTIVE',
    transactions: [fill],
    bridgeState: { step: 2 },
    createdAt: '2026-06-01T00:00:00.000Z',
    updatedAt: '2026-06-01T00:00:05.000Z',
  });
  again.close();
});

test('a change that would make it no order is refused and changes nothing', () => {
  const stored = store.insert(given());
  expect(() => store.update(stored.id, { status: 'DONE' as never })).toThrow();
  expect(() => store.update(randomUUID(), { status: 'ACTIVE' })).toThrow(/no intent order/);
  expect(store.byId(stored.id)).toEqual(stored);
});

test('open are those to whom something may still happen, the oldest first', () => {
  for (const status of intentStatusSchema.options) store.insert(given({ status }));
  const open = store.open().map(({ status }) => status);
  expect(open).toEqual(['PENDING', 'AWAITING_SIGNATURE', 'ACTIVE', 'SUSPENDED', 'CANCELLING', 'BRIDGING', 'REFUNDING']);
});

describe('a list', () => {
  const all = { owner: OWNER, limit: 1_000, offset: 0 };

  test('is of one owner, the newest first, page by page', () => {
    const ids = [1, 2, 3].map(() => store.insert(given()).id).reverse();
    store.insert(given({ owner: OTHER }));
    expect(store.list(all)).toMatchObject({ total: 3, rows: ids.map((id) => ({ id })) });
    const second = store.list({ ...all, limit: 2, offset: 2 });
    expect(second.rows.map(({ id }) => id)).toEqual([ids[2]]);
    expect(second.total).toBe(3);
  });

  test('is of the chains, type, statuses and kind that are named, all of them at once', () => {
    const wanted = { chainId: 31338, type: 'LIMIT', status: 'SUSPENDED', onChainOrderType: 'ExternalOrder' } as const;
    const { id } = store.insert(given(wanted));
    const others = [{ chainId: 31337 }, { type: 'MARKET' }, { status: 'PENDING' }, { onChainOrderType: 'Order' }];
    for (const other of others) store.insert(given({ ...wanted, ...other } as Partial<Given>));
    const search = { chainIds: [31338, 1], type: 'LIMIT', statuses: ['SUSPENDED', 'FAILED'], kind: 'ExternalOrder' };
    expect(store.list({ ...all, ...search } as never).rows.map((row) => row.id)).toEqual([id]);
    for (const [name, value] of Object.entries(search)) {
      expect(store.list({ ...all, [name]: value } as never).total, name).toBe(4);
    }
    expect(store.list({ ...all, chainIds: [] }).total).toBe(0);
  });
});

test('the orders of a chain whose intent contract is another one than before are forgotten', () => {
  expect(store.begin(31337, token('c1'))).toBe(false);
  store.insert(given());
  const { id } = store.insert(given({ chainId: 31338 }));
  expect(store.begin(31337, token('c1'))).toBe(false);
  expect(store.open()).toHaveLength(2);
  expect(store.begin(31337, token('c2'))).toBe(true);
  expect(store.open().map((row) => row.id)).toEqual([id]);
});

test('a file of another program, or of a later version, is left alone', () => {
  for (const statement of ['CREATE TABLE notes (text TEXT)', 'PRAGMA user_version = 7']) {
    const file = join(folder, `${statement.length}.db`);
    const db = new Database(file);
    db.exec(statement);
    db.close();
    expect(() => openIntentStore({ file, now: () => now })).toThrow(/cannot be read/);
  }
});
