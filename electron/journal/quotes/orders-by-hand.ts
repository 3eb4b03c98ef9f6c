import type { Database } from 'better-sqlite3';

/** Rows about orders that live for weeks, beside those that quotes have by the thousand; word for word what the index below holds. */
export const ABOUT_ORDERS_BY_HAND = `kind IN ('nft_order', 'quote_withheld', 'chain_reset', 'reverted')`;

/** A start finds the orders signed by hand, and what ended them, without a walk through the journal. */
export function ordersByHand(db: Database): void {
  db.exec(`CREATE INDEX journal_by_hand ON journal (kind) WHERE ${ABOUT_ORDERS_BY_HAND}`);
}
