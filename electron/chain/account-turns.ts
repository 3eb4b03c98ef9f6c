import type { Address } from '../protocol/address.ts';
import { SerialQueues } from '../protocol/serial-queue.ts';
import { EmergencyCalls } from './emergency-calls.ts';

/**
 * One after the other for each account of a chain: whoever reads a nonce, signs and sends does so in their turn, so that no two
 * transactions of the desk ever take the same nonce.
 */
export class AccountTurns {
  readonly #queues = new SerialQueues();
  readonly #begun = new Map<string, number>();
  readonly emergencies: EmergencyCalls;

  constructor(emergencies = new EmergencyCalls()) {
    this.emergencies = emergencies;
  }

  /** An emergency begins: what was to be allowed before gives nothing back that it takes away. */
  emergencyBegins(chainId: number, account: Address): void {
    this.#begun.set(`${chainId} ${account}`, this.emergenciesBegun(chainId, account) + 1);
  }

  /** How many emergencies there have been. */
  emergenciesBegun(chainId: number, account: Address): number {
    return this.#begun.get(`${chainId} ${account}`) ?? 0;
  }

  /** Does it once everybody who came before is done, whatever became of them. */
  run<T>(chainId: number, account: Address, deed: () => Promise<T>): Promise<T> {
    return this.#queues.run(`${chainId} ${account}`, deed);
  }
}
