const MOST_KEPT = 200;

/** Answers kept for a moment, each by what was asked; a question that is under way already is not asked again. */
export class KeptAnswers<T> {
  readonly #now: () => number;
  readonly #kept = new Map<string, { answer: T; at: number; keptFor: number }>();
  readonly #underWay = new Map<string, Promise<T>>();

  /** `now` is Unix milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** What is kept under the key, else what `ask` brings. `keptFor` says how long that stays, in milliseconds. */
  get(key: string, ask: () => Promise<T>, keptFor: (answer: T) => number): Promise<T> {
    const kept = this.#kept.get(key);
    const age = this.#now() - (kept?.at ?? 0);
    // One of a time to come is of before our clock was set back, and nobody knows how old.
    if (kept !== undefined && age >= 0 && age < kept.keptFor) return Promise.resolve(kept.answer);
    const underWay = this.#underWay.get(key);
    if (underWay !== undefined) return underWay;
    const asked = ask()
      .then((answer) => this.#keep(key, answer, keptFor(answer)))
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, asked);
    return asked;
  }

  #keep(key: string, answer: T, keptFor: number): T {
    this.#kept.delete(key);
    if (keptFor <= 0) return answer;
    this.#kept.set(key, { answer, at: this.#now(), keptFor });
    const oldest = this.#kept.keys().next().value;
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return answer;
  }
}
