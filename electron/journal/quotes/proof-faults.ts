/** Of one kind of fault no more are told one by one. */
const MOST_TOLD = 3;

/** What a proof found wrong, in sentences: of each kind the first few, and how many more there are. */
export class ProofFaults {
  readonly #kinds = new Map<string, { told: string[]; count: number }>();

  add(kind: 'changed' | 'tables' | 'unreadable', sentence: string): void {
    const known = this.#kinds.get(kind) ?? { told: [], count: 0 };
    this.#kinds.set(kind, known);
    known.count += 1;
    if (known.told.length < MOST_TOLD) known.told.push(sentence);
  }

  /** The row, or the one after it, is not as it was written. */
  changed(seq: number): void {
    this.add('changed', `Row ${seq} of the journal was changed.`);
  }

  sentences(): string[] {
    return [...this.#kinds.values()].flatMap(({ told, count }) => {
      return count > told.length ? [...told, `And so it is with ${count - told.length} more.`] : told;
    });
  }
}
