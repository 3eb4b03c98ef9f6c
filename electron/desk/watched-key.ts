import { randomBytes } from 'node:crypto';
import { type DeskError, isDeskError } from '../protocol/desk-error.ts';
import { keyProbe } from '../protocol/key-probe.ts';
import type { Signer } from '../signer/signer.ts';
import type { Rooms } from './rooms.ts';

/** A key elsewhere that was not heard of for so long is asked whether it is there; while it is silent, more often. Milliseconds. */
const IDLE_MS = 30_000;
const SILENT_MS = 2_000;

/**
 * What was last heard of a key that is held elsewhere. While it is silent, its chains are closed, and open again by themselves; a signature
 * that is not its own halts them.
 */
export class WatchedKey {
  readonly #rooms: Pick<Rooms, 'book' | 'guard' | 'log'>;
  readonly #monotonic: () => number;
  #fault: string | null = null;
  #heardAt = Number.NEGATIVE_INFINITY;
  #asking = false;

  constructor(rooms: Pick<Rooms, 'book' | 'guard' | 'log'>, monotonic: () => number) {
    this.#rooms = rooms;
    this.#monotonic = monotonic;
  }

  /** What came of a question to it. */
  readonly heard = (fault: DeskError | null): void => {
    const { book, guard, log } = this.#rooms;
    this.#heardAt = this.#monotonic();
    if (fault !== null && !isDeskError(fault, 'signer_silent')) {
      for (const { chainId } of book.chains()) guard.trading.failed({ chainId }, fault);
    }
    const why = fault === null ? null : `${fault.message} ${fault.remedy}`;
    if (why === this.#fault) return;
    if ((why === null) !== (this.#fault === null)) {
      if (why === null) log.info('the key that is held elsewhere signs again');
      else log.warn('the key that is held elsewhere does not sign', { why });
    }
    this.#fault = why;
    this.#close();
  };

  /** Asks it where nothing was heard of it for a while. To be called each second with the key that the desk holds. */
  tick(held: { signer: Signer } | object): void {
    const signer = 'signer' in held ? held.signer : null;
    if (signer?.kind !== 'remote') {
      this.#fault = null;
      this.#close();
      return;
    }
    this.#close();
    const quietMs = this.#monotonic() - this.#heardAt;
    if (this.#asking || quietMs < (this.#fault === null ? IDLE_MS : SILENT_MS)) return;
    this.#asking = true;
    signer
      .sign(keyProbe(`0x${randomBytes(32).toString('hex')}`))
      .catch(() => {}) // `heard` was told
      .finally(() => {
        this.#asking = false;
      });
  }

  /** Its chains are all that are signed for: a desk has one key. */
  #close(): void {
    const { book, guard } = this.#rooms;
    for (const { chainId } of book.chains()) guard.keyHeard(chainId, this.#fault);
  }
}
