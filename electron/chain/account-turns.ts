import type { Address } from '../protocol/address.ts';
import type { MakerCall } from './maker-calls.ts';

/**
 * One after the other for each account of a chain: whoever reads a nonce, signs and sends does so in their turn, so that no two
 * transactions of the desk ever take the same nonce.
 */
export class AccountTurns {
  readonly #last = new Map<string, Promise<unknown>>();
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
    const mine = (this.#last.get(key) ?? Promise.resolve()).then(deed, deed);
    this.#last.set(key, mine);
    const forget = () => {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    };
    mine.then(forget, forget);
    return mine;
  }
}
