import type { z } from 'zod';
import type {
  Draft,
  DraftEdit,
  ListingChange,
  PublishedLadder,
  PublishedWithOthers,
  SeenPair,
  SeenToken,
  TakenBack,
} from '../contract/book.ts';
import type { CounterpartyConfig, DeskFile } from '../contract/desk-file.ts';
import type { Formula } from '../contract/formula.ts';
import type { contractPinSchema } from '../contract/hedge.ts';
import type { Limits } from '../contract/limits.ts';
import type { Protection } from '../contract/protections.ts';
import type { ChainSet, DeskSet } from '../journal/book/events.ts';
import type { Address } from '../protocol/address.ts';
import { parseDecimal } from '../protocol/decimal.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { type Blacklisted, Blacklisting, type BlacklistRequest, type LetInRequest } from './blacklisting.ts';
import type { BookLog } from './book-log.ts';
import { type BookJournal, BookMemory, type Changeable } from './book-memory.ts';
import type { ChainBook } from './chain-book.ts';
import type { BookState, SetApart } from './chain-state.ts';
import { DraftShelf } from './draft-shelf.ts';
import { Drafts } from './drafts.ts';
import { Follower, type FollowOutcome, type ServedPrice } from './follower.ts';
import { type ImportedDesk, type ImportOptions, importDesk } from './import-desk.ts';
import { Listings } from './listings.ts';
import { PairTurns } from './pair-turns.ts';
import { DraftPublisher, type PublishRequest } from './publish-draft.ts';
import { PushedPrices } from './pushed-prices.ts';
import { isFurther } from './reference-fence.ts';
import { References } from './references.ts';
import { chainOf } from './refusals.ts';
import { PairRetirement } from './retire-pairs.ts';
import { setFollow } from './set-follow.ts';
import { expectFormula, type FormulaChange, setFormula } from './set-formula.ts';
import { setHand } from './set-hand.ts';
import { setLimits } from './set-limits.ts';
import { refuseUnlessSound, setProtections } from './set-protections.ts';
import { addTakers, setTaker, type TakerChange } from './set-takers.ts';
import type { UrlSeals } from './url-seals.ts';
import { writeDesk } from './write-desk.ts';

/** `now` gives Unix milliseconds; `log` hears of what is wrong and stops nothing; `seals` knows what is behind sealed URLs. */
export type BookOptions = { journal: BookJournal; now: () => number; log?: BookLog; seals?: UrlSeals };

/** What a time passing, not a person, did. */
const CLOCK = 'desk';

/** How near the reference has to be to what a person says it is, bps. */
const CLOSE_BPS = 100;

/**
 * What the desk lists, quotes and blacklists: tokens, pairs, ladders, limits, blacklists, and the drafts of ladders. Starts
 * are in force once they are durable; stops are in force at once, and are then written.
 */
export class Book {
  /** What the independent references last said. */
  readonly references: References;
  /** What engines push, and how fresh it is. */
  readonly pushed: PushedPrices;
  readonly #journal: BookJournal;
  readonly #now: () => number;
  readonly #memory: BookMemory;
  readonly #listings: Listings;
  readonly #retirement: PairRetirement;
  readonly #blacklisting: Blacklisting;
  readonly #shelf: DraftShelf;
  readonly #turns = new PairTurns();
  readonly #drafts: Drafts;
  readonly #publisher: DraftPublisher;
  readonly #follower: Follower;

  private constructor({ journal, now }: BookOptions, memory: BookMemory, shelf: DraftShelf) {
    this.#journal = journal;
    this.#now = now;
    this.references = new References(now);
    this.#memory = memory;
    this.#shelf = shelf;
    this.#listings = new Listings(memory, journal, now);
    this.#retirement = new PairRetirement(memory, now);
    this.#blacklisting = new Blacklisting(memory, now);
    const turns = this.#turns;
    this.#drafts = new Drafts(shelf, turns);
    this.#publisher = new DraftPublisher({ memory, shelf, turns, journal, references: this.references, now });
    this.#follower = new Follower(memory, shelf, turns, now);
    this.pushed = new PushedPrices({ memory, turns, references: this.references, now });
  }

