import type { HedgeDetail, QuotedWay } from '../../contract/hedge.ts';
import type { HedgeStep } from '../../contract/hedge-steps.ts';
import type { HedgeCorrection } from '../../contract/hedge-terms.ts';
import type { CancelledIntents } from '../../contract/still-live.ts';
import type { VenueAbout } from '../../contract/venue.ts';
import type { HedgeOpened } from '../../journal/hedges/events.ts';
import type { HedgeRecord } from '../../journal/hedges/fold.ts';
import type { Hex } from '../../protocol/address.ts';
import { DeskError } from '../../protocol/desk-error.ts';
import type { Spender } from '../../service/spender.ts';
import type { BlockRange } from '../block-ranges.ts';
import type { HedgeLog } from '../hedge-log.ts';
import type { HedgeNode } from '../hedge-node.ts';
import type { HedgeParts } from '../hedge-parts.ts';
import type { HedgeRun } from '../hedge-run.ts';
import type { Built, SignedLeft } from '../hedge-steps.ts';

/** A hedge that has ended with a signature that is still good, and the blocks of its chain that are looked at. */
export interface LateRun extends Pick<HedgeRun, 'parts' | 'node' | 'signal'> {
  hedge: HedgeRecord;
  steps: readonly HedgeStep[];
  blocks: BlockRange;
}

/** What is to be traded, in raw units, with its tokens as they are listed. */
export type Ends = Pick<
  HedgeOpened,
  'chainId' | 'maker' | 'src' | 'dest' | 'side' | 'amount' | 'slippageBps' | 'beneficiary'
>;

/** A hedge with its journal, and who can be asked about it. */
export type VenueRun = Pick<HedgeRun, 'parts' | 'log' | 'seq' | 'node'>;

/** What a hedge would spend, as its venue prices it now. Raw units. */
export interface Spending {
  /** For whose contracts an allowance is set. */
  mode: Spender['mode'];
  spender: Spender | null;
  amount: bigint;
  /** `later`: no permit lasts until it is settled. */
  settlement: 'now' | 'later';
  /** What the price is of, and what it offers for it. */
  priced: bigint;
  offered: bigint;
}

/** A stage of a hedge, and whether it is behind it. */
export type Stage = readonly [name: string, isBehind: boolean];

/**
 * Where a hedge can be done. Nothing outside `venues/` asks which one it is: what they differ in, each declares or does here. A new
 * one is a folder and a line of the list in `venues.ts`.
 */
