import { utcText } from '../contract/names.ts';
import type { HedgeRecord } from '../journal/hedges/fold.ts';
import type { Address } from '../protocol/address.ts';
import { pause } from '../time/pause.ts';
import type { HedgeLog } from './hedge-log.ts';
import type { HedgeNode } from './hedge-node.ts';
import type { HedgeParts } from './hedge-parts.ts';
import type { OutlivingOrder } from './hedge-steps.ts';

/** A price is no good to sign on after about 30 s (PROTOCOL 18). */
export const FRESH_MS = 30_000;
/** Hedges whose transactions are known to be of something else. */
const OTHERS = 500;
const ALONE = 'This desk is alone in its fleet, and another one may take over and hedge the same.';

/** What a hedge is to let which contract take, from the moment that it is planned: raw units. Undefined where no contract takes it. */
export interface PlannedAllowance {
  spender: Address | undefined;
  amount: bigint;
}

/** One hedge on its way. */
export interface HedgeRun {
  readonly parts: HedgeParts;
  readonly log: HedgeLog;
  readonly seq: number;
  /** Orders of hedges that have ended, which their chain may still take. */
  readonly outliving: { all(): OutlivingOrder[] };
  /** Allowances that hedges of this desk planned, by their rows. */
  readonly planned: Map<number, PlannedAllowance>;
  /** Ends whatever waits: the desk is being closed. */
  readonly signal: AbortSignal;
  /** A person wants it to end before anything is signed. */
  readonly givenUp: () => string | null;
  /** A chain, on a connection that is shared. Throws DeskError `unknown_chain`. */
  readonly node: (chainId: number) => HedgeNode;
  /** Lets the hedges behind it have their turn: what it waits for may take long. */
  readonly letPass: () => void;
  /** How often the service is asked for an order, milliseconds. */
  readonly pollMs: number;
  /** How often what is waited for on a chain, or of a person, is looked at again, milliseconds. */
  readonly lookMs: number;
}

/** The hedge came to its end, for this reason; nothing of it is under way. */
export class HedgeOver extends Error {
  readonly outcome: 'failed' | 'cancelled';

  constructor(outcome: 'failed' | 'cancelled', sentence: string) {
    super(sentence);
    this.name = 'HedgeOver';
    this.outcome = outcome;
  }
}

export const record = ({ log, seq }: HedgeRun): HedgeRecord => log.running(seq);

/** Waits a little. Throws when the desk is being closed: the hedge is taken up again by the next one. */
export async function rest({ signal }: Pick<HedgeRun, 'signal'>, milliseconds: number): Promise<void> {
  signal.throwIfAborted();
  await pause(milliseconds, signal);
  signal.throwIfAborted();
}

/** Whether the chain is halted, by itself or with the whole desk. */
export function isHalted({ guard }: Pick<HedgeParts, 'guard'>, chainId: number): boolean {
  guard.trading.tick();
  return guard.trading.stateOf({ chainId }) === 'HALTED';
}

/**
 * Whether something may be signed or sent now: the desk is not halted, or a person confirmed it; and it is not alone in its fleet, where
 * a standby may do the same, whatever was confirmed. What is to be sent is asked about after its row is durable: the row of a desk that
 * was left alone meanwhile stands nowhere but here.
 */
export function isAllowed(run: HedgeRun): boolean {
  if (run.parts.guard.trading.isAlone) return false;
  const { confirmed, opened } = record(run);
  return confirmed || !isHalted(run.parts, opened.chainId);
}

/**
 * Whether a price of that moment, Unix milliseconds, may still be signed on; of infinity always. One of a time to come is of before our
 * clock was set back, and nobody knows how old.
 */
export function isFresh({ parts }: Pick<HedgeRun, 'parts'>, pricedAt: number): boolean {
  const age = parts.now() - pricedAt;
  return pricedAt === Number.POSITIVE_INFINITY || (age >= 0 && age <= FRESH_MS);
}

/**
 * Says that it is held because the desk is halted, or alone in its fleet; one at a price of that moment, Unix milliseconds, only until that
 * is too old.
 */
export function sayHeld(run: HedgeRun, what: string, pricedAt: number | null = null): Promise<void> {
  const until = pricedAt === null ? '' : `, until ${utcText(pricedAt + FRESH_MS)}: then its price is too old`;
  const [why, goesOn] = run.parts.guard.trading.isAlone
    ? [ALONE, 'It can go on once the fleet has all of the rows of this one']
    : ['The desk is halted.', 'It goes on when you let it, or when the desk resumes'];
  return run.log.wait(run.seq, `${why} ${what} ${goesOn}${until}.`, true);
}

/**
 * Asked before anything is signed: while the desk is halted only what a person confirmed goes on, and while it is alone in its fleet
 * nothing. The rest is held until they do or the desk resumes, it is given up, or its deadline is over. Never waited for in a turn of the
 * account: an emergency needs that turn. Gives whether it was held: others may have signed meanwhile.
 */
export async function mayGoOn(run: HedgeRun): Promise<boolean> {
  for (let wasHeld = false; ; wasHeld = true) {
    run.signal.throwIfAborted();
    const reason = run.givenUp();
    if (reason !== null) throw new HedgeOver('cancelled', reason);
    if (run.parts.now() / 1_000 > record(run).opened.deadline) {
      throw new HedgeOver('failed', 'Its deadline passed before it was signed.');
    }
    if (isAllowed(run)) return wasHeld;
    run.letPass();
    await sayHeld(run, 'Nothing was signed.');
    await rest(run, run.lookMs);
  }
}

/** The newest hedges beside this one. */
export async function otherHedges({ parts, seq }: Pick<HedgeRun, 'parts' | 'seq'>): Promise<HedgeRecord[]> {
  return (await parts.journal.read.hedges({ limit: OTHERS })).filter((hedge) => hedge.seq !== seq);
}

/** Transactions that are known to be of other hedges. */
export async function ofOtherHedges(run: Pick<HedgeRun, 'parts' | 'seq'>): Promise<Set<string>> {
  return new Set((await otherHedges(run)).flatMap(({ transactions }) => transactions.map(({ hash }) => hash)));
}
