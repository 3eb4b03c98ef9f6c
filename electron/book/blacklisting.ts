import type { BlacklistedUser } from '../journal/book/fold.ts';
import type { Address } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { isInForce } from './blacklist.ts';
import type { BookMemory } from './book-memory.ts';
import { type ChainState, withEntry } from './chain-state.ts';
import { chainOf } from './refusals.ts';

/** Whom to blacklist or to let in again; without `chainId` on every chain. `until` is Unix milliseconds. */
export type BlacklistRequest = {
  chainId?: number;
  address: Address;
  reason?: string;
  until?: number;
  /** By this desk alone: the service is not told. */
  onlyHere?: boolean;
  actor: string;
};

/** The blacklists: blacklisting is a stop, letting in again a start. */
export class Blacklisting {
  readonly #memory: BookMemory;
  readonly #now: () => number;
  #lastLook: number;

  constructor(memory: BookMemory, now: () => number) {
    this.#memory = memory;
    this.#now = now;
    this.#lastLook = now();
  }

  /**
   * In force at once, for ever or until `until`. An address that is blacklisted already gets the new reason, end and reach. With
   * `durable: false` it is in force and could not be written. Throws DeskError `unknown_chain` or `end_is_past`.
   */
  async add({
    chainId,
    address,
    reason,
    until,
    onlyHere = false,
    actor,
  }: BlacklistRequest): Promise<{ seq: number; durable: boolean }> {
    const time = this.#now();
    if (until !== undefined && until <= time) {
      throw new DeskError('end_is_past', 'The entry would end before it begins.', {
        remedy: 'Give a later end, or none.',
      });
    }
    const chains =
      chainId === undefined ? [...this.#memory.committed.chains.values()] : [chainOf(this.#memory, chainId)];
    const entry = { address, reason: reason ?? null, until: until ?? null };
    const rows = await Promise.allSettled(
      chains.map((chain) =>
        this.#memory.stop(
          {
            time,
            actor,
            kind: 'blacklist_added',
            body: { chainId: chain.chainId, ...entry, ...(onlyHere ? { onlyHere } : {}) },
          },
          (before) => blacklistUnder(before, { ...entry, onlyHere, since: time, actor }),
        ),
      ),
    );
    const seqs = rows.flatMap((row) => (row.status === 'fulfilled' ? [row.value] : []));
    return { seq: Math.max(0, ...seqs), durable: seqs.length === rows.length };
  }

  /** In force once it is written. Throws DeskError `unknown_chain` or `not_blacklisted`. */
  remove({ chainId, address, reason, actor }: Omit<BlacklistRequest, 'until' | 'onlyHere'>): Promise<{ seq: number }> {
    return this.#memory.inTurn(async () => {
      if (chainId !== undefined) chainOf(this.#memory, chainId);
      const chains = [...this.#memory.chains.values()].filter(
        (chain) => (chainId === undefined || chain.chainId === chainId) && chain.blacklisted.has(address),
      );
      if (chains.length === 0) {
        throw new DeskError('not_blacklisted', `${address} is not on the blacklist.`, {
          remedy: 'There is nothing to do.',
        });
      }
      const time = this.#now();
      const seqs = await Promise.all(
        chains.map((chain) =>
          this.#memory.start({
            time,
            actor,
            kind: 'blacklist_removed',
            body: { chainId: chain.chainId, address, reason: reason ?? null },
          }),
        ),
      );
      return { seq: Math.max(...seqs) };
    });
  }

  /** Tells of each chain whose list became shorter since the last look, because an entry has come to its end. */
  lookForEnds(): void {
    const since = this.#lastLook;
    this.#lastLook = this.#now();
    for (const { chainId, blacklisted } of this.#memory.chains.values()) {
      const ended = ({ until }: BlacklistedUser) => until !== null && since < until && until <= this.#lastLook;
      if ([...blacklisted.values()].some(ended)) this.#memory.refresh(chainId);
    }
  }
}

/** Until its row is written an entry can only become longer and wider: to shorten or narrow one is a start. */
export function blacklistUnder(chain: ChainState, entry: BlacklistedUser): ChainState {
  const known = chain.blacklisted.get(entry.address);
  // One that is over is none: it must not put the address on the service's list again.
  const before = known !== undefined && isInForce(known, entry.since) ? known : undefined;
  const until = before?.until === null || entry.until === null ? null : Math.max(before?.until ?? 0, entry.until);
  const onlyHere = entry.onlyHere && before?.onlyHere !== false;
  return { ...chain, blacklisted: withEntry(chain.blacklisted, entry.address, { ...entry, until, onlyHere }) };
}
