import type { Database } from 'better-sqlite3';
import { quoteState } from './fold.ts';

type Quote = {
  ended: 'withheld' | 'expired' | null;
  makerAmount: string;
  filledMaker: string | null;
  filledTaker: string | null;
};

/** What is filled more of a quote than before, or less where a fill was taken back. Raw units. */
type Filled = { maker: bigint; taker: bigint };

/**
 * Works out anew what the state of a signed quote is, from what is filled of it by now and the cancels that stand. What is
 * filled is kept and added to, never summed up again: an order may be filled in ten thousand parts.
 */
export function restateQuote(db: Database): (quoteSeq: number, more?: Filled) => void {
  const quote = db.prepare<[number], Quote>(`
    SELECT q.ended, j.body ->> '$.makerAmount' AS makerAmount,
      q.filled_maker_amount AS filledMaker, q.filled_taker_amount AS filledTaker
    FROM quotes q JOIN journal j ON j.seq = q.seq WHERE q.seq = ? AND q.order_hash IS NOT NULL`);
  const cancel = db.prepare<[number], number>('SELECT 1 FROM cancels WHERE quote_seq = ? AND reverted = 0').pluck();
  const save = db.prepare(
    'UPDATE quotes SET state = ?, filled_maker_amount = ?, filled_taker_amount = ? WHERE seq = ?',
  );

  return (quoteSeq, more = { maker: 0n, taker: 0n }) => {
    const row = quote.get(quoteSeq);
    if (row === undefined) return;
    const maker = BigInt(row.filledMaker ?? '0') + more.maker;
    const taker = BigInt(row.filledTaker ?? '0') + more.taker;
    const state = quoteState({
      makerAmount: BigInt(row.makerAmount),
      filledMakerAmount: maker,
      cancelled: cancel.get(quoteSeq) !== undefined,
      ended: row.ended,
    });
    save.run(state, maker > 0n ? `${maker}` : null, taker > 0n ? `${taker}` : null, quoteSeq);
  };
}
