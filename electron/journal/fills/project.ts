import type { Database } from 'better-sqlite3';
import type { EventBody } from '../events.ts';
import { bytesOf } from '../hex-bytes.ts';
import type { Projections } from '../projection.ts';
import { countHours, HOUR_MS, inQuoteToken } from '../quotes/pair-hours.ts';
import { restateQuote } from '../quotes/restate-quote.ts';
import { refuseRow } from '../slice.ts';

type OrderEventKind = 'fill' | 'cancel' | 'reverted';
type OurQuote = { seq: number; pair: string | null; side: string | null };
type Filled = { time: number; pair: string | null; side: string | null; body: string };

/**
 * What the chain says of our orders. A unique index refuses the same log entry of the same block twice, unless a
 * reorganisation took it back in between. Entries for orders this journal does not know are kept without a quote.
 */
export function projectOrderEvents(db: Database): Pick<Projections, OrderEventKind> {
  const quote = db.prepare<[Buffer, number], OurQuote>(
    'SELECT seq, pair, side FROM quotes WHERE order_hash = ? AND chain_id = ?',
  );
  const insertFill = db.prepare(`
    INSERT INTO fills (seq, time, chain_id, order_hash, quote_seq, pair, side, maker_amount, taker_amount,
      block, block_hash, transaction_hash, log_index)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const insertCancel = db.prepare(`
    INSERT INTO cancels (seq, time, chain_id, order_hash, quote_seq, block, block_hash, transaction_hash, log_index)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const takeBack = (['fills', 'cancels'] as const).map((table) =>
    db
      .prepare<[number, number], number | null>(
        `UPDATE ${table} SET reverted = 1 WHERE seq = ? AND chain_id = ? AND reverted = 0 RETURNING quote_seq`,
      )
      .pluck(),
  );
  const filled = db.prepare<[number], Filled>(
    'SELECT f.time, f.pair, f.side, j.body FROM fills f JOIN journal j ON j.seq = f.seq WHERE f.seq = ?',
  );
  const count = countHours(db);
  const restate = restateQuote(db);

  const countFill = (way: 1 | -1, { time, pair, side }: Omit<Filled, 'body'>, body: EventBody<'fill'>) => {
    if (pair === null) return;
    const { asset, amount } = inQuoteToken(side, body);
    const filledVolume = `${BigInt(way) * BigInt(amount)}`;
    count({ hour: Math.floor(time / HOUR_MS), chainId: body.chainId, pair, asset, filled: way, filledVolume });
  };

  return {
    fill: ({ seq, body }) => {
      const hash = bytesOf(body.orderHash);
      const ours = quote.get(hash, body.chainId);
      insertFill.run(
        ...[seq, body.blockTime, body.chainId, hash, ours?.seq ?? null, ours?.pair ?? null, ours?.side ?? null],
        ...[body.makerAmount, body.takerAmount, body.block, body.blockHash, body.transactionHash, body.logIndex],
      );
      if (ours === undefined) return;
      countFill(1, { time: body.blockTime, ...ours }, body);
      restate(ours.seq, { maker: BigInt(body.makerAmount), taker: BigInt(body.takerAmount) });
    },
    cancel: ({ seq, body }) => {
      const hash = bytesOf(body.orderHash);
      const ours = quote.get(hash, body.chainId);
      insertCancel.run(
        ...[seq, body.blockTime, body.chainId, hash, ours?.seq ?? null],
        ...[body.block, body.blockHash, body.transactionHash, body.logIndex],
      );
      if (ours !== undefined) restate(ours.seq);
    },
    reverted: ({ body }) => {
      for (const statement of takeBack) {
        const quoteSeq = statement.get(body.eventSeq, body.chainId);
        if (quoteSeq === undefined) continue;
        const fill = filled.get(body.eventSeq);
        const gone: EventBody<'fill'> | null = fill === undefined ? null : JSON.parse(fill.body);
        if (fill !== undefined && gone !== null) countFill(-1, fill, gone);
        if (quoteSeq === null) return;
        restate(quoteSeq, { maker: -BigInt(gone?.makerAmount ?? 0), taker: -BigInt(gone?.takerAmount ?? 0) });
        return;
      }
      refuseRow(`Row ${body.eventSeq} is not a fill or cancel that stands on chain ${body.chainId}.`);
    },
  };
}
