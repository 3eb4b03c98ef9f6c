import { isDeepStrictEqual } from 'node:util';
import type { Followed } from '../contract/book.ts';
import type { Ladder } from '../contract/desk-file.ts';
import { type Formula, formulaOf } from '../contract/formula.ts';
import type { FormulaInputs, FormulaPrice } from '../contract/formula-prices.ts';
import { FORMULA, tokenOf } from '../contract/names.ts';
import type { LadderMove } from '../journal/book/events.ts';
import type { ChainEvent } from '../journal/book/fold.ts';
import { putBest } from '../journal/book/ladder-move.ts';
import { isDeskError } from '../protocol/desk-error.ts';
import type { BookMemory } from './book-memory.ts';
import type { DraftShelf } from './draft-shelf.ts';
import { type DraftState, says } from './draft-state.ts';
import { checkLadder } from './ladder-check.ts';
import type { PairTurns } from './pair-turns.ts';
import { priceFormula, whyClosed } from './price-formula.ts';
import { anchorText } from './reference-fence.ts';
import { followLadder } from './whether-to-follow.ts';

/** Under which name a ladder that moved with the reference is published. */
const FOLLOW = 'follow';
const NO_LEVELS: Ladder = { bids: [], asks: [] };
/** A pair moves at most this often: once a second, less what a timer may come early. */
const SPACING_MS = 900;

/**
 * What became of a pair that follows or has a formula: it stands where it should, it moves with a `later` price and knows nothing of
 * this one, it waits for a person, or it is held back, because it must not be quoted where it stands. `sentence` ends "WETH/USDC does not
 * follow: …".
 */
export type FollowOutcome =
  | { readonly kind: 'follows' | 'later' }
  | { readonly kind: 'waits' | 'held'; readonly sentence: string };

/** What a formula made, and which revision of its pair that is. */
export interface ServedPrice {
  readonly revision: number;
  /** Unix milliseconds. */
  readonly time: number;
  readonly formula: Formula;
  readonly price: FormulaPrice;
}

/** The next revision of a pair: a move of the ladder that is live, or one that is written whole. */
interface Step {
  readonly pair: string;
  readonly actor: typeof FOLLOW | typeof FORMULA;
  readonly to: LadderMove | Extract<ChainEvent, { kind: 'ladder_published' }>;
  /** The formula that made it, and of what. */
  readonly priced?: Pick<ServedPrice, 'formula' | 'price'>;
}

/** Moves the ladders that follow the reference or have a formula, as revisions like any other. */
export class Follower {
  readonly #memory: BookMemory;
  readonly #shelf: DraftShelf;
  readonly #turns: PairTurns;
  readonly #now: () => number;
  readonly #served = new Map<string, ServedPrice>();

  constructor(memory: BookMemory, shelf: DraftShelf, turns: PairTurns, now: () => number) {
    this.#memory = memory;
    this.#shelf = shelf;
    this.#turns = turns;
    this.#now = now;
  }

