import type Database from 'better-sqlite3';
import { z } from 'zod';
import { type Address, addressSchema, type Hex } from '../../protocol/address.ts';
import { rawAmountSchema } from '../../protocol/amount.ts';
import { intentKindSchema, type OnChainOrderType, onChainOrderTypeSchema } from '../../protocol/intent-build.ts';
import { ENDED_STATUSES, type IntentStatus, intentStatusSchema } from '../../protocol/intent-order-record.ts';
import { bytesSchema } from '../../protocol/market-transaction.ts';
import { swapSideSchema } from '../../protocol/market-wire.ts';
import { hash32Schema } from '../../protocol/order-record.ts';
import { openStoreFile } from '../store-file.ts';

/** ISO 8601, always in UTC with milliseconds, so that text compares as time does. */
const timeSchema = z.iso.datetime({ precision: 3 });
/** Unix milliseconds. */
const momentSchema = z.int().nonnegative();

/** What is asked for, what was expected of it, and what has moved so far; raw units. */
const endSchema = z.object({
  chainId: z.int().positive(),
  token: addressSchema,
  amount: rawAmountSchema,
  expectedAmount: rawAmountSchema,
  executedAmount: rawAmountSchema,
});

/** A fill; `destinationTx` is null until the other chain has it, and always for an order of one chain. */
const fillSchema = z.object({
  originTx: hash32Schema,
  destinationTx: hash32Schema.nullable(),
  filledPercent: z.number().min(0).max(100),
  spentAmount: rawAmountSchema,
  receivedAmount: rawAmountSchema,
});

const refundSchema = z.object({
  tx: hash32Schema,
  chainId: z.int().positive(),
  token: addressSchema,
  amount: rawAmountSchema,
});

/** What everybody sees of an order (PROTOCOL 12.5). */
export const intentRecordSchema = z.object({
  id: z.uuid(),
  status: intentStatusSchema,
  side: swapSideSchema,
  type: intentKindSchema,
  onChainOrderType: onChainOrderTypeSchema,
  input: endSchema,
  output: endSchema,
  owner: addressSchema,
  beneficiary: addressSchema,
  orderHash: hash32Schema,
  partner: z.string(),
  /** The signed value as it was submitted. */
  order: z.record(z.string(), z.unknown()),
  transactions: z.array(fillSchema),
  refunds: z.array(refundSchema),
  createdAt: timeSchema,
  updatedAt: timeSchema,
  expiresAt: timeSchema,
});

/** An order as the service keeps it: its record, and what only relayer and bridge need to know. */
export const intentRowSchema = intentRecordSchema.extend({
  /** Where it is signed for and spends. */
  chainId: z.int().positive(),
  /** Where it ends; null for an order of one chain. */
  destChainId: z.int().positive().nullable(),
  signature: bytesSchema,
  /** A cancellation came while an auction was running, and waits for its end. */
  cancelAskedAt: momentSchema.nullable(),
  auctionStartedAt: momentSchema.nullable(),
  nextSliceAt: momentSchema.nullable(),
  /** What the bridge notes for itself, as JSON. */
  bridgeState: z.json(),
});
export type IntentRow = z.infer<typeof intentRowSchema>;

/** Which orders of an owner, the newest first; what is left out does not count. */
export interface IntentSearch {
  owner: Address;
  /** Source chains. */
  chainIds?: readonly number[];
  type?: IntentRow['type'];
  statuses?: readonly IntentStatus[];
  kind?: OnChainOrderType;
  limit: number;
  offset: number;
}

/** What may change of an order once it is there. */
export type IntentPatch = Partial<
  Pick<
    IntentRow,
    | ('status' | 'input' | 'output' | 'transactions' | 'refunds')
    | ('cancelAskedAt' | 'auctionStartedAt' | 'nextSliceAt' | 'bridgeState')
  >
>;

export interface IntentStore {
  /** Keeps a new order; its times are set. @throws when the id, or the hash on its chain, is there already */
  insert(row: Omit<IntentRow, 'createdAt' | 'updatedAt'>): IntentRow;
  byId(id: string): IntentRow | null;
  byHash(chainId: number, orderHash: Hex): IntentRow | null;
  /** `total` is of all pages. */
  list(search: IntentSearch): { rows: IntentRow[]; total: number };
  /** All to whom something may still happen, the oldest first. */
  open(): IntentRow[];
  /** Those that have ended, and whose end is not noted as final: a reorganisation may take it back. The oldest first. */
  watched(): IntentRow[];
  /** Changes an order and its `updatedAt`. @throws when there is no such order, or it would be none any more */
  update(id: string, patch: IntentPatch): IntentRow;
  /** Changes what the relayer notes for itself, which is no news of the order. @throws when there is no such order */
  note(id: string, bridgeState: IntentRow['bridgeState']): void;
  /** Keeps a chain's orders when they are of this intent contract, else forgets them: true when there were any of another. */
  begin(chainId: number, contract: Address): boolean;
  close(): void;
}

const ENDED = JSON.stringify([...ENDED_STATUSES]);

/**
 * The intent orders in a file (PROTOCOL 12.5). Every call is one transaction, and is on disk for whoever opens the file next.
 * `now` is Unix milliseconds.
 * @throws DeskError `intents_file`
 */
