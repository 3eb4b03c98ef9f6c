import type { Admission, Guard } from '../guard/guard.ts';
import type { JudgedAgain } from '../guard/second-refusal.ts';
import type { Journal } from '../journal/journal.ts';
import { TIMESTAMP_TOLERANCE_MS } from '../protocol/hmac.ts';
import type { Latch } from '../signer/latch.ts';
import { refusalAnswer } from './firm-answer.ts';
import type { FirmAnswer, Respond } from './firm-input.ts';

/** An order is fillable for at least this long when it leaves (PROTOCOL 8). */
export const LEAST_LIFETIME_MS = 120_000;

/** How long a signature can be taken after it came: its timestamp may be ahead of us by the tolerance, and is taken as long after. */
const VALID_MS = 2 * TIMESTAMP_TOLERANCE_MS;
/** Repetitions that may wait for the first answer at once; more are refused. */
const MOST_WAITING = 50;
/** Answers that are kept to be given again within that time, the newest; what has none is refused. */
const MOST_KEPT = 10_000;
/** What is remembered of a request's signature: 128 bits tell any two apart, and sign nothing. */
const KEPT_DIGITS = 32;

/** The order that a signature was used for. */
interface Given {
  /** Null until the order is signed. */
  readonly answer: FirmAnswer | null;
  readonly admission: Admission;
  /** Unix seconds. */
  readonly expiry: number;
}

/** What is kept of it, to be given again: nothing of the request, nor of the book of then, of which each order may have another. */
interface Kept {
  readonly answer: FirmAnswer;
  readonly admission: JudgedAgain & Pick<Admission, 'latch'>;
  readonly expiry: number;
}

interface Use {
  readonly chainId: number;
  /** Those who sent it again before the first was answered; null once it was. */
  waiting: Respond[] | null;
  given: Kept | null;
}

export interface FirmReplaysOptions {
  guard: Pick<Guard, 'secondRefusal' | 'trading'>;
  latch: Latch;
  /** Unix milliseconds. */
  now: () => number;
  /** Milliseconds of a clock that never jumps. */
  monotonic: () => number;
  onReleased?: (stamp: number) => void;
}

/** What the journal keeps of the signature of a request that was answered with an order. */
export function keptSignature(signature: string): string {
  return signature.slice(0, KEPT_DIGITS);
}

/**
 * One signature of `POST /firm` gives one order for as long as its timestamp is taken (PROTOCOL 5.2.4). Who sends it
 * again gets the same answer while the order still lives long enough to leave and no stop came since, else 401.
 */
export class FirmReplays {
  readonly #options: FirmReplaysOptions;
  /** What came since the last turn, and between that and the one before: what is older can be taken no more. */
  #newer = new Map<string, Use>();
  #older = new Map<string, Use>();
  #turnedAt: number;
  /** Whose answers are kept, in a ring that goes on from turn to turn. */
  #kept: Use[] = [];
  #nextKept = 0;
  /** Repetitions that were refused; they have no row. */
  refused = 0;

  constructor(options: FirmReplaysOptions) {
    this.#options = options;
    this.#turnedAt = options.monotonic();
  }

  /** Takes up what was signed shortly before the start: none of it gives another order, nor the same one. */
  async readBack({ read }: Pick<Journal, 'read'>): Promise<void> {
    for (const { signature, chainId } of await read.usedSignatures(this.#options.now(), VALID_MS)) {
      this.#newer.set(signature, { chainId, waiting: null, given: null });
    }
  }

  /** Answers a request whose signature was used, now or with the first; false when it was not. */
  answer(signature: string, chainId: number, respond: Respond): boolean {
    const key = keptSignature(signature);
    const use = this.#newer.get(key) ?? this.#older.get(key);
    if (use === undefined) return false;
    if (use.chainId === chainId) {
      if (use.waiting !== null && use.waiting.length < MOST_WAITING) {
        use.waiting.push(respond);
        return true;
      }
      if (this.#giveAgain(use, respond)) return true;
    }
    this.refused += 1;
    respond(refusalAnswer('replayed'));
    return true;
  }

  /**
   * From now on the signature is used, for this order. The answer takes the place of `respond`: what it is called with is
   * what those get who sent the same again meanwhile, in the same step.
   */
  use(signature: string, given: Given, respond: Respond): Respond {
    this.#forget();
    const use: Use = { chainId: given.admission.chain.chainId, waiting: [], given: null };
    this.#newer.set(keptSignature(signature), use);
    return (answer) => {
      const waiting = use.waiting ?? [];
      use.waiting = null;
      if (answer === given.answer) this.#keep(use, keptOf(given.admission, given.expiry, answer));
      respond(answer);
      for (const again of waiting) again(answer);
    };
  }

  /** Nothing was handed to the journal, so the signature gave nothing. */
  unuse(signature: string): void {
    this.#newer.delete(keptSignature(signature));
  }

  #giveAgain({ given }: Use, respond: Respond): boolean {
    const { guard, latch, now, onReleased } = this.#options;
    if (given === null || given.expiry * 1_000 - now() < LEAST_LIFETIME_MS) return false;
    guard.trading.tick(); // a process that stood still is told here of a halt that it never answered
    if (guard.secondRefusal(given.admission) !== null) return false;
    const stamp = latch.release(given.admission.latch, () => respond(given.answer));
    if (stamp === null) return false;
    onReleased?.(stamp);
    return true;
  }

  #keep(use: Use, given: Kept): void {
    const oldest = this.#kept[this.#nextKept];
    if (oldest !== undefined) oldest.given = null;
    use.given = given;
    this.#kept[this.#nextKept] = use;
    this.#nextKept = (this.#nextKept + 1) % MOST_KEPT;
  }

  /** In two steps, so that nothing is looked through. */
  #forget(): void {
    const now = this.#options.monotonic();
    if (now - this.#turnedAt < VALID_MS) return;
    this.#turnedAt = now;
    this.#older = this.#newer;
    this.#newer = new Map();
  }
}

function keptOf({ chain, pair, ask, latch }: Admission, expiry: number, answer: FirmAnswer): Kept {
  const { id, base, quote } = pair;
  return { answer, admission: { chain: { chainId: chain.chainId }, pair: { id, base, quote }, ask, latch }, expiry };
}
