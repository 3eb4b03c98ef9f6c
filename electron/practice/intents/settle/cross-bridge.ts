import type { Address } from '../../../protocol/address.ts';
import { INTENT_BRIDGE_ESCROW } from '../../chain/artifacts.ts';
import type { IntentRow } from '../intent-store.ts';
import type { SignedIntent } from '../kinds/signed-intent.ts';
import { makeAttempt } from './attempt.ts';
import { type BridgeEnd, type IntentChain, type OrderState, readRefund, readRelease } from './intent-chain.ts';
import { type Crossing, chainOf, moveOn, type Relay, withNotes } from './relay.ts';
import { afterDelivery } from './take-fills.ts';

interface Under {
  row: IntentRow;
  intent: SignedIntent;
  state: OrderState;
  crossing: Crossing;
}

/**
 * Carries what lies in the bridge one step on: to the beneficiary, or back to the owner when the bridge does not work. False
 * when there is nothing to do yet.
 */
export async function crossBridge(relay: Relay, under: Under): Promise<boolean> {
  const { decided, since } = under.crossing;
  if (decided === 'release') return release(relay, under);
  if (decided === 'refund') return refund(relay, under);
  const waited = relay.now() - since;
  if (waited < 0) return waitAnew(relay, under);
  if (waited < (relay.bridgeDown.on ? relay.timing.patienceMs : relay.timing.bridgeMs)) return false;
  return decide(relay, under, relay.bridgeDown.on ? 'refund' : 'release');
}

/** The clock was set back: nobody knows how long it was. */
function waitAnew(relay: Relay, { row, crossing }: Under): boolean {
  moveOn(relay, row, (now) => withNotes(now, { crossing: { ...crossing, since: relay.now() } }));
  return true;
}

/** Kept before anything is sent: one lock never goes both ways. */
function decide(relay: Relay, { row, crossing }: Under, decided: 'release' | 'refund'): boolean {
  moveOn(relay, row, (now) => ({
    status: decided === 'release' ? 'BRIDGING' : 'REFUNDING',
    ...withNotes(now, { crossing: { ...crossing, decided } }),
  }));
  return true;
}

async function release(relay: Relay, under: Under): Promise<boolean> {
  const { row, intent, state, crossing } = under;
  const there = chainOf(relay, Number(intent.bridge.destinationChainId));
  const paid = await readRelease(there, crossing.id);
  if (paid !== null) {
    const fill = crossing.fill ?? row.transactions.length - 1;
    moveOn(relay, row, (now) => arrived(now, fill, paid, afterDelivery(now, intent, state)));
    return true;
  }
  const args = [crossing.id, intent.bridge.outputToken, intent.beneficiary, BigInt(crossing.output)];
  const reason = await makeAttempt(relay, row.id, escrowCall(relay, there, 'release', args));
  if (reason === null) return true;
  // The other end cannot pay, and has not: nothing was sent there that is not decided.
  relay.log.warn(`intent ${row.id}: the bridge cannot pay at its other end: ${reason}`);
  return decide(relay, under, 'refund');
}

function arrived(
  row: IntentRow,
  fill: number,
  { transactionHash, amount }: BridgeEnd,
  status: 'COMPLETED' | 'CANCELLING' | 'ACTIVE',
) {
  const before = row.transactions[fill];
  if (before === undefined) throw new Error(`order ${row.id} crosses without a fill`);
  const entry = { ...before, destinationTx: transactionHash, receivedAmount: `${amount}` };
  return {
    status,
    transactions: row.transactions.with(fill, entry),
    output: { ...row.output, executedAmount: `${BigInt(row.output.executedAmount) + amount}` },
    ...withNotes(row, { crossing: null }),
  };
}

async function refund(relay: Relay, { row, crossing }: Under): Promise<boolean> {
  const here = chainOf(relay, row.chainId);
  const back = await readRefund(here, crossing.id);
  if (back === null) {
    const reason = await makeAttempt(relay, row.id, escrowCall(relay, here, 'refund', [crossing.id]));
    if (reason !== null) throw new Error(`the bridge does not pay back: ${reason}`);
    return true;
  }
  const { transactionHash: tx, token, amount } = back;
  const entry = { tx, chainId: row.chainId, token: token.toLowerCase() as Address, amount: `${amount}` };
  moveOn(relay, row, (now) => ({
    status: 'REFUNDED',
    refunds: [...now.refunds, entry],
    ...withNotes(now, { crossing: null }),
  }));
  return true;
}

function escrowCall({ operatorKey: key }: Relay, chain: IntentChain, functionName: string, args: readonly unknown[]) {
  return { chain, key, artifact: INTENT_BRIDGE_ESCROW, to: chain.addresses.escrow, functionName, args };
}
