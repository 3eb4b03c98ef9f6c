import { NATIVE_TOKEN } from '../../../protocol/route-token.ts';
import { balanceOf } from '../../chain/read-amount.ts';
import { afterFees, partOf, wholeOf } from './fill-part.ts';
import type { IntentChain } from './intent-chain.ts';
import { wrappedOf } from './read-intent.ts';
import type { PriceAsk, Relay, Solver } from './relay.ts';
import { hasFlag, isBuy, isSliced, type SignedIntent } from './signed-intent.ts';

const WHOLE_BPS = 10_000n;

/** What a solver would do, raw units. */
export interface Bid {
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
export async function collectBids(
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
  const spread = BigInt(spreadBps);
  if (buy) return (price * (WHOLE_BPS + spread) + WHOLE_BPS - 1n) / WHOLE_BPS;
  return (price * (WHOLE_BPS - spread)) / WHOLE_BPS;
}

/** By the price of one unit; of two alike the larger one comes first. */
function compare(a: Bid, b: Bid, buy: boolean): number {
  const [first, second] = [a.offer * b.amount, b.offer * a.amount];
  if (first === second) return a.amount > b.amount ? -1 : a.amount < b.amount ? 1 : 0;
  return first > second === buy ? 1 : -1;
}
