import type { Database } from 'better-sqlite3';
import type { z } from 'zod';
import type { ProjectionsOf } from '../slice.ts';
import type { DESK_EVENTS } from './events.ts';

const TABLE = `
-- What the desk sent to a chain by itself, by the newest row that tells of it, and what was paid for it, wei; NULL while nothing says it.
CREATE TABLE transactions (
  chain_id INTEGER NOT NULL,
  hash TEXT NOT NULL,
  time INTEGER NOT NULL,
  fee_wei TEXT,
  PRIMARY KEY (chain_id, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX transactions_by_time ON transactions (time);
`;

type Body = z.infer<typeof DESK_EVENTS.transaction>;

/** Brings a row that tells of a transaction into the table: the newest one counts, and what was paid is not forgotten. */
function transactionsTable(db: Database): (time: number, body: Body) => void {
  const save = db.prepare(`
    INSERT INTO transactions (chain_id, hash, time, fee_wei) VALUES (?, ?, ?, ?)
    ON CONFLICT (chain_id, hash) DO UPDATE SET time = excluded.time, fee_wei = coalesce(excluded.fee_wei, fee_wei)`);
  return (time, { chainId, transactionHash, feeWei = null }) => {
    if (transactionHash !== null) save.run(chainId, transactionHash, time, feeWei);
  };
}

/** Those of before too; what was paid for them nothing says. */
export function transactionCosts(db: Database): void {
  db.exec(TABLE);
  const save = transactionsTable(db);
  const rows = db.prepare<[], { time: number; body: string }>(
    "SELECT time, body FROM journal WHERE kind = 'transaction' ORDER BY seq",
  );
  for (const { time, body } of rows.all()) save(time, JSON.parse(body));
}

export function projectTransactions(db: Database): Pick<ProjectionsOf<typeof DESK_EVENTS>, 'transaction'> {
  const save = transactionsTable(db);
  return { transaction: ({ time, body }) => save(time, body) };
}

export function readTransactions(db: Database) {
  const last = db.prepare<[number, number], { time: number; under_way: number }>(
    'SELECT time, fee_wei IS NULL AS under_way FROM transactions WHERE chain_id = ? AND time > ?',
  );
  const sent = db
    .prepare<[], string>(`
      SELECT j.body FROM main.journal j JOIN transactions t
        ON t.chain_id = j.body ->> '$.chainId' AND t.hash = j.body ->> '$.transactionHash'
      WHERE j.kind <> 'quote' AND j.kind = 'transaction' AND j.body ->> '$.data' LIKE '0x095ea7b3%' AND t.fee_wei IS NULL ORDER BY j.seq DESC`)
    .pluck();
  return {
    /** Approvals that were sent, and of which no row tells an end, each once: the row that was written when the node took it. */
    sentApprovals(): Body[] {
      const bodies = sent.all().map((body): Body => JSON.parse(body));
      const keyOf = ({ chainId, transactionHash }: Body) => `${chainId} ${transactionHash}`;
      // Rows of before there were costs tell of an end without any.
      const ended = new Set(bodies.filter(({ outcome }) => outcome !== 'sent').map(keyOf));
      const open = bodies.filter((body) => !ended.has(keyOf(body)));
      return [...new Map(open.map((body) => [keyOf(body), body])).values()];
    },
    /**
     * Until when something that the desk itself sent to a chain, and told of after `since`, was under way there, Unix milliseconds;
     * infinity while nothing says that it is over, null where there is none.
     */
    underWayUntil(chainId: number, since: number): number | null {
      const ends = last.all(chainId, since).map((row) => (row.under_way === 1 ? Number.POSITIVE_INFINITY : row.time));
      return ends.length === 0 ? null : Math.max(...ends);
    },
  };
}
