import type { HedgeStep } from '../contract/hedge-steps.ts';
import type { Address, Hex } from '../protocol/address.ts';
import type { IntentOrderRecord } from '../protocol/intent-order-record.ts';
import { isNative } from '../protocol/route-token.ts';
import { receiptOf } from './hedge-node.ts';
import { type HedgeRun, record } from './hedge-run.ts';
import { movedTokens } from './moved-tokens.ts';

type OrderTransactions = Extract<HedgeStep, { step: 'order_status' }>['transactions'];

/** What an order moved, as far as the chains confirm it. Raw units. */
export interface VerifiedOrder {
  spent: bigint;
  received: bigint;
  transactions: OrderTransactions;
  /** What the service says and no chain confirms yet, for a person; null when all is confirmed. */
  unconfirmed: string | null;
}

/**
 * Reads on chain what the service says of an order: each transaction must be there, succeed, and move as much as is said, by
 * its Transfer logs. The native asset, and a source that lies in a strategy, leave no logs of ours: there the word of the
 * service counts once its transaction is confirmed.
 */
export async function verifyOrder(run: HedgeRun, order: IntentOrderRecord): Promise<VerifiedOrder> {
  const { opened } = record(run);
  const { src, dest, maker, beneficiary, way } = opened;
  const receiver = beneficiary ?? maker;
  const transactions: OrderTransactions = [];
  const missing: string[] = [];
  let [spent, received] = [0n, 0n];

  const confirmed = async (
    chainId: number,
    hash: string,
    ends: { token: Address; account: Address; said: bigint | null },
  ) => {
    const receipt = await receiptOf(run.node(chainId), hash as Hex);
    if (receipt === null || receipt.status !== 'success') {
      missing.push(`${hash} on chain ${chainId}`);
      return null;
    }
    const { token, account, said } = ends;
    if (isNative(token) && said !== null) return said;
    const moved = movedTokens(receipt.logs, token, account);
    const size = moved < 0n ? -moved : moved;
    if (said === null || said === size) return size;
    if (size < said) missing.push(`${said - size} raw units in ${hash} on chain ${chainId}`);
    return size < said ? size : said;
  };
  const told = (amount: string | null | undefined) => (amount === null || amount === undefined ? null : BigInt(amount));

  for (const { originTx, destinationTx, spentAmount, receivedAmount } of order.transactions ?? []) {
    if (originTx) {
      const said = told(spentAmount);
      const parked = way.mode === 'productive' && said !== null;
      const ends = { token: src.address, account: maker, said };
      const found = await confirmed(src.chainId, originTx, parked ? { ...ends, token: NOWHERE } : ends);
      const amount = parked && found !== null ? said : found;
      spent += amount ?? 0n;
      transactions.push({ chainId: src.chainId, hash: originTx, kind: 'fill', amount: text(amount) });
    }
    const delivery = destinationTx ?? (src.chainId === dest.chainId ? originTx : null);
    if (delivery) {
      const ends = {
        token: dest.address,
        account: receiver,
        said: way.mode === 'external' ? null : told(receivedAmount),
      };
      const amount = await confirmed(dest.chainId, delivery, ends);
      received += amount ?? 0n;
      if (delivery !== originTx) {
        transactions.push({ chainId: dest.chainId, hash: delivery, kind: 'delivery', amount: text(amount) });
      }
    }
  }
  for (const { tx, chainId, token, amount: said } of order.refunds ?? []) {
    const address = token.toLowerCase() as Address;
    const amount = await confirmed(chainId, tx, { token: address, account: maker, said: BigInt(said) });
    transactions.push({ chainId, hash: tx, kind: 'refund', amount: text(amount) });
    if (chainId === src.chainId && address === src.address) spent -= amount ?? 0n;
    else if (chainId === dest.chainId && address === dest.address) received += amount ?? 0n;
    else missing.push(`the refund ${tx} in a token that is neither end of the hedge`);
  }
  return { spent, received, transactions, unconfirmed: missing.length === 0 ? null : missing.join(', ') };
}

/** Of which no log tells anything: only the transaction itself is looked at. */
const NOWHERE: Address = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';

function text(amount: bigint | null): string | null {
  return amount === null ? null : `${amount}`;
}
