import { isProgram } from '../contract/names.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { keystoreAddress } from '../signer/keystore.ts';
import type { HeldPassphrase } from './held-passphrase.ts';
import type { HeldSigner } from './held-signer.ts';
import { PassphraseTries } from './passphrase-tries.ts';
import type { Rooms } from './rooms.ts';

const MINUTE_MS = 60_000;

type LockRooms = Pick<Rooms, 'folder' | 'book' | 'guard' | 'journal' | 'log' | 'now'>;

interface LockParts {
  signer: HeldSigner;
  passphrase: HeldPassphrase;
  monotonic: () => number;
  handedOver?: () => Promise<void> | undefined;
  onLocked?: (() => void) | undefined;
}

/** What is shown of the lock. */
export interface LockState {
  locked: boolean;
  /** Wrong passphrases since the desk was started. */
  wrong: number;
  /** When the next one is taken, Unix milliseconds; 0: now. */
  nextAt: number;
}

/**
 * The lock of a desk that runs: on demand, and after the time the desk file sets without an act of a person. It halts, then the key
 * and the passphrase are gone from memory; unlocking takes the passphrase, and leaves the desk halted.
 */
export class KeyLock {
  readonly #rooms: LockRooms;
  readonly #signer: HeldSigner;
  readonly #passphrase: HeldPassphrase;
  readonly #monotonic: () => number;
  readonly #handedOver: () => Promise<void> | undefined;
  readonly #onLocked: () => void;
  readonly #tries: PassphraseTries;
  /** Counts what overtakes an unlocking under way. */
  #locks = 0;
  /** When a person acted last, on the clock of the day and on the one that nobody sets and that may stand while a machine sleeps. */
  #acted: { at: number; monotonic: number };

  /**
   * `handedOver` resolves once no surface elsewhere hands over what was answered before; a desk without such surfaces has none.
   * `onLocked` is called in the step in which the passphrase is forgotten, for whoever else has it.
   */
  constructor(
    rooms: LockRooms,
    { signer, passphrase, monotonic, handedOver = () => undefined, onLocked = () => {} }: LockParts,
  ) {
    this.#rooms = rooms;
    this.#signer = signer;
    this.#passphrase = passphrase;
    this.#monotonic = monotonic;
    this.#handedOver = handedOver;
    this.#onLocked = onLocked;
    this.#tries = new PassphraseTries(monotonic, (count) =>
      rooms.log.warn('a wrong passphrase was given to unlock the key', { count }),
    );
    this.#acted = { at: rooms.now(), monotonic: monotonic() };
    rooms.journal.onAppended((events) => {
      if (events.some(({ actor }) => !isProgram(actor))) this.#acted = { at: rooms.now(), monotonic: monotonic() };
    });
  }

  state(): LockState {
    const { wrong, waitMs } = this.#tries;
    return { locked: this.#signer.said().locked, wrong, nextAt: waitMs === 0 ? 0 : this.#rooms.now() + waitMs };
  }

  /** Locks for a person. See `#lock`. */
  lock(actor: string): Promise<{ at: number; durable: boolean }> {
    return this.#lock(actor, null);
  }

  /** Locks where nobody did anything for as long as the desk file allows. To be called each second. */
  tick(): void {
    const { book, now, log } = this.#rooms;
    const { lockAfterMinutes: minutes } = book.desk();
    const { address, locked } = this.#signer.said();
    if (minutes === null || address === null || locked) return;
    const idleMs = Math.max(now() - this.#acted.at, this.#monotonic() - this.#acted.monotonic);
    if (idleMs < minutes * MINUTE_MS) return;
    this.#lock('desk', minutes).catch((error: unknown) =>
      log.error('the key could not be locked', { error: String(error) }),
    );
  }

  /**
   * Takes the passphrase of the keystore; the desk stays halted. One wrong one after another is taken ever more slowly. Throws DeskError
   * `not_locked`, `wrong_passphrase`, `unlock_waits`, `other_key` where the folder has another key by now, `overtaken_by_stop` where it
   * was locked again meanwhile, and what the journal throws.
   */
  unlock(actor: string, passphrase: string): Promise<{ address: `0x${string}` }> {
    const locks = this.#locks; // a lock that comes from now on wins
    return this.#tries.take(async () => {
      const { journal, now, log } = this.#rooms;
      const { address, locked } = this.#signer.said();
      if (!locked) throw new DeskError('not_locked', 'The key is unlocked already.');
      const signer = await this.#signer.opened(passphrase);
      try {
        if (signer.address !== address) {
          throw new DeskError('other_key', `The folder has the key of ${signer.address} now, not that of ${address}.`, {
            remedy: 'Put the keystore back that was there, or end the desk and start it again.',
          });
        }
        await journal.append({ time: now(), actor, kind: 'key_unlocked', body: {} });
        if (locks !== this.#locks) {
          throw new DeskError('overtaken_by_stop', 'The key was locked again while it was unlocked, and stays locked.');
        }
      } catch (error) {
        signer.forget();
        throw error;
      }
      this.#signer.unlock(signer);
      this.#passphrase.hold(passphrase);
      log.info('the key is unlocked', { actor });
      return { address: signer.address };
    });
  }

  /** The latch first: nothing that was accepted before leaves after it. Then the key, then the words about it. Throws DeskError `no_keystore`. */
  async #lock(actor: string, idleMinutes: number | null): Promise<{ at: number; durable: boolean }> {
    const { folder, guard, journal, log, now } = this.#rooms;
    if (this.#signer.said().address === null) await keystoreAddress(folder); // which says how to make one
    this.#locks += 1;
    const wasLocked = this.#signer.said().locked;
    const why =
      idleMinutes === null ? 'The key was locked.' : `The key was locked: nobody did anything for ${idleMinutes} min.`;
    const stopped = guard.trading.halt({}, { actor, cause: why });
    this.#signer.lock();
    this.#passphrase.forget();
    this.#onLocked();
    if (!wasLocked) {
      log.warn('the key is locked', { actor, why });
      // The halt says it too, and is what must be durable.
      const body = { idleMinutes };
      journal
        .append({ time: now(), actor, kind: 'key_locked', body })
        .catch((error: unknown) =>
          log.warn('that the key is locked could not be written down', { error: String(error) }),
        );
    }
    // What was answered before may be on its way through a surface elsewhere.
    const [{ at, durable }] = await Promise.all([stopped, this.#handedOver()]);
    return { at, durable };
  }
}
