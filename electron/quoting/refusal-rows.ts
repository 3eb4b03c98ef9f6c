import type { RefusalCode } from '../contract/refusal.ts';
import type { NewEvent } from '../journal/events.ts';
import type { QuoteBody } from '../journal/quotes/events.ts';

/** Refusal rows that may wait for the disk at once. */
const MOST_WAITING = 1_000;
/** Rows in a burst, and how many a second after it; the same in bytes. At the worst 2.8 GB a day, and what is rare. */
const ROWS = { burst: 1_000, perSecond: 20 };
const BYTES = { burst: 2 * 1024 * 1024, perSecond: 32 * 1024 };
/** What a row takes beside the body of its request, bytes. */
const ROW_BYTES = 1_100;
/** So often a kind of refusal gets a row whatever is left, milliseconds: what floods must not hide what is rare. */
const ALWAYS_MS = 60_000;
/** Addresses of one kind that each count as a kind of their own; the others of it share one. */
const MOST_ADDRESSES = 30;

/** Refusals that each cost a pair for a while, and whose address tells what to do about them. */
export const ADDRESS_OF = {
  /** The execution contract that is not on the list. */
  taker_not_allowed: 'takerAddress',
  /** The user who asks for so little that it is worth less than one raw unit. */
  amount_too_small: 'userAddress',
} as const satisfies Partial<Record<RefusalCode, keyof QuoteBody>>;

/**
 * Writes refusals to the journal. Whoever may ask can be refused for ever, so each counterparty has one budget of rows and
 * bytes for refusals of every kind; whatever has no row is counted. Answers are none of its business.
 */
export class RefusalRows {
  readonly #append: (event: NewEvent) => Promise<number>;
  readonly #now: () => number;
  /** By domain, null for those who do not sign; only domains that are configured come this far. */
  readonly #budgets = new Map<string | null, Budget>();
  #waiting = 0;
  /** Refusals without a row. */
  unwritten = 0;

  /** `now` is Unix milliseconds. */
  constructor(append: (event: NewEvent) => Promise<number>, now: () => number) {
    this.#append = append;
    this.#now = now;
  }

  write(body: QuoteBody, code: RefusalCode): void {
    const now = this.#now();
    const budget = this.#budget(body.counterparty);
    const kind = budget.kindOf(now, body, code);
    const bytes = ROW_BYTES + body.requestBody.length;
    const affords = budget.affords(now, bytes) && this.#waiting < MOST_WAITING;
    if (!affords && !budget.isRare(now, kind)) {
      this.unwritten += 1;
      return;
    }
    budget.handedOver(kind, bytes);
    this.#waiting += 1;
    this.#append({ time: now, actor: 'desk', kind: 'quote', body }).then(
      () => {
        this.#waiting -= 1;
        budget.written(kind, this.#now());
      },
      () => {
        this.#waiting -= 1;
        this.unwritten += 1;
        budget.failed(kind);
      },
    );
  }

  #budget(counterparty: string | null): Budget {
    const known = this.#budgets.get(counterparty);
    if (known !== undefined) return known;
    const made = new Budget(this.#now());
    this.#budgets.set(counterparty, made);
    return made;
  }
}

/** What the refusals of one counterparty may still cost. Times are Unix milliseconds. */
class Budget {
  #rows = ROWS.burst;
  #bytes = BYTES.burst;
  #refilledAt: number;
  /** When each kind had its last row; null while one is on its way to the disk. */
  readonly #written = new Map<string, number | null>();

  constructor(now: number) {
    this.#refilledAt = now;
  }

  /** Whether a row of so many bytes is left. */
  affords(now: number, bytes: number): boolean {
    const seconds = Math.max(0, now - this.#refilledAt) / 1_000;
    this.#rows = Math.min(ROWS.burst, this.#rows + seconds * ROWS.perSecond);
    this.#bytes = Math.min(BYTES.burst, this.#bytes + seconds * BYTES.perSecond);
    this.#refilledAt = now;
    return this.#rows >= 1 && this.#bytes >= bytes;
  }

  /** A kind is a code on a chain, and the address that tells what to do about it, where there is one and room for it. */
  kindOf(now: number, body: QuoteBody, code: RefusalCode): string {
    const shared = `${code} ${body.chainId}`;
    if (code !== 'taker_not_allowed' && code !== 'amount_too_small') return shared;
    const kind = `${code} ${body.chainId} ${body[ADDRESS_OF[code]]}`;
    if (this.#written.has(kind)) return kind;
    const ofCode = [...this.#written.keys()].filter((known) => known.startsWith(`${code} `) && isOfAddress(known));
    if (ofCode.length < MOST_ADDRESSES) return kind;
    const over = ofCode.find((known) => this.isRare(now, known));
    if (over === undefined) return shared;
    this.#written.delete(over);
    return kind;
  }

  /** Whether a kind has had no row for long, and none is on its way. */
  isRare(now: number, kind: string): boolean {
    const last = this.#written.get(kind);
    return last === undefined || (last !== null && Math.abs(now - last) >= ALWAYS_MS);
  }

  handedOver(kind: string, bytes: number): void {
    this.#rows = Math.max(0, this.#rows - 1);
    this.#bytes = Math.max(0, this.#bytes - bytes);
    this.#written.set(kind, null);
  }

  written(kind: string, now: number): void {
    this.#written.set(kind, now);
  }

  /** A row that is on no disk is none: the next refusal of the kind gets one. */
  failed(kind: string): void {
    this.#written.delete(kind);
  }
}

function isOfAddress(kind: string): boolean {
  return kind.split(' ').length === 3;
}
