import type { Database } from 'better-sqlite3';
import { quoteState } from './quote-state.ts';

type Quote = { ended: 'withheld' | 'expired' | null; makerAmount: string };
type Fill = { maker: string; taker: string };

/** Works out anew what is filled of a signed quote and what its state is, from the fills and cancels that stand. */
export function restateQuote(db: Database): (quoteSeq: number) => void {
  const quote = db.prepare<[number], Quote>(`
    SELECT q.ended, j.body ->> '$.makerAmount' AS makerAmount
    FROM quotes q JOIN journal j ON j.seq = q.seq WHERE q.seq = ? AND q.order_hash IS NOT NULL`);
  const fills = db.prepare<[number], Fill>(`
    SELECT maker_amount AS maker, taker_amount AS taker FROM fills
    WHERE quote_seq = ? AND reverted = 0`);
  const cancel = db.prepare<[number], number>('SELECT 1 FROM cancels WHERE quote_seq = ? AND reverted = 0').pluck();
  const save = db.prepare(
    'UPDATE quotes SET state = ?, filled_maker_amount = ?, filled_taker_amount = ? WHERE seq = ?',
  );

  return (quoteSeq) => {
    const row = quote.get(quoteSeq);
    if (row === undefined) return;
    let maker = 0n;
    let taker = 0n;
    for (const fill of fills.all(quoteSeq)) {
      maker += BigInt(fill.maker);
      taker += BigInt(fill.taker);
    }
    const state = quoteState({
      makerAmount: BigInt(row.makerAmount),
      filledMakerAmount: maker,
      cancelled: cancel.get(quoteSeq) !== undefined,
      ended: row.ended,
    });
    save.run(state, maker > 0n ? `${maker}` : null, taker > 0n ? `${taker}` : null, quoteSeq);
  };
}
