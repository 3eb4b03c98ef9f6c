import type { Database } from 'better-sqlite3';
import type { HedgeStep } from '../../contract/hedge-steps.ts';
import type { Hex } from '../../protocol/address.ts';

/** A transaction of a hedge that a reorganisation may still take back; `blockHash` is null while it is on no block. */
export interface Receipt {
  hedgeSeq: number;
  chainId: number;
  hash: string;
  purpose: Extract<HedgeStep, { step: 'taken_back' }>['purpose'];
  /** Its block, or the newest at the time when it was on none. */
  block: number;
  blockHash: string | null;
  /** What was paid for it. */
  feeWei: string;
}
/** As a reader gets it. */
export type HedgeReceipt = Receipt & { hash: Hex; blockHash: Hex | null };

/** What the service's transactions for an order are for. */
const OF_ORDERS: readonly Receipt['purpose'][] = ['fill', 'delivery', 'refund'];

/** The receipts of a hedge on `chainId` after one more step of it: the same list where the step says nothing of them. */
export function foldReceipts(
  before: readonly Receipt[],
  { hedgeSeq, chainId }: Pick<Receipt, 'hedgeSeq' | 'chainId'>,
  step: HedgeStep,
): readonly Receipt[] {
  const own = { hedgeSeq, chainId };
  switch (step.step) {
    case 'transaction_mined':
      return withReceipt(before, { ...own, ...receiptIn(step), purpose: step.purpose, feeWei: step.feeWei });
    case 'wallet_mined':
      return withReceipt(before, { ...own, ...receiptIn(step), purpose: 'swap', feeWei: '0' });
    case 'mined_again': {
      const { purpose, feeWei } = step;
      return withReceipt(before, { hedgeSeq, chainId: step.chainId, ...receiptIn(step), purpose, feeWei });
    }
    case 'transaction_lost': {
      const { hash, purpose, block } = step;
      if (block === undefined) return before;
      return withReceipt(before, { ...own, hash, purpose, block, blockHash: null, feeWei: '0' });
    }
    case 'order_status':
    case 'filled_late': {
      const others = before.filter(({ purpose }) => !OF_ORDERS.includes(purpose));
      return step.transactions.reduce((all, { chainId: where, hash, kind, block, blockHash }) => {
        if (block === undefined || blockHash === undefined) return all;
        return withReceipt(all, { hedgeSeq, chainId: where, hash, purpose: kind, block, blockHash, feeWei: '0' });
      }, others);
    }
    case 'taken_back':
      if (step.purpose !== 'approval') return before.filter((one) => !isOf(one, step));
      return before.map((one) => (isOf(one, step) ? { ...one, blockHash: null, feeWei: '0' } : one));
    case 'final':
      return before.filter((one) => !isOf(one, step));
    default:
      return before;
  }
}

function receiptIn({ hash, block, blockHash }: Pick<Receipt, 'hash' | 'block'> & { blockHash: string }) {
  return { hash, block, blockHash };
}

function withReceipt(before: readonly Receipt[], receipt: Receipt): Receipt[] {
  return [...before.filter((one) => !isOf(one, receipt)), receipt];
}

function isOf(one: Receipt, { chainId, hash, purpose }: Pick<Receipt, 'chainId' | 'hash' | 'purpose'>) {
  return one.chainId === chainId && one.hash === hash && one.purpose === purpose;
}

const COLUMNS = `hedge_seq AS hedgeSeq, chain_id AS chainId, hash, purpose, block, block_hash AS blockHash, fee_wei AS feeWei
  FROM hedge_receipts`;

/** Brings steps into the table of receipts. */
export function receiptsTable(db: Database) {
  const select = db.prepare<[number], Receipt>(`SELECT ${COLUMNS} WHERE hedge_seq = ?`);
  const remove = db.prepare('DELETE FROM hedge_receipts WHERE hedge_seq = ?');
  const insert = db.prepare<[Receipt]>(`
    INSERT INTO hedge_receipts (hedge_seq, chain_id, hash, purpose, block, block_hash, fee_wei)
    VALUES (@hedgeSeq, @chainId, @hash, @purpose, @block, @blockHash, @feeWei)`);
  const forget = db.prepare<[number]>('DELETE FROM hedge_receipts WHERE chain_id = ?');
  return {
    /** A chain that is gone takes nothing back any more. */
    forget: (chainId: number) => void forget.run(chainId),
    step: (hedgeSeq: number, chainId: number, step: HedgeStep) => {
      const before = select.all(hedgeSeq);
      const after = foldReceipts(before, { hedgeSeq, chainId }, step);
      if (after === before) return;
      remove.run(hedgeSeq);
      for (const receipt of after) insert.run(receipt);
    },
  };
}

export function readReceipts(db: Database) {
  const all = db.prepare<[], HedgeReceipt>(`SELECT ${COLUMNS} ORDER BY hedge_seq`);
  return {
    /** Transactions of hedges that are not final yet, oldest hedge first. */
    hedgeReceipts: (): HedgeReceipt[] => all.all(),
  };
}