  /** Reads the book from the journal. What went bad on the disk is set apart; everything else works. */
  static async open(options: BookOptions): Promise<Book> {
    const log = options.log ?? (() => undefined);
    const memory = await BookMemory.open(options.journal, log, options.seals);
    return new Book(options, memory, await DraftShelf.open(memory, options.journal, log));
  }

  /** What is behind the sealed URLs of its chains. */
  get seals(): UrlSeals {
    return this.#memory.seals;
  }

  /** Each chain as it is now; a snapshot never changes, a change puts another one in its place. */
  chains(): ChainBook[] {
    return [...this.#memory.chains.values()];
  }

  chain(chainId: number): ChainBook | undefined {
    return this.#memory.chains.get(chainId);
  }

  /** Who changed this of a chain last, since this desk started; null when nobody did. */
  changedBy(chainId: number, what: Changeable): string | null {
    return this.#memory.changedBy(chainId, what);
  }

  /** What concerns the whole desk: whether it was ever configured, its deadline, its counterparties without secrets. */
  desk(): Pick<
    BookState,
    | 'configured'
    | 'deadlineMs'
    | 'counterparties'
    | 'surfaceNames'
    | 'archiveAfterDays'
    | 'lockAfterMinutes'
    | 'remoteSigner'
    | 'protections'
    | 'deadManMinutes'
    | 'fingerprints'
  > & {
    /** Chains and counterparties that cannot be read. */
    setApart: readonly SetApart[];
  } {
    return this.#memory.committed;
  }

  /** Tells of each change: of one chain, or (null) of everything. Returns what ends that. */
  onChange(listener: (chainId: number | null) => void): () => void {
    return this.#memory.onChange(listener);
  }

  /** Tells of what is set by itself: where a chain is and how it is quoted, or (null) who may ask. Returns what ends that. */
  onSettings(listener: (chainId: number | null) => void): () => void {
    return this.#memory.onSettings(listener);
  }

  /**
   * Sets where a chain is and how it is quoted, as a desk file would that was found sound. Only for a chain that is halted:
   * `still` is called in the turn in which nothing else starts, and throws where that is not so any more. `urls`: see ParsedDesk.
   */
  setChain(
    chainId: number,
    config: ChainSet,
    { actor, urls, still }: { actor: string; urls: Readonly<Record<string, string>>; still: () => void },
  ): Promise<{ seq: number }> {
    return this.#memory.inTurn(async () => {
      still();
      this.#memory.seals.learn(urls);
      const body = { chainId, config };
      return { seq: await this.#memory.start({ time: this.#now(), actor, kind: 'chain_set', body }) };
    });
  }

