/** What is done to the ladder or the draft of one pair follows one another, so that neither changes while it is written. */
export class PairTurns {
  readonly #turns = new Map<string, { last: Promise<unknown>; waiting: number }>();

  run<T>(chainId: number, pair: string, act: () => Promise<T>): Promise<T> {
    const key = `${chainId}/${pair}`;
    const turns = this.#turns.get(key) ?? { last: Promise.resolve(), waiting: 0 };
    this.#turns.set(key, turns);
    turns.waiting += 1;
    const turn = turns.last.then(act);
    const end = () => {
      turns.waiting -= 1;
      if (turns.waiting === 0) this.#turns.delete(key);
    };
    turns.last = turn.then(end, end);
    return turn;
  }

  /** Whether somebody is at it. */
  isTaken(chainId: number, pair: string): boolean {
    return this.#turns.has(`${chainId}/${pair}`);
  }
}
