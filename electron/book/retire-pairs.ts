import { DeskError } from '../protocol/desk-error.ts';
import type { BookMemory } from './book-memory.ts';
import { chainOf, pairOf } from './refusals.ts';

const HOUR_MS = 3_600_000;

/** Pairs that are not traded any more: served without prices for a while, then gone. Retiring is a stop. */
export class PairRetirement {
  readonly #memory: BookMemory;
  readonly #now: () => number;
  readonly #leaving = new Set<string>();

  constructor(memory: BookMemory, now: () => number) {
    this.#memory = memory;
    this.#now = now;
  }

  /**
   * From now on the pair has no prices; after `retireHours` it leaves /pairs too (PROTOCOL 4.3.7). In force at
   * once. `until` is Unix milliseconds. Throws DeskError `unknown_pair` or `already_retired`.
   */
  async retire(chainId: number, pair: string, actor: string): Promise<{ seq: number; until: number }> {
    const stored = pairOf(this.#memory, chainId, pair);
    if (stored.retiredUntil !== null || this.#memory.chains.get(chainId)?.pairs.get(pair)?.retiredUntil) {
      throw new DeskError('already_retired', `${pair} is retired already and leaves by itself.`);
    }
    const until = this.#now() + chainOf(this.#memory, chainId).settings.retireHours * HOUR_MS;
    const event = { time: this.#now(), actor, kind: 'pair_retired', body: { chainId, pair, until } } as const;
    return { seq: await this.#memory.stop(event), until };
  }

  /** Takes off the list every pair whose retirement is over. */
  async removeDue(actor: string): Promise<void> {
    const due = [...this.#memory.committed.chains.values()].flatMap(({ chainId, pairs }) =>
      [...pairs].flatMap(([pair, { retiredUntil }]) =>
        retiredUntil !== null && retiredUntil <= this.#now() ? [{ chainId, pair }] : [],
      ),
    );
    await Promise.all(due.map((body) => this.#removeOnce(actor, body)));
  }

  async #removeOnce(actor: string, body: { chainId: number; pair: string }): Promise<void> {
    const key = `${body.chainId}/${body.pair}`;
    if (this.#leaving.has(key)) return;
    this.#leaving.add(key);
    try {
      await this.#memory.inTurn(async () => {
        const until = this.#memory.committed.chains.get(body.chainId)?.pairs.get(body.pair)?.retiredUntil ?? null;
        if (until !== null && until <= this.#now()) {
          await this.#memory.start({ time: this.#now(), actor, kind: 'pair_removed', body });
        }
      });
    } finally {
      this.#leaving.delete(key);
    }
  }
}
