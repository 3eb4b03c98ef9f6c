import type { Database } from 'better-sqlite3';

const TABLES = `
-- Transactions of hedges that a reorganisation may still take back. block_hash is NULL of one that is on no block: its nonce was
-- used by another, or it was taken back itself; block is then the newest at that time. fee_wei is what was paid for it.
CREATE TABLE hedge_receipts (
  hedge_seq INTEGER NOT NULL,
  chain_id INTEGER NOT NULL,
  hash TEXT NOT NULL,
  purpose TEXT NOT NULL,
  block INTEGER NOT NULL,
  block_hash TEXT,
  fee_wei TEXT NOT NULL,
  PRIMARY KEY (hedge_seq, chain_id, hash, purpose)
) STRICT, WITHOUT ROWID;
`;

/** What was mined before counts as final. */
export function hedgeReceipts(db: Database): void {
  db.exec(TABLES);
}
