import type { Address } from '../protocol/address.ts';

/**
 * One after the other for each account of a chain: whoever reads a nonce, signs and sends does so in his turn, so that no two
 * transactions of the desk ever take the same nonce.
 */
export class AccountTurns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Does it once everybody who came before is done, whatever became of him. */
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
