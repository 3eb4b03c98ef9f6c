import type { Address } from '../protocol/address.ts';

/** What a hedge may still take of a token, raw units, since when (Unix milliseconds), and what it was before. */
interface HedgeTake {
  readonly token: Address;
  readonly amount: bigint;
  readonly since: number;
  readonly before: bigint;
  /** The block in which it was spent; null where none is known. */
  readonly block: number | null;
  /** When the chain takes nothing of it any more, Unix seconds; null while the hedge runs, whose end is told. */
  readonly until: number | null;
}

interface HedgeTakesParts {
  /** When the chain was looked at last, Unix milliseconds, and the newest block that was seen then. */
  seenAt: () => number;
  seenBlock: () => number;
  /** Unix milliseconds. */
  now: () => number;
}

/** What the hedges of one chain may still take of the maker's tokens: those under way, and those whose end does not undo what they signed. */
export class HedgeTakes {
  readonly #parts: HedgeTakesParts;
  /** By the row that opened the hedge. */
  readonly #takes = new Map<number, HedgeTake>();
  /** Of hedges that have no row yet. */
  readonly #held = new Set<{ token: Address; amount: bigint }>();

  constructor(parts: HedgeTakesParts) {
    this.#parts = parts;
  }

  /**
   * From now on a hedge may take so much more of a token. More counts at once; less, because it was spent or will not be, from the
   * first look at the chain after this that sees the block of it, whose balance tells which: a node may be blocks behind another one.
   */
  set(
    seq: number,
    { token, amount, until, block = null }: Pick<HedgeTake, 'token' | 'amount' | 'until'> & { block?: number | null },
  ): void {
    const known = this.#takes.get(seq);
    const before = known === undefined ? 0n : this.#counted(known);
    // What is said once more is of the block that it was of.
    const isSame = known !== undefined && known.amount === amount && before > amount;
    const of = isSame && block === null ? known.block : block;
    this.#takes.set(seq, { token, amount, before, since: this.#parts.now(), until, block: of });
  }

  /** Counts what a hedge will take until its own row does; gives what ends that. */
  hold(token: Address, amount: bigint): () => void {
    const held = { token, amount };
    this.#held.add(held);
    return () => void this.#held.delete(held);
  }

  /** What one hedge may still take. */
  of(seq: number): bigint {
    const known = this.#takes.get(seq);
    return known === undefined ? 0n : this.#counted(known);
  }

  /** What all of them may still take of a token. */
  sum(token: Address): bigint {
    let sum = 0n;
    for (const [seq, take] of this.#takes) {
      const counted = this.#counted(take);
      if (counted === 0n) this.#takes.delete(seq);
      else if (take.token === token) sum += counted;
    }
    for (const held of this.#held) if (held.token === token) sum += held.amount;
    return sum;
  }

  /** Both clocks are past this second, Unix seconds: a deadline can be met in its own second still. */
  timeSeen(over: number): void {
    for (const [seq, { until }] of this.#takes) if (until !== null && until < over) this.#takes.delete(seq);
  }

  /** The chain that was known is gone, and what was signed for it. */
  reset(): void {
    for (const [seq, { until }] of this.#takes) if (until !== null) this.#takes.delete(seq);
  }

  #counted({ amount, before, since, block }: HedgeTake): bigint {
    const isSeen = this.#parts.seenAt() > since && (block === null || this.#parts.seenBlock() >= block);
    return amount >= before || isSeen ? amount : before;
  }
}
