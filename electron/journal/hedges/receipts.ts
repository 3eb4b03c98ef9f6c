import type { Database } from 'better-sqlite3';
import type { HedgeStep } from '../../contract/hedge-steps.ts';
import type { EventBody } from '../events.ts';

/** Keeps the list of transactions that are watched until they are final. */
export function projectReceipts(db: Database) {
  const insert = db.prepare(`
    INSERT OR REPLACE INTO hedge_receipts (hedge_seq, chain_id, hash, purpose, block, block_hash, fee_wei)
    VALUES (?, ?, ?, ?, ?, ?, ?)`);
  const remove = db.prepare(
    'DELETE FROM hedge_receipts WHERE hedge_seq = ? AND chain_id = ? AND hash = ? AND purpose = ?',
  );
  const unsee = db.prepare(`
    UPDATE hedge_receipts SET block_hash = NULL, fee_wei = '0'
    WHERE hedge_seq = ? AND chain_id = ? AND hash = ? AND purpose = ?`);
  const removeOrders = db.prepare(
    "DELETE FROM hedge_receipts WHERE hedge_seq = ? AND purpose IN ('fill', 'delivery', 'refund')",
  );
  const forget = db.prepare('DELETE FROM hedge_receipts WHERE chain_id = ?');

  return {
    /** A chain that is gone takes nothing back any more. */
    reset: ({ chainId }: EventBody<'chain_reset'>) => forget.run(chainId),
    step: (hedgeSeq: number, chainId: number, step: HedgeStep) => {
      switch (step.step) {
        case 'transaction_mined':
          insert.run(hedgeSeq, chainId, step.hash, step.purpose, step.block, step.blockHash, step.feeWei);
          break;
        case 'wallet_mined':
          insert.run(hedgeSeq, chainId, step.hash, 'swap', step.block, step.blockHash, '0');
          break;
        case 'mined_again':
          insert.run(hedgeSeq, step.chainId, step.hash, step.purpose, step.block, step.blockHash, step.feeWei);
          break;
        case 'transaction_lost':
          if (step.block !== undefined) {
            insert.run(hedgeSeq, chainId, step.hash, step.purpose, step.block, null, '0');
          }
          break;
        case 'order_status':
          removeOrders.run(hedgeSeq);
          for (const { chainId: where, hash, kind, block, blockHash } of step.transactions) {
            if (block !== undefined && blockHash !== undefined)
              insert.run(hedgeSeq, where, hash, kind, block, blockHash, '0');
          }
          break;
        case 'taken_back':
          if (step.purpose === 'approval') unsee.run(hedgeSeq, step.chainId, step.hash, step.purpose);
          else remove.run(hedgeSeq, step.chainId, step.hash, step.purpose);
          break;
        case 'final':
          remove.run(hedgeSeq, step.chainId, step.hash, step.purpose);
          break;
      }
    },
  };
}
