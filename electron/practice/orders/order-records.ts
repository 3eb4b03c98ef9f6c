import type { OrderRecord } from '../../protocol/order-record.ts';
import type { OrderLedger } from './order-ledger.ts';
import type { OrderRow } from './orders-file.ts';
import { type BalanceShare, shareOf } from './share-balance.ts';

/** The records of these rows (PROTOCOL 2.5), in their order, with the shares of the balances as they are now. */
export function recordsOf(ledger: OrderLedger, rows: readonly OrderRow[]): OrderRecord[] {
  const shares = sharesOf(ledger, rows);
  return rows.map((row) => recordOf(row, shares.get(row.seq)));
}

/** By `seq`. The orders that can be filled out of one balance are gone through once for all rows that it backs. */
export function sharesOf(ledger: OrderLedger, rows: readonly OrderRow[]): Map<number, BalanceShare> {
  const shares = new Map<number, BalanceShare>();
  for (const { chain_id, maker, maker_asset, group } of byBacking(rows)) {
    const cover = ledger.chain.cover(chain_id, { maker, token: maker_asset });
    const ahead = ledger.orders.pendingOfBacking.all(chain_id, maker, maker_asset);
    let older = 0n;
    let next = 0;
    for (const row of group.sort((a, b) => a.seq - b.seq)) {
      for (; next < ahead.length; next++) {
        const pending = ahead[next];
        if (pending === undefined || pending.seq >= row.seq) break;
        older += BigInt(pending.fillable);
      }
      const order = {
        makerAmount: BigInt(row.maker_amount),
        takerAmount: BigInt(row.taker_amount),
        fillable: BigInt(row.fillable),
        state: row.state,
      };
      shares.set(row.seq, shareOf(order, cover, older));
    }
  }
  return shares;
}

function byBacking(rows: readonly OrderRow[]) {
  const groups = new Map<string, Pick<OrderRow, 'chain_id' | 'maker' | 'maker_asset'> & { group: OrderRow[] }>();
  for (const row of rows) {
    const { chain_id, maker, maker_asset } = row;
    const key = `${chain_id} ${maker} ${maker_asset}`;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { chain_id, maker, maker_asset, group: [row] });
    else known.group.push(row);
  }
  return groups.values();
}

function recordOf(row: OrderRow, share: BalanceShare | undefined): OrderRecord {
  const { makerBalance = 0n, reservedBalance = 0n, swappableBalance = 0n } = share ?? {};
  return {
    orderHash: row.order_hash,
    chainId: row.chain_id,
    nonceAndMeta: row.nonce_and_meta,
    expiry: row.expiry,
    maker: row.maker,
    taker: row.taker,
    makerAsset: row.maker_asset,
    takerAsset: row.taker_asset,
    makerAmount: row.maker_amount,
    takerAmount: row.taker_amount,
    signature: row.signature,
    permitMakerAsset: null,
    state: row.state,
    type: row.type,
    takerFromMeta: row.taker_from_meta,
    makerBalance: `${makerBalance}`,
    fillableBalance: `${BigInt(row.fillable)}`,
    reservedBalance: `${reservedBalance}`,
    swappableBalance: `${swappableBalance}`,
    transactionHash: row.transaction_hash,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