  /** Sets what is named of the whole desk. Only for one that is halted: `still` is as for `setChain`. */
  setDesk(body: DeskSet, { actor, still }: { actor: string; still: () => void }): Promise<{ seq: number }> {
    return this.#memory.inTurn(async () => {
      still();
      return { seq: await this.#memory.setDesk({ time: this.#now(), actor, kind: 'desk_set', body }) };
    });
  }

  /** Sets who may ask, all of them, each with the fingerprint of their secret. */
  async setCounterparties(
    counterparties: readonly CounterpartyConfig[],
    { actor, fingerprints }: { actor: string; fingerprints: Record<string, string> },
  ): Promise<{ seq: number }> {
    const body = { counterparties: [...counterparties], fingerprints };
    const seq = await this.#memory.setCounterparties({ time: this.#now(), actor, kind: 'counterparties_set', body });
    return { seq };
  }

  /** Sets what may be signed and filled in a time, all rules anew. Throws FaultyInput `protections_refused`, DeskError `changed_meanwhile`. */
  setProtections(request: Parameters<typeof setProtections>[2]): Promise<{ seq: number }> {
    return setProtections(this.#memory, this.#now, request);
  }

  /** Throws FaultyInput `protections_refused` where the desk could not have such rules. */
  checkProtections(protections: readonly Protection[]): void {
    refuseUnlessSound(this.#memory, protections);
  }

  /** Replaces everything by a desk file, in one event. Only for a desk that is halted. Throws FaultyInput `desk_file_faulty`. */
  importDesk(desk: unknown, options: ImportOptions): Promise<ImportedDesk> {
    return importDesk(this.#memory, this.#now, desk, options);
  }

  /** The desk file that imports to the book as it is, without secrets; retired pairs are off in it. */
  async deskFile(): Promise<DeskFile> {
    const off = new Map(await this.#journal.read.switchedOff());
    return writeDesk(this.#memory.committed, off, this.#now());
  }

  saveToken(
    chainId: number,
    tokenId: string,
    token: unknown,
    actor: string,
    seen?: SeenToken | null,
  ): Promise<{ seq: number }> {
    return this.#listings.saveToken(chainId, tokenId, token, actor, seen);
  }

  /** The chain as it would be with this token or pair in its list; undefined where there is no such chain. Nothing is saved. */
  trialListing(chainId: number, change: ListingChange): ChainBook | undefined {
    return this.#listings.trial(chainId, change);
  }

  removeToken(chainId: number, tokenId: string, actor: string): Promise<{ seq: number }> {
    return this.#listings.removeToken(chainId, tokenId, actor);
  }

  savePair(
    chainId: number,
    pair: string,
    definition: unknown,
    actor: string,
    seen?: SeenPair | null,
  ): Promise<{ seq: number }> {
    return this.#listings.savePair(chainId, pair, definition, actor, seen);
  }

  retirePair(chainId: number, pair: string, actor: string): Promise<{ seq: number; until: number }> {
    return this.#retirement.retire(chainId, pair, actor);
  }

  /**
   * What the new limits make stricter is in force at once, what they loosen once it is written. Throws FaultyInput
   * `limits_refused`, and DeskError `limits_changed` where others than `seen` are in force.
   */
  setLimits(chainId: number, limits: Limits, actor: string, seen?: Limits): Promise<{ seq: number }> {
    return setLimits(this.#memory, this.#now, { chainId, limits, actor, seen });
  }

  /** From now on the service's router, or its intent contract, may be given tokens at this address. Throws DeskError `unknown_chain`. */
  async pinContract(pin: z.infer<typeof contractPinSchema>, actor: string): Promise<{ seq: number }> {
    chainOf(this.#memory, pin.chainId);
    return { seq: await this.#memory.start({ time: this.#now(), actor, kind: 'contract_pinned', body: pin }) };
  }

  /** A person's word on an execution contract. Throws DeskError `unknown_chain`, `never_taker` or `last_taker`. */
  setTaker(change: TakerChange): Promise<{ seq: number }> {
    return setTaker(this.#memory, this.#now, change);
  }

  /** Takes execution contracts that no person has to be asked about; null when all of them are in force. */
  addTakers(chainId: number, takers: readonly Address[], actor: string): Promise<number | null> {
    return addTakers(this.#memory, this.#now, { chainId, takers, actor });
  }

  /** Lets a ladder move with the reference, or leaves it alone. */
  setFollow(request: {
    chainId: number;
    pair: string;
    on: boolean;
    actor: string;
  }): Promise<{ seq: number; on: boolean }> {
    return setFollow(this.#memory, this.#turns, this.#now, request);
  }

  /**
   * Takes a pair over from engines, or gives it back to them: then the next prices that one pushes go live. What nobody has taken, its
   * engine goes on pricing.
   */
  async setHand(request: Parameters<typeof setHand>[2]): Promise<{ seq: number; on: boolean }> {
    const set = await setHand(this.#memory, this.#now, request);
    if (!request.on && set.seq !== 0) this.pushed.forget(request.chainId, request.pair);
    return set;
  }

  /** Resolves once whatever is in force by now is in the journal. Never rejects. */
  written(): Promise<void> {
    return this.#memory.written();
  }

  /** Moves the ladders that follow the reference or have a formula to where these mids say; tells of each why it stands still or is held. */
  follow(...of: Parameters<Follower['follow']>): Promise<ReadonlyMap<string, FollowOutcome>> {
    return this.#follower.follow(...of);
  }

  /** What the live ladder of a pair was made of by its formula; null where somebody else made it, or an earlier run of this desk. */
  servedBy(chainId: number, pair: string): ServedPrice | null {
    return this.#follower.servedBy(chainId, pair);
  }

  /** Prices a pair by a formula from now on, or by none. */
  setFormula(change: FormulaChange): Promise<{ seq: number }> {
    return setFormula(this.#memory, this.#now, change);
  }

  /** Expects that a formula fits a pair. */
  checkFormula(chainId: number, pair: string, formula: Formula): void {
    expectFormula(this.#memory, chainId, pair, formula);
  }

  blacklistAdd(request: BlacklistRequest): Promise<Blacklisted> {
    return this.#blacklisting.add(request);
  }

  blacklistRemove(request: LetInRequest): Promise<{ seq: number }> {
    return this.#blacklisting.remove(request);
  }

  draft(chainId: number, pair: string): Draft {
    return this.#drafts.draft(chainId, pair);
  }

  edit(
    chainId: number,
    pair: string,
    edits: readonly DraftEdit[],
    actor: string,
    seen?: number,
    session?: string,
  ): Promise<Draft> {
    return this.#drafts.edit(chainId, pair, edits, { actor, seen, session });
  }

  rebase(chainId: number, pair: string, actor: string, seen: number): Promise<Draft> {
    return this.#drafts.rebase(chainId, pair, actor, seen);
  }

  discard(chainId: number, pair: string, actor: string, seen?: number): Promise<Draft> {
    return this.#drafts.discard(chainId, pair, actor, seen);
  }

  /** With `keepFollowing` a ladder that follows the reference goes on in the shape that is published; else that ends. */
  publish(
    chainId: number,
    pair: string,
    version: number,
    actor: string,
    keepFollowing = false,
  ): Promise<PublishedLadder> {
    return this.#publisher.publish(chainId, pair, version, actor, keepFollowing);
  }

  /** All of these drafts or none. Throws as `publish` does, naming the pair. */
  publishSeveral(drafts: readonly PublishRequest[], actor: string): Promise<PublishedWithOthers[]> {
    return this.#publisher.publishSeveral(drafts, actor);
  }

  /** What was live before several pairs were published is live again, of each that nobody changed since. */
  takeBack(...of: Parameters<DraftPublisher['takeBack']>): Promise<TakenBack[]> {
    return this.#publisher.takeBack(...of);
  }

  /**
   * A person says that this is the price: the ladder that is live is published around it, and one of an engine is in hand with that. Throws
   * DeskError `no_reference`, `reference_moved` where the reference says something else by now, and as a publish does.
   */
  async acceptReference(
    { chainId, pair, mid }: { chainId: number; pair: string; mid: string },
    actor: string,
  ): Promise<PublishedWithOthers> {
    const reference = this.references.of(chainId, pair);
    if (reference === undefined) {
      throw new DeskError('no_reference', `The reference says nothing of ${pair}.`);
    }
    if (isFurther(parseDecimal(reference.mid), parseDecimal(mid), CLOSE_BPS)) {
      throw new DeskError('reference_moved', `The reference says ${reference.mid} of ${pair} by now, not ${mid}.`, {
        remedy: 'Look where the market is, and say again which price you believe.',
      });
    }
    return this.#publisher.publishAround(chainId, pair, reference.mid, actor);
  }

  /** Tells of every draft that changed. Returns what ends that. */
  onDraft(listener: (draft: Draft) => void): () => void {
    return this.#shelf.onDraft(listener);
  }

  /** What time brings: entries of a blacklist end, retired pairs leave. To be called once a second. */
  async tick(): Promise<void> {
    this.#blacklisting.lookForEnds();
    await this.#retirement.removeDue(CLOCK);
  }
}
