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

/** A queue for each key, which is forgotten once nobody is in it. */
export class SerialQueues {
  readonly #queues = new Map<string, { queue: SerialQueue; taken: number }>();

  /** Returns what the deed gives, or rejects with what it throws. */
  run<T>(key: string, deed: () => T | Promise<T>): Promise<T> {
    const own = this.#queues.get(key) ?? { queue: new SerialQueue(), taken: 0 };
    this.#queues.set(key, own);
    own.taken += 1;
    const mine = own.queue.run(deed);
    const leave = () => {
      own.taken -= 1;
      if (own.taken === 0) this.#queues.delete(key);
    };
    mine.then(leave, leave);
    return mine;
  }

  /** Whether anybody is at it, or waits for it. */
  isTaken(key: string): boolean {
    return this.#queues.has(key);
  }
}
