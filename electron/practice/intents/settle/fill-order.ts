import { NATIVE_TOKEN } from '../../../protocol/route-token.ts';
import { lessBps, moreBps } from '../../basis-points.ts';
import { INTENT_SETTLEMENT } from '../../chain/artifacts.ts';
import { balanceOf } from '../../chain/read-amount.ts';
import type { IntentRow } from '../intent-store.ts';
import { intentOf } from '../kinds/kinds.ts';
import { hasFlag, isBuy, isSliced, type SignedIntent } from '../kinds/signed-intent.ts';
import { makeAttempt, type RelayCall } from './attempt.ts';
import { afterFees, nextAmount, partOf, wholeOf } from './fill-part.ts';
import { type IntentChain, type OrderState, wrappedOf } from './intent-chain.ts';
import { moveOn, notesOf, type PriceAsk, type Relay, type RelayNotes, type Solver, withNotes } from './relay.ts';

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

/** What a solver would do, raw units. */
interface Bid {
  solver: Solver;
  /** Of the side that is exact. */
  amount: bigint;
  /** SELL: what they give. BUY: what they want. */
  offer: bigint;
}

/**
 * The solvers' bids for the next fill of an order, the best first: none from a solver whose price does not keep to what was
 * signed, or who has not enough.
 */
async function collectBids(
  relay: Pick<Relay, 'solvers' | 'price' | 'wallet'>,
  chain: IntentChain,
  intent: SignedIntent,
  most: bigint,
): Promise<Bid[]> {
  const isNative = intent.destToken === NATIVE_TOKEN.toLowerCase();
  const token = isNative ? await wrappedOf(chain) : intent.destToken;
  const bids = await Promise.all(
    relay.solvers.map(async (solver): Promise<Bid | null> => {
      const amount = amountFor(solver, intent, most);
      const price = await relay.price(askOf(chain, intent, amount));
      if (price === null || price <= 0n) return null;
      const offer = offerAt(price, solver, isBuy(intent));
      if (!keepsTo(intent, amount, offer)) return null;
      const given = isBuy(intent) ? amount : offer;
      const stock = await balanceOf(chain.chain.client, token, relay.wallet(solver.key, chain).address);
      return stock < given ? null : { solver, amount, offer };
    }),
  );
  return bids.filter((bid) => bid !== null).sort((a, b) => compare(a, b, isBuy(intent)));
}

/** Whether a fill at this offer would give the owner what they signed for. */
export function keepsTo(intent: SignedIntent, amount: bigint, offer: bigint): boolean {
  const { limit, expected } = partOf(intent, amount);
  const own = afterFees(intent, offer, expected);
  return isBuy(intent) ? own <= limit : own >= limit;
}

/** All that is left, or as much as this solver takes at once. */
function amountFor({ mostPercent = 100 }: Solver, intent: SignedIntent, most: bigint): bigint {
  if (isSliced(intent) || !hasFlag(intent, 'partiallyFillable')) return most;
  const share = (wholeOf(intent) * BigInt(mostPercent)) / 100n;
  return share === 0n || share > most ? most : share;
}

function askOf({ chain }: IntentChain, intent: SignedIntent, amount: bigint): PriceAsk {
  const { srcToken, destToken, bridge } = intent;
  const side = isBuy(intent) ? 'BUY' : 'SELL';
  const crossing = bridge.destinationChainId === 0n ? null : bridge;
  return { chainId: chain.chainId, side, amount, srcToken, destToken, bridge: crossing };
}

/** Worse than the price by their spread, rounded for the solver. */
function offerAt(price: bigint, { spreadBps }: Solver, buy: boolean): bigint {
  return buy ? moreBps(price, spreadBps) : lessBps(price, spreadBps);
}

/** By the price of one unit; of two alike the larger one comes first. */
function compare(a: Bid, b: Bid, buy: boolean): number {
  const [first, second] = [a.offer * b.amount, b.offer * a.amount];
  if (first === second) return a.amount > b.amount ? -1 : a.amount < b.amount ? 1 : 0;
  return first > second === buy ? 1 : -1;
}
