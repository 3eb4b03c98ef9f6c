import type { Seal } from '../contract/seal.ts';
import type { Address, Hex } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { Signable } from '../protocol/signable.ts';
import { sealToSign } from '../signer/seal-hash.ts';
import { signedBy } from '../signer/signer.ts';
import { pause } from '../time/pause.ts';
import type { Rooms } from './rooms.ts';

/** A key that signs, here or elsewhere. It may take its time, or reject while it is locked or away. */
export interface SealKey {
  readonly address: Address;
  sign(signable: Signable): Hex | Promise<Hex>;
}

/** The key that seals, or why there is none now. */
type Held = { signer: SealKey } | { missing: string } | { unopened: string };

export interface SealParts {
  rooms: Pick<Rooms, 'journal' | 'now' | 'log'>;
  key: () => Held | Promise<Held>;
  /** When the day's seal is first thought of, Unix milliseconds; a start has other things to do. */
  firstAt: number;
  /** How long a key that is elsewhere may take to sign, milliseconds. */
  patienceMs?: number;
}

const DAY_MS = 86_400_000;
const PATIENCE_MS = 30_000;
/** How long a day's seal that could not be made waits until it is tried again. */
const AGAIN_MS = 60_000;

/**
 * Seals the journal: has the key sign which row is the last, and writes that down as a row. Once a UTC day by itself, as soon as the
 * key is there, and whenever somebody asks. It stands beside the firm path: a quote waits for none of it.
 */
export class Seals {
  readonly #parts: SealParts;
  readonly #closed = new AbortController();
  #nextAt: number;
  /** When the newest seal was made, as far as that is known. */
  #last: number | null = null;
  #trying = false;
  /** What the log was last told, so that it is told once. */
  #told: string | null = null;

  constructor(parts: SealParts) {
    this.#parts = parts;
    this.#nextAt = parts.firstAt;
  }

  /** Makes the seal of the day if it is not made yet; to be called often. Never rejects: it is tried again, and the log says why. */
  async tick(): Promise<void> {
    const { rooms } = this.#parts;
    const { journal, log, now } = rooms;
    const at = now();
    if (this.#trying || at < this.#nextAt) return;
    this.#trying = true;
    try {
      this.#last ??= await journal.read.lastSealed();
      if (this.#last === null || dayOf(this.#last) !== dayOf(at)) await this.seal('desk');
      this.#told = null;
    } catch (error) {
      this.#nextAt = at + AGAIN_MS;
      const why = error instanceof Error ? error.message : String(error);
      if (why !== this.#told) log.warn('the journal is not sealed for today yet', { why });
      this.#told = why;
    } finally {
      this.#trying = false;
    }
  }

  /**
   * Seals the journal as it is now. Throws DeskError `nothing_to_seal`, `no_signer` while there is no key or it is not the signer of a
   * chain, `no_answer` when it does not sign in time, `wrong_signature`; and what the signer and the journal throw.
   */
  async seal(actor: string): Promise<Seal> {
    const { rooms, key } = this.#parts;
    const { journal, now } = rooms;
    const held = await key();
    if (!('signer' in held)) throw new DeskError('no_signer', 'missing' in held ? held.missing : held.unopened);
    const { signer } = held;
    const { seq: row, hash } = journal.head();
    const [desk, signers] = await Promise.all([journal.read.deskId(), journal.read.signersAfter(row)]);
    if (desk === null || row === 0) {
      throw new DeskError('nothing_to_seal', 'Nothing was written to the journal of this desk yet.');
    }
    if (!signers.includes(signer.address)) {
      throw new DeskError(
        'no_signer',
        `The key of this desk, ${signer.address}, is not the signer of any of its chains.`,
        {
          remedy: 'Set the signer of a chain under Settings, Chains, or in the desk file.',
        },
      );
    }
    const head = { desk, row, hash: `0x${hash}`, time: now() } as const;
    const signature = await this.#signed(signer, sealToSign(head));
    const seal: Seal = { ...head, signer: signer.address, signature };
    await journal.append({ time: head.time, actor, kind: 'journal_sealed', body: seal });
    this.#last = head.time;
    return seal;
  }

  /** Whoever waits for a key waits no longer. */
  close(): void {
    this.#closed.abort();
  }

  async #signed(signer: SealKey, signable: Signable): Promise<Hex> {
    const over = new AbortController();
    const ends = AbortSignal.any([over.signal, this.#closed.signal]);
    const late = pause(this.#parts.patienceMs ?? PATIENCE_MS, ends).then(() => {
      throw new DeskError('no_answer', 'The signer did not sign the seal in time.', {
        remedy: 'See whether it runs and is unlocked; the seal is made up for when it is back.',
      });
    });
    try {
      const signature = await Promise.race([signer.sign(signable), late]);
      if (signedBy(signable.hash, signature) === signer.address) return signature;
    } finally {
      late.catch(() => {}); // it ends with the wait for it
      over.abort();
    }
    throw new DeskError('wrong_signature', `The signature of the seal is not that of ${signer.address}.`);
  }
}

function dayOf(time: number): number {
  return Math.floor(time / DAY_MS);
}
