import type { RefusalCode } from '../contract/refusal.ts';
import type { Admission, Guard } from '../guard/guard.ts';
import type { Reservation } from '../guard/reservation.ts';
import type { GuardLog } from '../guard/trading.ts';
import type { Journal } from '../journal/journal.ts';
import type { Address } from '../protocol/address.ts';
import { DeskError, isDeskError } from '../protocol/desk-error.ts';
import type { Latch } from '../signer/latch.ts';
import type { After } from '../time/after.ts';
import { blacklistedAnswer, refusalAnswer } from './firm-answer.ts';
import type { FirmAnswer, Respond } from './firm-input.ts';
import { LEAST_LIFETIME_MS } from './firm-replays.ts';
import type { FirmTrace } from './firm-trace.ts';
import { type Flight, InFlight } from './in-flight.ts';

/** A signed order on its way to the journal and from there to the caller. */
export interface SignedFlight extends Flight {
  readonly admission: Admission;
  readonly reservation: Reservation;
  /** Unix seconds. */
  readonly expiry: number;
  /** The order; null while its signature is waited for. */
  answer: FirmAnswer | null;
  respond: Respond;
  readonly trace: FirmTrace | undefined;
}

export interface ReleaseOptions {
  guard: Guard;
  journal: Pick<Journal, 'append'>;
  latch: Latch;
  /** Unix milliseconds. */
  now: () => number;
  /** Milliseconds of a clock that never jumps; the latch's. */
  monotonic: () => number;
  after: After;
  log?: GuardLog;
  /** Told the latch's stamp of each order that was handed over. */
  onReleased?: (stamp: number) => void;
}

/** Hands signed orders over once their rows are durable, if no stop came since they were accepted; else withholds them. */
export class Release {
  readonly #options: ReleaseOptions;
  readonly #flights: InFlight<SignedFlight>;

  constructor(options: ReleaseOptions) {
    this.#options = options;
    this.#flights = new InFlight(options.monotonic, options.after, (flight) =>
      this.#answer(flight, refusalAnswer('deadline')),
    );
  }

  get inFlight(): number {
    return this.#flights.size;
  }

  /** Whether as many orders are on their way as may be. */
  get full(): boolean {
    return this.#flights.full;
  }

  /** From now on the order's signature is waited for: its caller is answered at its deadline at the latest. */
  expect(flight: SignedFlight): void {
    this.#flights.add(flight);
  }

  /** No signature came for an order that was expected. */
  refuse(flight: SignedFlight, refusal: FirmAnswer): void {
    this.#flights.delete(flight);
    this.#answer(flight, refusal);
  }

  /**
   * Answers the caller of an order when its row, which is `written`, is durable and its signature was recovered; at its
   * deadline at the latest. `own` never rejects.
   */
  follow(flight: SignedFlight, written: Promise<number>, own: Promise<boolean>): void {
    this.#flights.add(flight);
    written.then(
      (seq) => own.then((isOwn) => this.#durable(flight, seq, isOwn)),
      (error: unknown) => this.#notDurable(flight, error),
    );
  }

  close(): void {
    this.#flights.close();
  }

  /** The row is on the disk and the signature was recovered: now, and in this step only, the order may leave. */
  #durable(flight: SignedFlight, seq: number, isOwn: boolean): void {
    const { guard, latch, onReleased } = this.#options;
    const { chain, pair, side } = flight.admission;
    this.#flights.delete(flight);
    flight.trace?.releases(seq);
    let code: RefusalCode | null = 'internal';
    try {
      guard.trading.tick();
      guard.written(chain.chainId, flight.reservation, seq);
      if (!isOwn) throw wrongSignature(chain.config.signer);
      code = this.#lateOrBarred(flight);
    } catch (error) {
      guard.trading.failed({ chainId: chain.chainId }, error);
    }
    const { answer } = flight;
    if (code === null && answer !== null) {
      const stamp = latch.release(flight.admission.latch, () => this.#answer(flight, answer));
      if (stamp !== null) {
        onReleased?.(stamp);
        return;
      }
      code = guard.stopCode(chain.chainId, pair.id, side);
    }
    this.#withhold(flight, seq, code ?? 'internal');
  }

  #notDurable(flight: SignedFlight, error: unknown): void {
    const { guard, log } = this.#options;
    this.#flights.delete(flight);
    this.#answer(flight, refusalAnswer('journal_failed'));
    // A row that was refused is on no disk. After any other failure it may be, so the order counts until it expires.
    if (!isDeskError(error, 'journal_row_refused')) return;
    log?.error('The journal refused the row of a quote.', { error: error.message });
    guard.unsigned(flight.admission.chain.chainId, flight.reservation);
  }

  #lateOrBarred(flight: SignedFlight): RefusalCode | null {
    const { guard, monotonic, now } = this.#options;
    const late = flight.answered || monotonic() >= flight.deadline;
    if (late || flight.expiry * 1_000 - now() < LEAST_LIFETIME_MS) return 'deadline';
    return guard.secondRefusal(flight.admission);
  }

  /** Answers the caller, unless that was done, and has the journal know that this order never left. */
  #withhold(flight: SignedFlight, seq: number, code: RefusalCode): void {
    const { guard, journal, now } = this.#options;
    const { chainId, config } = flight.admission.chain;
    this.#answer(flight, code === 'blacklisted' ? blacklistedAnswer(config.blacklistedAnswer) : refusalAnswer(code));
    const body = { chainId, quoteSeq: seq, code };
    journal.append({ time: now(), actor: 'desk', kind: 'quote_withheld', body }).then(
      () => guard.withhold(chainId, flight.reservation),
      () => {}, // it counts until it expires, as it would after a restart
    );
  }

  #answer(flight: SignedFlight, answer: FirmAnswer): void {
    if (flight.answered) return;
    flight.answered = true;
    try {
      flight.respond(answer);
    } catch (error) {
      this.#options.log?.error('An answer could not be handed over.', { error: String(error) });
    }
  }
}

function wrongSignature(signer: Address): DeskError {
  return new DeskError('wrong_signature', `A signature did not recover to its signer ${signer}.`, {
    remedy: 'Do not resume before the signer was checked.',
  });
}
