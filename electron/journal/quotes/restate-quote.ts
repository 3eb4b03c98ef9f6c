import type { Database } from 'better-sqlite3';
import { type Ending, foldOrder, type OrderFate, orderState } from './fold.ts';

type Quote = Pick<OrderFate, 'ended'> & {
  makerAmount: string | null;
  filledMaker: string | null;
  filledTaker: string | null;
};
/** What is filled more of a quote than before, or less where a fill was taken back. Raw units. */
type Filled = { maker: bigint; taker: bigint };

/** Of an order whose body cannot be read: more than any fill, so that the chain's row is written and the order counts as not yet filled. */
const UNKNOWN = 2n ** 256n;

/**
 * Brings the table in line with what happened to a signed quote: it was filled, the desk said of its end, or a cancel stands by
 * the table of cancels. What is filled is kept and added to, never summed up again: an order may be filled in ten thousand parts.
 */
export function restateQuote(db: Database): (quoteSeq: number, more?: Filled, ending?: Ending) => void {
  // `+ 0`: with a bare value SQLite plans a join anew for each, which takes thirty times as long as running it.
  const quote = db.prepare<[number], Quote>(`
    SELECT q.ended, CASE WHEN json_valid(j.body) THEN j.body ->> '$.makerAmount' END AS makerAmount,
      q.filled_maker_amount AS filledMaker, q.filled_taker_amount AS filledTaker
    FROM quotes q JOIN journal j ON j.seq = q.seq WHERE q.seq = ? + 0 AND q.order_hash IS NOT NULL`);
  const cancel = db.prepare<[number], number>('SELECT 1 FROM cancels WHERE quote_seq = ? AND reverted = 0').pluck();
  const save = db.prepare(
    'UPDATE quotes SET state = ?, ended = ?, filled_maker_amount = ?, filled_taker_amount = ? WHERE seq = ?',
  );

  return (quoteSeq, more = { maker: 0n, taker: 0n }, ending) => {
    const row = quote.get(quoteSeq);
    if (row === undefined) return;
    const before: OrderFate = {
      filledMaker: BigInt(row.filledMaker ?? '0'),
      filledTaker: BigInt(row.filledTaker ?? '0'),
      cancelled: cancel.get(quoteSeq) !== undefined,
      ended: row.ended,
    };
    const filled = foldOrder(before, { kind: 'fill', ...more });
    const after = ending === undefined ? filled : foldOrder(filled, { kind: ending });
    const [maker, taker] = [after.filledMaker, after.filledTaker].map((amount) => (amount > 0n ? `${amount}` : null));
    save.run(
      orderState(row.makerAmount === null ? UNKNOWN : BigInt(row.makerAmount), after),
      after.ended,
      maker,
      taker,
      quoteSeq,
    );
  };
}