export interface Venue {
  /** Its name and its kinds of hedges: all that the console knows of it. */
  readonly about: VenueAbout;
  /** Why nothing can be hedged there on this chain now, for a person; null where nothing speaks against it. */
  lack(parts: HedgeParts, chainId: number): string | null;
  /** Throws DeskError `bad_terms` for a way that cannot be carried out so. `now` is Unix milliseconds. */
  check(opened: HedgeOpened, now: number): void;
  /** What it offers now, its first choice first. Null for a venue without prices. Throws ServiceFault, DeskError. */
  readonly quote: ((parts: HedgeParts, chain: HedgeNode, ends: Ends) => Promise<QuotedWay[]>) | null;
  /** What this hedge would spend now; does nothing. Null where nothing is spent by it. Throws ServiceFault, DeskError. */
  prepare(parts: HedgeParts, opened: HedgeOpened): Promise<Spending | null>;
  /** What the other amount is fixed to by its terms, raw units; null where a price decides. */
  limitOf(opened: HedgeOpened): bigint | null;
  /** The most that a purchase takes of its source by its terms alone, raw units; null where they do not say. */
  mostOf(opened: HedgeOpened): bigint | null;
  /** Whether the maker's own wallet has to send it: then nothing is signed here. */
  handsOut(parts: HedgeParts, opened: HedgeOpened): boolean;
  /** What was built last by the steps of a hedge; null where nothing was yet. */
  built(steps: readonly HedgeStep[]): Built | null;
  /** What was signed for others to carry out, as its chain may still take it; null where nothing was. */
  left(hedge: Pick<HedgeRecord, 'opened' | 'received'>, steps: readonly HedgeStep[]): SignedLeft | null;
  /**
   * From the wish to what is signed, in the turn of the account: price, allowance, build, check, sign. Each step is written before
   * its effect. Throws HedgeOver, DeskError, ServiceFault where nothing comes of it.
   */
  sign(run: HedgeRun): Promise<void>;
  /**
   * From what is signed to its end, also of a desk that was killed: what was signed is looked up, and nothing else is ever sent.
   * `fresh`: it was signed just now.
   */
  follow(run: HedgeRun, fresh: boolean): Promise<void>;
  /** Whether the next hedge of the account waits until this one is followed to its end: it is judged by what that leaves. */
  readonly followsInTurn: boolean;
  /** Whether what is signed of it may be asked to end, and how that is asked. Throws DeskError, ServiceFault. */
  isCancellable(hedge: HedgeRecord): boolean;
  cancel(run: VenueRun, actor: string): Promise<void>;
  /** Has everything of a chain cancelled that may be, also what no hedge knows of; null where there is nothing of that kind. */
  readonly cancelAll: ((asking: CancellingAll) => Promise<CancelledIntents[]>) | null;
  /**
   * What these blocks of the chain took of an order after its hedge had ended and no step tells yet, as a step; null for nothing. Null
   * where nothing that is signed outlives its hedge. Throws DeskError of the node.
   */
  readonly filledLate: ((run: LateRun) => Promise<HedgeStep | null>) | null;
  /** Books the transaction that a person names as the one of the maker's wallet. Throws DeskError `not_mined`, `not_this_hedge`. */
  bookTransaction(run: VenueRun, hash: Hex, actor: string): Promise<void>;
  /**
   * The step that corrects what a person entered, or strikes it out. `now` is Unix milliseconds. Throws DeskError `not_correctable`,
   * `bad_terms`.
   */
  correct(hedge: HedgeRecord, steps: readonly HedgeStep[], by: HedgeCorrection, now: number): HedgeStep;
  /** What the owner of a contract maker has to send. */
  calldata(hedge: HedgeRecord, steps: readonly HedgeStep[]): HedgeDetail['calldata'];
  /** The transaction of the maker that is the trade, where there is one: what was mined, else the newest. */
  transactionOf(hedge: HedgeRecord): string | null;
  /** The stages of its way, in order. */
  stages(hedge: HedgeRecord, steps: readonly HedgeStep[]): Stage[];
}

/** What most venues say to the rarer questions: nothing of theirs is fixed, handed out, called back or corrected. */
export const USUAL: Omit<
  Venue,
  'about' | 'check' | 'quote' | 'prepare' | 'sign' | 'follow' | 'followsInTurn' | 'stages'
> = {
  lack: () => null,
  limitOf: () => null,
  mostOf: () => null,
  built: () => null,
  left: () => null,
  handsOut: () => false,
  isCancellable: () => false,
  async cancel() {
    throw new DeskError('not_cancellable', 'This hedge is signed and on its way: it cannot be called back.');
  },
  cancelAll: null,
  filledLate: null,
  async bookTransaction() {
    throw new DeskError('not_this_hedge', 'This hedge waits for no transaction of a wallet.');
  },
  correct() {
    throw new DeskError('not_correctable', 'Only what was entered by hand, and is not struck out, is corrected.');
  },
  calldata: () => [],
  transactionOf: () => null,
};

/** Whose orders are to be cancelled, and for whom. */
export interface CancellingAll {
  parts: HedgeParts;
  node: (chainId: number) => HedgeNode;
  log: HedgeLog;
  chainId: number;
  dryRun: boolean;
  actor: string;
}

/** Whether one of these steps was taken, of this transaction where one is meant. */
export function hasStep(
  steps: readonly HedgeStep[],
  names: readonly HedgeStep['step'][],
  of?: 'approval' | 'swap',
): boolean {
  return steps.some(
    (step) => names.includes(step.step) && (of === undefined || !('purpose' in step) || step.purpose === of),
  );
}

/** The stage in which a contract is let to take the source; it is behind a hedge that was built. */
export function allowanceStage(steps: readonly HedgeStep[], isBuilt: boolean): Stage {
  const isSet = hasStep(steps, ['transaction_signed'], 'approval') || hasStep(steps, ['permit_signed']);
  const name = isSet || !isBuilt ? 'Allowance' : 'Allowance was enough';
  return [name, isBuilt || hasStep(steps, ['transaction_mined'], 'approval')];
}
