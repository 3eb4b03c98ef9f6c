/** Does one thing after another, in the order in which they are asked for, whatever became of those before. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Returns what the deed gives, or rejects with what it throws. */
  run<T>(deed: () => T | Promise<T>): Promise<T> {
    const mine = this.#last.then(deed);
    this.#last = mine.catch(() => {});
    return mine;
  }

  /** Resolves when everything that was asked for so far is over. Never rejects. */
  async over(): Promise<void> {
    await this.#last;
  }
}
