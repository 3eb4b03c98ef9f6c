import { ENDED_STATUSES } from '../../../protocol/intent-order-record.ts';
import { INTENT_SETTLEMENT } from '../../chain/artifacts.ts';
import { allowanceOf } from '../../chain/read-amount.ts';
import type { IntentRow } from '../intent-store.ts';
import { intentOf, kindNamed } from '../kinds/kinds.ts';
import { isProductive, type SignedIntent } from '../kinds/signed-intent.ts';
import { permitKind } from '../order-permit.ts';
import { finishAttempt, makeAttempt } from './attempt.ts';
import { crossBridge } from './cross-bridge.ts';
import { endAuction, failureOf, fillOrder } from './fill-order.ts';
import { inputOf, isFilled, nextAmount } from './fill-part.ts';
import {
  chainSeconds,
  type IntentChain,
  isSigned,
  type OrderState,
  permit2Of,
  readFills,
  readFunds,
  readState,
} from './intent-chain.ts';
import { chainOf, moveOn, notesOf, type Relay, withNotes } from './relay.ts';
import { afterFill, withoutFills } from './take-fills.ts';
import { type Looked, takenBack, watchEnded } from './taken-back.ts';

/** An order that could not be filled so often in a row has failed. */
const MOST_FAILURES = 3;

/** `again`: there may be more to do at once; `later`: after a while; `wait`: something else has to happen first. */
type Next = 'again' | 'later' | 'wait';

/**
 * Takes an open order one step on (PROTOCOL 13). What a chain has decided comes first, so that an order can be taken up again
 * wherever it was left. One that has ended is looked at as long as its chains may take its end back, and then goes on.
 * @throws Superseded, and what a node says that is away
 */
export async function carryOn(relay: Relay, id: string): Promise<Next> {
  await finishAttempt(relay, id);
  const row = relay.store.byId(id);
  if (row === null) return 'wait';
  const chain = chainOf(relay, row.chainId);
  const looked = { chain, row, intent: intentOf(row), state: await readState(chain, row.orderHash) };
  if (looked.state.fills > row.transactions.length) return takeFill(relay, looked);
  if (looked.state.fills < row.transactions.length) {
    relay.log.warn(`intent ${id}: its chain took back ${row.transactions.length - looked.state.fills} of its fills`);
    moveOn(relay, row, (now) => withoutFills(now, looked.state.fills));
    return 'again';
  }
  if (await takenBack(relay, looked)) return 'again';
  if (ENDED_STATUSES.has(row.status)) {
    await watchEnded(relay, looked);
    return 'later';
  }
  const { crossing } = notesOf(row);
  if (crossing !== null) return (await crossBridge(relay, { ...looked, crossing })) ? 'again' : 'wait';
  if (row.auctionStartedAt !== null) {
    endAuction(relay, row, looked.state.fills);
    return 'again';
  }
  return (await ended(relay, looked)) ?? (await held(relay, looked)) ?? (await fill(relay, looked));
}

async function takeFill(relay: Relay, { chain, row, intent, state }: Looked): Promise<Next> {
  const fills = await readFills(chain, row.orderHash);
  const next = fills.get(row.transactions.length);
  if (next === undefined) return 'wait';
  const known = { ...state, fills: row.transactions.length + 1 };
  moveOn(relay, row, (now) => afterFill(now, next, { intent, state: known, now: relay.now() }));
  return 'again';
}

/** What makes an end of the order, or has made one. */
async function ended(relay: Relay, looked: Looked): Promise<Next | null> {
  const { chain, row, intent, state } = looked;
  const { ending, failures } = notesOf(row);
  if (isFilled(intent, state)) return end(relay, row, 'COMPLETED');
  if (state.cancelled) return end(relay, row, ending ?? 'CANCELLED');
  if (row.status === 'CANCELLING' || (ending !== null && state.parked)) {
    const reason = await makeAttempt(relay, row.id, orderCall(relay, looked, 'cancel', []));
    if (reason !== null) throw new Error(`the contract does not cancel: ${reason}`);
    return 'again';
  }
  // By the chain's clock, as the contract has it: ours may jump.
  const isOver = BigInt(await chainSeconds(chain)) > intent.deadline;
  const why = failures >= MOST_FAILURES ? 'FAILED' : isOver ? 'EXPIRED' : null;
  if (why === null) return null;
  if (!state.parked) return end(relay, row, why);
  moveOn(relay, row, (now) => withNotes(now, { ending: why }));
  return 'again';
}

function end(relay: Relay, row: IntentRow, status: 'COMPLETED' | 'CANCELLED' | 'EXPIRED' | 'FAILED'): Next {
  moveOn(relay, row, () => ({ status, nextSliceAt: null }));
  return 'wait';
}

/** What keeps the order from being filled now: its signature, its funds, its strategy or its time. */
async function held(relay: Relay, looked: Looked): Promise<Next | null> {
  const { chain, row, intent, state } = looked;
  const { orderHash, signature } = row;
  if (row.status === 'AWAITING_SIGNATURE') {
    if (!(await isSigned(chain, { owner: intent.owner, orderHash, signature }))) return 'wait';
    moveOn(relay, row, () => ({ status: 'PENDING' }));
    return 'again';
  }
  const covered = await isCovered(chain, intent, state, nextAmount(intent, state) ?? 0n);
  const opened = state.fills === 0 ? 'PENDING' : 'ACTIVE';
  if (!covered && row.status !== 'SUSPENDED') moveOn(relay, row, () => ({ status: 'SUSPENDED' }));
  if (!covered) return 'wait';
  if (row.status === 'SUSPENDED') {
    moveOn(relay, row, () => ({ status: opened }));
    return 'again';
  }
  if (isProductive(intent) && !state.parked) {
    const reason = await makeAttempt(relay, row.id, orderCall(relay, looked, 'park', [signature]));
    if (reason === null) return 'again';
    moveOn(relay, row, (now) => withNotes(now, failureOf(relay, now, reason)));
    return 'later';
  }
  const dueAt = kindNamed(row.onChainOrderType).dueAt?.(intent, state, row.order) ?? 0;
  return dueAt > 0 && (await chainSeconds(chain)) < dueAt ? 'wait' : null;
}

async function fill(relay: Relay, looked: Looked): Promise<Next> {
  return (await fillOrder(relay, looked.chain, looked)) ? 'again' : 'later';
}

function orderCall(relay: Relay, { chain, intent }: Looked, functionName: string, more: readonly unknown[]) {
  const { operatorKey: key } = relay;
  const args = [intent, ...more];
  return { chain, key, artifact: INTENT_SETTLEMENT, to: chain.addresses.intents, functionName, args };
}

/** Whether the owner has what the next fill may take, and the intent contract may take it (PROTOCOL 13, SUSPENDED). */
async function isCovered(
  chain: IntentChain,
  intent: SignedIntent,
  state: OrderState,
  amount: bigint,
): Promise<boolean> {
  if (state.parked) return true;
  const { owner, srcToken, permit } = intent;
  const needed = inputOf(intent, amount);
  const { balance, allowance } = await readFunds(chain, { owner, srcToken });
  if (balance < needed) return false;
  const kind = permitKind(permit);
  if (kind === 'permit2') {
    return (await allowanceOf(chain.chain.client, srcToken, owner, await permit2Of(chain))) >= needed;
  }
  // A permit of the token was good when the order was taken in, and is used by the first fill.
  return allowance >= needed || (kind === 'eip2612' && state.fills === 0);
}
