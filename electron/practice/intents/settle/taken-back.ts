import { DEEPEST_REORG } from '../../chain/preparation.ts';
import type { IntentPatch, IntentRow } from '../intent-store.ts';
import type { SignedIntent } from '../kinds/signed-intent.ts';
import { type IntentChain, lockId, type OrderState, readLock } from './intent-chain.ts';
import { type Crossing, chainOf, moveOn, notesOf, type Relay, type RelayNotes, withNotes } from './relay.ts';

/** An order with what its chain says of it. */
export interface Looked {
  chain: IntentChain;
  row: IntentRow;
  intent: SignedIntent;
  state: OrderState;
}

/**
 * Looks whether the chains have taken back what the order's record says of them beside its fills: a payment at the other
 * end of the bridge, a way back, a cancellation. What is gone is done again: true when there is any.
 */
export async function takenBack(relay: Relay, looked: Looked): Promise<boolean> {
  const change = (await lostCrossing(relay, looked)) ?? lostEnding(looked);
  if (change === null) return false;
  relay.log.warn(`intent ${looked.row.id}: its chain took back ${change.what}`);
  moveOn(relay, looked.row, change.patch);
  return true;
}

interface Change {
  what: string;
  patch(now: IntentRow): IntentPatch;
}

async function lostCrossing(relay: Relay, { chain, row, intent }: Looked): Promise<Change | null> {
  if (row.destChainId === null || notesOf(row).crossing !== null) return null;
  const there = chainOf(relay, Number(intent.bridge.destinationChainId));
  for (const [fill, { destinationTx }] of row.transactions.entries()) {
    const id = lockId(chain, row.orderHash, fill);
    if (destinationTx !== null) {
      if (!(await readLock(there, id)).released) return unpaid(relay, id, fill);
    } else if (row.refunds.length > 0 && !(await readLock(chain, id)).refunded) {
      return unrefunded(relay, id, fill);
    }
  }
  return null;
}

function unpaid(relay: Relay, id: Crossing['id'], fill: number): Change {
  return {
    what: 'a payment',
    patch(now) {
      const before = now.transactions[fill];
      const paid = BigInt(before?.receivedAmount ?? 0);
      const entry = before && { ...before, destinationTx: null, receivedAmount: '0' };
      return {
        status: 'BRIDGING',
        ...(entry && { transactions: now.transactions.with(fill, entry) }),
        output: { ...now.output, executedAmount: `${BigInt(now.output.executedAmount) - paid}` },
        ...crossAgain(relay, now, { id, fill, output: `${paid}`, decided: 'release' }),
      };
    },
  };
}

function unrefunded(relay: Relay, id: Crossing['id'], fill: number): Change {
  return {
    what: 'a refund',
    patch: (now) => ({
      status: 'REFUNDING',
      refunds: [],
      ...crossAgain(relay, now, { id, fill, output: '0', decided: 'refund' }),
    }),
  };
}

function crossAgain(relay: Relay, row: IntentRow, crossing: Omit<Crossing, 'since'>) {
  return withNotes(row, { crossing: { ...crossing, since: relay.now() }, endedAt: null });
}

/** A cancellation that is not there any more, or the way out of a strategy. */
function lostEnding({ row: { status }, state }: Looked): Change | null {
  const again = (next: 'CANCELLING' | 'ACTIVE', notes: Partial<RelayNotes>) => ({
    what: 'its cancellation',
    patch: (now: IntentRow) => ({ status: next, ...withNotes(now, { ...notes, endedAt: null }) }),
  });
  if (status === 'CANCELLED' && !state.cancelled) return again('CANCELLING', {});
  if ((status === 'EXPIRED' || status === 'FAILED') && state.parked) return again('ACTIVE', { ending: status });
  return null;
}

/** Notes how high the chains of an order were that has ended, and once no reorganisation reaches back so far, that its end is final. */
export async function watchEnded(relay: Relay, { row }: Looked): Promise<void> {
  const { endedAt } = notesOf(row);
  const chains = [row.chainId, ...(row.destChainId === null ? [] : [row.destChainId])].map((id) => chainOf(relay, id));
  const heights = await Promise.all(
    chains.map(async ({ chain }) => [`${chain.chainId}`, Number(await chain.client.getBlockNumber())] as const),
  );
  const now = relay.store.byId(row.id);
  if (now?.status !== row.status || relay.signal.aborted) return;
  const isFinal = heights.every(([id, height]) => height > (endedAt?.[id] ?? height) + DEEPEST_REORG);
  if (endedAt !== null && !isFinal) return;
  const changes = isFinal ? { final: true } : { endedAt: Object.fromEntries(heights) };
  relay.store.note(row.id, withNotes(now, changes).bridgeState);
}