  /**
   * Moves what has to move to these mids, in one row of the journal what follows and in one what formulas price; `inputsOf` says what a
   * formula works with, or why that is not known. Resolves when the new revisions are in force.
   */
  async follow(
    chainId: number,
    mids: ReadonlyMap<string, string>,
    inputsOf: (pair: string, formula: Formula) => FormulaInputs | FollowOutcome = () => ({ kind: 'later' }),
  ): Promise<ReadonlyMap<string, FollowOutcome>> {
    const chain = this.#memory.chains.get(chainId);
    const time = this.#now();
    const outcomes = new Map<string, FollowOutcome>();
    const steps: Step[] = [];
    for (const [pair, mid] of mids) {
      if (!chain?.pairs.has(pair)) continue;
      const formula = formulaOf(chain.config, pair);
      const isFormulas = formula !== null && !chain.config.byHand?.includes(pair);
      if (!isFormulas && !chain.config.follow.includes(pair)) continue;
      const step = isFormulas
        ? this.#priced(chainId, pair, { formula, inputs: inputsOf(pair, formula), time })
        : this.#followed(chainId, pair, mid, time);
      if ('to' in step) steps.push(step);
      else outcomes.set(pair, step);
    }
    const [first, ...rest] = eventsOf(chainId, steps, time);
    const after = first === undefined ? undefined : this.#memory.trial(first, ...rest);
    const sound = steps.filter(({ pair }) => {
      const fault = after?.pairs.get(pair)?.fault ?? null;
      if (fault !== null) outcomes.set(pair, { kind: 'held', sentence: fault });
      return fault === null;
    });
    for (const [pair, became] of await this.#write(chainId, sound, time)) outcomes.set(pair, became);
    return outcomes;
  }

  /** What a formula made the live ladder of; null where somebody else did, or before the desk was started. */
  servedBy(chainId: number, pair: string): ServedPrice | null {
    const served = this.#served.get(`${chainId} ${pair}`);
    return served?.revision === this.#memory.chains.get(chainId)?.pairs.get(pair)?.ladder.revision
      ? (served ?? null)
      : null;
  }

  #followed(chainId: number, pair: string, mid: string, time: number): FollowOutcome | Step {
    // Somebody is publishing or editing it this very moment: the next second is early enough.
    if (this.#turns.isTaken(chainId, pair)) return { kind: 'later' };
    const stored = this.#memory.committed.chains.get(chainId)?.pairs.get(pair)?.ladder;
    const ladder = checkLadder(stored?.ladder).value;
    if (stored === undefined || ladder === null) return { kind: 'held', sentence: 'its ladder cannot be read' };
    const draft = this.#shelf.take(chainId, pair);
    if (!says(draft, ladder)) return { kind: 'waits', sentence: editedBy(draft) };
    if (isTooSoon(stored, time)) return { kind: 'later' };
    // What an engine pushed is as old as its last word, until the reference has it.
    const step = followLadder(ladder, stored.followed, mid, tokenOf(stored.actor) !== null);
    if (step.kind === 'still') return { kind: 'follows' };
    if (step.kind === 'held') return step;
    return { pair, actor: FOLLOW, to: [pair, stored.revision + 1, mid] };
  }

  /** A formula does not wait for drafts: whoever edits by hand takes the pair over. */
  #priced(
    chainId: number,
    pair: string,
    { formula, inputs, time }: { formula: Formula; inputs: FormulaInputs | FollowOutcome; time: number },
  ): FollowOutcome | Step {
    const decimals = this.#memory.chains.get(chainId)?.pairs.get(pair)?.base.decimals;
    const stored = this.#memory.committed.chains.get(chainId)?.pairs.get(pair)?.ladder;
    if (stored === undefined || decimals === undefined) return { kind: 'later' };
    if ('kind' in inputs) return inputs;
    const price = priceFormula(formula, inputs, decimals);
    const closed = whyClosed(price);
    if (closed !== null) return { kind: 'held', sentence: closed };
    const { ladder } = price;
    const live = checkLadder(stored.ladder).value;
    if (isDeepStrictEqual(live, ladder)) {
      this.#served.set(`${chainId} ${pair}`, { revision: stored.revision, time, formula, price });
      return { kind: 'follows' };
    }
    if (isTooSoon(stored, time) || this.#turns.isTaken(chainId, pair)) return { kind: 'later' };
    const [bid, ask] = [ladder.bids[0]?.[0] ?? null, ladder.asks[0]?.[0] ?? null];
    const revision = stored.revision + 1;
    const moved = live === null ? null : putBest(live, stored.followed, bid, ask);
    if (isDeepStrictEqual(moved?.ladder, ladder)) {
      return { pair, actor: FORMULA, to: [pair, revision, bid, ask], priced: { formula, price } };
    }
    const followed: Followed = { mid: inputs.mid, bids: '0', asks: '0' };
    const { followed: before, anchor: held } = stored;
    // What a person said last goes along: the reference is held to that, and not to what was made of it.
    const anchor = anchorText({ ladder: { ladder: live ?? NO_LEVELS, followed: before, anchor: held } });
    const of = { chainId, pair, revision, baseRevision: stored.revision };
    const body = { ...of, ladder, followed, ...(anchor !== undefined && { anchor }) };
    return {
      pair,
      actor: FORMULA,
      to: { time, actor: FORMULA, kind: 'ladder_published', body },
      priced: { formula, price },
    };
  }

  /** Nobody edits or publishes these pairs until their new revisions are in force. */
  async #write(chainId: number, steps: readonly Step[], time: number): Promise<[string, FollowOutcome][]> {
    if (steps.length === 0) return [];
    const rows = rowsOf(chainId, steps, time);
    const written = this.#memory.startAll(
      chainId,
      rows.map(({ event }) => event),
    );
    for (const { pair } of steps) void this.#turns.run(chainId, pair, () => written).catch(() => undefined);
    const results = await written;
    const became = await Promise.all(
      rows.map(({ of }, index) => {
        const outcome = outcomeOf(results[index]);
        if (outcome?.kind === 'follows') this.#keep(chainId, of, time);
        if (outcome !== null) return of.map(({ pair }): [string, FollowOutcome] => [pair, outcome]);
        // A desk file that was taken meanwhile brought a revision of its own: for that pair the next second is early enough.
        if (of.length === 1) return of.map(({ pair }): [string, FollowOutcome] => [pair, { kind: 'later' }]);
        return Promise.all(of.map((step) => this.#write(chainId, [step], time))).then((all) => all.flat());
      }),
    );
    return became.flat();
  }

  #keep(chainId: number, steps: readonly Step[], time: number): void {
    for (const { pair, to, priced } of steps) {
      const revision = 'kind' in to ? to.body.revision : to[1];
      if (priced !== undefined) this.#served.set(`${chainId} ${pair}`, { revision, time, ...priced });
    }
  }
}

