const MOST_KEPT = 200;

/** Answers kept for a moment, each by what was asked; a question that is under way already is not asked again. */
export class KeptAnswers<T> {
  readonly #now: () => number;
  readonly #kept = new Map<string, { answer: T; until: number }>();
  readonly #underWay = new Map<string, Promise<T>>();

  /** `now` is Unix milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** What is kept under the key, else what `ask` brings. `keptFor` says how long that stays, in milliseconds. */
  get(key: string, ask: () => Promise<T>, keptFor: (answer: T) => number): Promise<T> {
    const kept = this.#kept.get(key);
    if (kept !== undefined && this.#now() < kept.until) return Promise.resolve(kept.answer);
    const underWay = this.#underWay.get(key);
    if (underWay !== undefined) return underWay;
    const asked = ask()
      .then((answer) => this.#keep(key, answer, keptFor(answer)))
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, asked);
    return asked;
  }

  #keep(key: string, answer: T, milliseconds: number): T {
    this.#kept.delete(key);
    if (milliseconds <= 0) return answer;
    this.#kept.set(key, { answer, until: this.#now() + milliseconds });
    const oldest = this.#kept.keys().next().value;
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return answer;
  }
}
