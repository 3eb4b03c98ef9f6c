import type { Address } from '../protocol/address.ts';
import { SerialQueue } from '../protocol/serial-queue.ts';
import type { MakerCall } from './maker-calls.ts';

/**
 * One after the other for each account of a chain: whoever reads a nonce, signs and sends does so in their turn, so that no two
 * transactions of the desk ever take the same nonce.
 */
export class AccountTurns {
  readonly #queues = new Map<string, SerialQueue>();
  readonly #urgent = new Map<string, Map<number, MakerCall>>();

  /**
   * What was sent in an emergency in place of whatever waited, by nonce, until it is mined: nobody takes these nonces back,
   * and a later emergency sends it along.
   */
  urgent(chainId: number, account: Address): Map<number, MakerCall> {
    const key = `${chainId} ${account}`;
    const known = this.#urgent.get(key) ?? new Map<number, MakerCall>();
    this.#urgent.set(key, known);
    return known;
  }

  /** Does it once everybody who came before is done, whatever became of them. */
  run<T>(chainId: number, account: Address, deed: () => Promise<T>): Promise<T> {
    const key = `${chainId} ${account}`;
    const queue = this.#queues.get(key) ?? new SerialQueue();
    this.#queues.set(key, queue);
    return queue.run(deed);
  }
}
