import { INTENT_SETTLEMENT } from '../../chain/artifacts.ts';
import type { IntentRow } from '../intent-row.ts';
import { makeAttempt, type RelayCall } from './attempt.ts';
import { type Bid, collectBids } from './auction.ts';
import { nextAmount } from './fill-part.ts';
import type { IntentChain } from './intent-chain.ts';
import type { OrderState } from './read-intent.ts';
import { moveOn, type Relay } from './relay.ts';
import { notesOf, type RelayNotes, withNotes } from './relay-notes.ts';
import { intentOf, type SignedIntent } from './signed-intent.ts';

/** Texts of the contract for what passes by itself, or is seen by the next look at the order. */
const PASSING =
  /INSUFFICIENT_OUTPUT|Excessive input|Slice too early|Order expired|Order cancelled|Already filled|Insufficient/;

/**
 * Holds an auction for the next fill of an order and has the best bid settled. Until it is over a cancellation waits (PROTOCOL 13).
 * False when nobody bid, or the contract did not take the bid: the order stays as it was.
 */
export async function fillOrder(
  relay: Relay,
  chain: IntentChain,
  { row, intent, state }: { row: IntentRow; intent: SignedIntent; state: OrderState },
): Promise<boolean> {
  const open = moveOn(relay, row, () => ({ auctionStartedAt: relay.now() }));
  await relay.pause(relay.timing.auctionMs, relay.signal);
  if (relay.signal.aborted) throw new Error('the relayer stops');
  const amount = nextAmount(intent, state);
  const bids = amount === null ? [] : await collectBids(relay, chain, intent, amount);
  const [best] = bids;
  if (best === undefined) {
    endAuction(relay, open, state.fills);
    return false;
  }
  relay.log.info(`intent ${row.id}: ${best.solver.name} fills, the best of ${bids.length}`);
  const active = moveOn(relay, open, () => ({ status: 'ACTIVE' }));
  const reason = await makeAttempt(relay, row.id, fillCall(chain, active, best, state.fills));
  if (reason === null) return true;
  endAuction(relay, active, state.fills, failureOf(relay, active, reason));
  return false;
}

/** Notes that the contract refused an order; what passes is no failure of it. */
export function failureOf({ log }: Relay, row: IntentRow, reason: string): Partial<RelayNotes> {
  log.warn(`intent ${row.id}: the contract refuses it: ${reason}`);
  return PASSING.test(reason) ? {} : { failures: notesOf(row).failures + 1 };
}

/** No fill came of it: whoever asked to cancel meanwhile has their turn. */
export function endAuction(relay: Relay, row: IntentRow, fills: number, changes: Partial<RelayNotes> = {}): void {
  const open = fills === 0 ? 'PENDING' : 'ACTIVE';
  moveOn(relay, row, (now) => ({
    auctionStartedAt: null,
    status: now.cancelAskedAt === null ? open : 'CANCELLING',
    ...withNotes(now, changes),
  }));
}

function fillCall(chain: IntentChain, row: IntentRow, { solver, amount, offer }: Bid, fills: number): RelayCall {
  const { key } = solver;
  const args = [intentOf(row), row.signature, { fills: BigInt(fills), amount, offer }];
  return { chain, key, artifact: INTENT_SETTLEMENT, to: chain.addresses.intents, functionName: 'fill', args };
}
