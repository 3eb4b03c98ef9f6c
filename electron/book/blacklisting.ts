import { isoTime } from '../contract/names.ts';
import type { StoredBlacklistEntry } from '../journal/book/blacklist.ts';
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
  /** Also where what stands of the user ends later, or is told to the service while this is not. */
  confirmed?: boolean;
  actor: string;
};

export type LetInRequest = Pick<BlacklistRequest, 'chainId' | 'address' | 'reason' | 'actor'>;

/** What came of blacklisting somebody; `before` is what stood of them. */
export type Blacklisted = { seq: number; durable: boolean; before: StoredBlacklistEntry[] };

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
   * `durable: false` it is in force and could not be written. Throws DeskError `unknown_chain` or `end_is_past`, and once it is in force
   * on all other chains `weaker_unconfirmed` where an entry stayed that is longer or wider, for a stop waits for no answer.
   */
  async add({
    chainId,
    address,
    reason,
    until,
    onlyHere = false,
    confirmed = false,
    actor,
  }: BlacklistRequest): Promise<Blacklisted> {
    const time = this.#now();
    if (until !== undefined && until <= time) {
      throw new DeskError('end_is_past', 'The entry would end before it begins.', {
        remedy: 'Give a later end, or none.',
      });
    }
    const chains =
      chainId === undefined ? [...this.#memory.committed.chains.values()] : [chainOf(this.#memory, chainId)];
    const said = { address, reason: reason ?? null, until: until ?? null };
    const entry = { ...said, onlyHere, since: time, actor };
    const before = chains.flatMap((chain) => {
      const known = this.#memory.chains.get(chain.chainId)?.blacklisted.get(address);
      return known !== undefined && isInForce(known, time) ? [{ ...known, chainId: chain.chainId }] : [];
    });
    const kept = confirmed ? [] : before.filter((known) => lackOf(entry, known) !== '');
    const others = chains.filter((chain) => !kept.some((known) => known.chainId === chain.chainId));
    const stays = kept.map((known) => {
      const { name } = chainOf(this.#memory, known.chainId).settings;
      return `On ${name} ${standsText(known)}: yours would ${lackOf(entry, known)}, so that one stays.`;
    });
    const rows = await Promise.allSettled(
      others.map((chain) =>
        this.#memory.stop(
          {
            time,
            actor,
            kind: 'blacklist_added',
            body: { chainId: chain.chainId, ...said, ...(onlyHere ? { onlyHere } : {}) },
          },
          (state) => blacklistUnder(state, entry),
        ),
      ),
    );
    const seqs = rows.flatMap((row) => (row.status === 'fulfilled' ? [row.value] : []));
    const durable = seqs.length === rows.length;
    if (stays.length === 0) return { seq: Math.max(0, ...seqs), durable, before };
    const elsewhere = `On the other chains yours is in force${durable ? '' : ', but could not be written'}.`;
    throw new DeskError('weaker_unconfirmed', [...stays, ...(others.length > 0 ? [elsewhere] : [])].join(' '), {
      remedy: 'Confirm that yours takes its place (--weaken at the command line), or leave it as it is.',
    });
  }

  /** In force once it is written. Throws DeskError `unknown_chain` or `not_blacklisted`. */
  remove({ chainId, address, reason, actor }: LetInRequest): Promise<{ seq: number }> {
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
  const under = known !== undefined && isInForce(known, entry.since) ? noWeaker(entry, known) : entry;
  return { ...chain, blacklisted: withEntry(chain.blacklisted, entry.address, under) };
}

/** An entry made no shorter and no narrower than the one that stands. */
function noWeaker(entry: BlacklistedUser, standing: BlacklistedUser): BlacklistedUser {
  const until = standing.until === null || entry.until === null ? null : Math.max(standing.until, entry.until);
  return { ...entry, until, onlyHere: entry.onlyHere && standing.onlyHere };
}

/** What an entry is less than the one that stands; empty where it is no less. */
function lackOf(entry: BlacklistedUser, standing: BlacklistedUser): string {
  const { until, onlyHere } = noWeaker(entry, standing);
  return [until !== entry.until && 'end sooner', onlyHere !== entry.onlyHere && 'be by this desk only']
    .filter(Boolean)
    .join(' and ');
}

function standsText({ address, until, onlyHere, actor, reason }: BlacklistedUser): string {
  const end = until === null ? 'for good' : `until ${isoTime(until)}`;
  const where = onlyHere ? ', by this desk only' : '';
  return `${address} is blacklisted already, ${end}${where}, by ${actor}${reason === null ? '' : ` (“${reason}”)`}`;
}