/** The rows of the journal for these steps, and which go live with each: the moves by one name are one row. */
function rowsOf(chainId: number, steps: readonly Step[], time: number): { event: ChainEvent; of: readonly Step[] }[] {
  return [
    ...[FOLLOW, FORMULA].flatMap((actor) => {
      const of = steps.filter((step) => step.actor === actor && !('kind' in step.to));
      const moves = of.flatMap(({ to }) => ('kind' in to ? [] : [to]));
      return moves.length === 0
        ? []
        : [{ event: { time, actor, kind: 'ladders_moved' as const, body: { chainId, moves } }, of }];
    }),
    ...steps.flatMap((step) => ('kind' in step.to ? [{ event: step.to, of: [step] }] : [])),
  ];
}

function eventsOf(chainId: number, steps: readonly Step[], time: number): ChainEvent[] {
  return rowsOf(chainId, steps, time).map(({ event }) => event);
}

/** Whether a pair moved less than a second ago. */
function isTooSoon({ followed, time }: { followed?: Followed | undefined; time: number }, now: number): boolean {
  return followed !== undefined && Math.abs(now - time) < SPACING_MS;
}

/** Null: the journal did not take the row. */
function outcomeOf(written: PromiseSettledResult<number> | undefined): FollowOutcome | null {
  if (written?.status === 'fulfilled') return { kind: 'follows' };
  if (isDeskError(written?.reason, 'journal_row_refused')) return null;
  return { kind: 'held', sentence: 'its new ladder could not be written' };
}

function editedBy({ bids, asks }: DraftState): string {
  const editors = [...bids, ...asks].flatMap(({ price, amount }) => [price.editor, amount.editor]);
  const names = [...new Set(editors.filter((name) => name !== null))].join(' and ');
  return `its draft was changed${names === '' ? '' : ` by ${names}`} and waits to be published or discarded`;
}