export function openIntentStore({ file, now }: { file: string; now: () => number }): IntentStore {
  const db = openIntentsFile(file);
  const one = (where: string) => db.prepare<unknown[], string>(`SELECT row FROM intents WHERE ${where}`).pluck();
  const [byId, byHash] = [one('id = ?'), one('chain_id = ? AND order_hash = ?')];
  const open = one('status NOT IN (SELECT value FROM json_each(?)) ORDER BY seq');
  const watched = one(`status IN (SELECT value FROM json_each(?)) AND ${NOT_FINAL} ORDER BY seq`);
  const insert = db.prepare<[string]>('INSERT INTO intents (row) VALUES (?)');
  const rewrite = db.prepare<[string, string]>('UPDATE intents SET row = ? WHERE id = ?');
  const known = db.prepare<[number], string>('SELECT contract FROM chains WHERE chain_id = ?').pluck();
  const settle = db.prepare<[number, string]>('INSERT OR REPLACE INTO chains VALUES (?, ?)');
  const forget = db.prepare<[number]>('DELETE FROM intents WHERE chain_id = ?');
  const found = `
    owner = @owner
    AND (@chainIds IS NULL OR chain_id IN (SELECT value FROM json_each(@chainIds)))
    AND (@type IS NULL OR type = @type)
    AND (@statuses IS NULL OR status IN (SELECT value FROM json_each(@statuses)))
    AND (@kind IS NULL OR kind = @kind)`;
  const page = one(`${found} ORDER BY seq DESC LIMIT @limit OFFSET @offset`);
  const count = db.prepare<unknown[], number>(`SELECT count(*) FROM intents WHERE ${found}`).pluck();

  const time = () => new Date(now()).toISOString();
  const read = (text: string | undefined) => (text === undefined ? null : intentRowSchema.parse(JSON.parse(text)));
  const write = (row: unknown) => JSON.stringify(intentRowSchema.parse(row));
  const change = db.transaction((id: string, changes: (before: IntentRow) => object) => {
    const before = read(byId.get(id));
    if (before === null) throw new Error(`there is no intent order ${id}`);
    const row = intentRowSchema.parse({ ...before, ...changes(before) });
    rewrite.run(write(row), id);
    return row;
  });

  return {
    insert(given) {
      const row = write({ ...given, createdAt: time(), updatedAt: time() });
      insert.run(row);
      return intentRowSchema.parse(JSON.parse(row));
    },
    byId: (id) => read(byId.get(id)),
    byHash: (chainId, orderHash) => read(byHash.get(chainId, orderHash.toLowerCase())),
    list: db.transaction(({ owner, chainIds, statuses, type, kind, limit, offset }: IntentSearch) => {
      const asked = {
        owner,
        type: type ?? null,
        kind: kind ?? null,
        limit,
        offset,
        chainIds: chainIds ? JSON.stringify(chainIds) : null,
        statuses: statuses ? JSON.stringify(statuses) : null,
      };
      const rows = page.all(asked).flatMap((text) => read(text) ?? []);
      return { rows, total: count.get(asked) ?? 0 };
    }),
    open: () => open.all(ENDED).flatMap((text) => read(text) ?? []),
    watched: () => watched.all(ENDED).flatMap((text) => read(text) ?? []),
    update: (id, patch) => change(id, () => ({ ...patch, updatedAt: time() })),
    note: (id, bridgeState) => void change(id, () => ({ bridgeState })),
    begin: db.transaction((chainId: number, contract: Address) => {
      if (known.get(chainId) === contract) return false;
      settle.run(chainId, contract);
      return forget.run(chainId).changes > 0;
    }),
    close: () => db.close(),
  };
}

/** Each order is one JSON object; the columns that it is found by are taken out of it, so that nothing is kept twice. */
const SCHEMA = `
  CREATE TABLE chains (
    chain_id INTEGER PRIMARY KEY,
    contract TEXT NOT NULL
  ) STRICT;
  CREATE TABLE intents (
    seq INTEGER PRIMARY KEY,
    row TEXT NOT NULL CHECK (json_valid(row)),
    id TEXT NOT NULL GENERATED ALWAYS AS (row ->> 'id') VIRTUAL,
    chain_id INTEGER NOT NULL GENERATED ALWAYS AS (row ->> 'chainId') VIRTUAL,
    order_hash TEXT NOT NULL GENERATED ALWAYS AS (row ->> 'orderHash') VIRTUAL,
    owner TEXT NOT NULL GENERATED ALWAYS AS (row ->> 'owner') VIRTUAL,
    status TEXT NOT NULL GENERATED ALWAYS AS (row ->> 'status') VIRTUAL,
    type TEXT NOT NULL GENERATED ALWAYS AS (row ->> 'type') VIRTUAL,
    kind TEXT NOT NULL GENERATED ALWAYS AS (row ->> 'onChainOrderType') VIRTUAL
  ) STRICT;
  CREATE UNIQUE INDEX intents_by_id ON intents (id);
  CREATE UNIQUE INDEX intents_by_hash ON intents (chain_id, order_hash);
  CREATE INDEX intents_by_owner ON intents (owner, seq);
  CREATE INDEX intents_by_status ON intents (status, seq);
`;

/** True of an order whose end may still be taken back: see the relayer's notes. */
const NOT_FINAL = "coalesce(row ->> '$.bridgeState.final', 0) = 0";

/**
 * Opens the file that keeps the intent orders, making it when it is missing. What was written before a kill -9 is there
 * after it.
 * @throws DeskError `intents_file` when it is of a later version, or of another program
 */
function openIntentsFile(file: string): Database.Database {
  const db = openStoreFile(file, SCHEMA, { code: 'intents_file', what: 'intent orders' });
  // Of files from before orders were watched as well.
  db.exec(`CREATE INDEX IF NOT EXISTS intents_watched ON intents (seq) WHERE ${NOT_FINAL}`);
  return db;
}
