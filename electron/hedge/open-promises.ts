import type { HedgeState } from '../contract/hedge.ts';
import type { Spender } from '../service/spender.ts';
import { type HedgeRun, record } from './hedge-run.ts';

/** The arguments of a token's own `permit`: seven words in hex. */
const EIP2612_LENGTH = 2 + 7 * 64;

/** It counts on what was built of it. One of these that waits lets others pass before it is signed. */
const IS_BUILT: ReadonlySet<HedgeState> = new Set(['built', 'simulated', 'signed', 'submitted']);
/** An allowance from here on is one that is never used up. */
const WITHOUT_END = 2n ** 255n;

/** What other hedges of the same maker and token count on already. Raw units. */
export interface OpenPromises {
  /** What they may still take through this spender. */
  amount: bigint;
  /**
   * One of them carries a permit of the token's own that is not used yet: on this spender, in an order or in something built that is not
   * signed, or on another one.
   */
  permit: 'none' | 'here' | 'built' | 'elsewhere';
}

/**
 * Reads what the hedges that run planned, built and signed, and what outlives hedges that have ended. An allowance that is set anew must
 * leave room for them, and a second permit of the same number would undo the first.
 */
export async function openPromises(run: HedgeRun, spender: Spender | null): Promise<OpenPromises> {
  const { chainId, maker, src } = record(run).opened;
  const found: OpenPromises = { amount: 0n, permit: 'none' };
  for (const { seq, state, opened, spent, pending } of run.log.all()) {
    const planned = state === 'opened' ? run.planned.get(seq) : undefined;
    const isPending = pending !== null;
    const counts = isPending || planned !== undefined || IS_BUILT.has(state);
    // One that ended while the others were read is among those that outlive their hedges, or counts nothing.
    if (seq === run.seq || !counts || !run.log.isRunning(seq)) continue;
    if (opened.chainId !== chainId || opened.maker !== maker || opened.src.address !== src.address) continue;
    if (isPending) {
      found.amount += await pendingNeed(run, seq, spender);
      continue;
    }
    const [built, permit] = await Promise.all([run.log.built(seq), run.log.last(seq, 'permit_signed')]);
    const isHere = (built ?? planned)?.spender === spender?.address;
    const left = BigInt(built?.most ?? planned?.amount ?? 0) - BigInt(spent);
    if (isHere && left > 0n) found.amount += left;
    const waits = permit?.permit.length === EIP2612_LENGTH && BigInt(spent) === 0n;
    if (!waits || found.permit === 'here') continue;
    if (isHere) found.permit = state === 'built' || state === 'simulated' ? 'built' : 'here';
    else if (found.permit === 'none') found.permit = 'elsewhere';
  }
  for (const { hedge, spender: taker, left, hasPermit } of run.outliving.all()) {
    const { opened } = hedge;
    if (opened.chainId !== chainId || opened.maker !== maker || opened.src.address !== src.address) continue;
    if (taker === spender?.address) found.amount += left;
    // Nothing of it has to be kept going, so its permit keeps no other allowance from being set.
    if (hasPermit && found.permit === 'none') found.permit = 'elsewhere';
  }
  return found;
}

/** What a hedge whose transaction is on its way takes through this spender once it is mined, raw units of the source. */
async function pendingNeed({ log }: HedgeRun, seq: number, spender: Spender | null): Promise<bigint> {
  const { pending, opened } = log.running(seq);
  if (pending !== null && pending.purpose !== 'approval') {
    const built = await log.built(seq);
    return built?.spender === spender?.address ? BigInt(built?.most ?? 0) : 0n;
  }
  // An allowance comes before anything else is built: what is sold is known, what a purchase takes is what it was set to.
  if (opened.side === 'SELL') return BigInt(opened.amount);
  const signed = await log.last(seq, 'transaction_signed');
  const set = BigInt(`0x${signed?.data.slice(-64) ?? '0'}`);
  return set < WITHOUT_END ? set : 0n;
}
