import { SerialQueues } from '../protocol/serial-queue.ts';

/** What is done to the ladder or the draft of one pair follows one another, so that neither changes while it is written. */
export class PairTurns {
  readonly #queues = new SerialQueues();

  run<T>(chainId: number, pair: string, act: () => Promise<T>): Promise<T> {
    return this.#queues.run(`${chainId}/${pair}`, act);
  }

  /** Whether somebody is at it. */
  isTaken(chainId: number, pair: string): boolean {
    return this.#queues.isTaken(`${chainId}/${pair}`);
  }
}
