import type { Book } from '../book/book.ts';
import type { RefusalCode } from '../contract/refusal.ts';
import type { After } from '../guard/after.ts';
import type { Admission, Guard } from '../guard/guard.ts';
import type { Reservation } from '../guard/reservation.ts';
import type { GuardLog } from '../guard/trading.ts';
import type { Journal } from '../journal/journal.ts';
import type { Address } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { parseFirmRequest } from '../protocol/firm-request.ts';
import type { Latch } from '../signer/latch.ts';
import type { Signer } from '../signer/signer.ts';
import { blacklistedAnswer, orderAnswer, refusalAnswer } from './firm-answer.ts';
import type { FirmAnswer, FirmRequestInput, Respond } from './firm-input.ts';
import { priceRequest } from './firm-quote.ts';
import { type Flight, InFlight } from './in-flight.ts';
import { type Decision, refusedRow, signedRow } from './quote-row.ts';
import { RefusalRows } from './refusal-rows.ts';
import { buildOrder, signOrder } from './sign-order.ts';

/** An order is fillable for at least this long when it leaves (spec 8). */
const LEAST_LIFETIME_MS = 120_000;

export interface FirmPathOptions {
  book: Pick<Book, 'chain' | 'desk'>;
  guard: Guard;
  journal: Pick<Journal, 'append'>;
  latch: Latch;
  /** The opened signer of an address, or null while it is not open. */
  signerFor: (address: Address) => Signer | null;
  /** Unix milliseconds. */
  now: () => number;
  /** Milliseconds of a clock that never jumps; the latch's. */
  monotonic: () => number;
  randomBytes: (size: number) => Buffer;
  after: After;
  log?: GuardLog;
  /** Told the latch's stamp of each order that was handed over, before anything else happens. */
  onReleased?: (stamp: number) => void;
}

/** A signed order on its way to the journal and from there to the caller. */
interface SignedFlight extends Flight {
  readonly admission: Admission;
  readonly reservation: Reservation;
  readonly expiry: number;
  readonly answer: FirmAnswer;
  readonly respond: Respond;
}

/**
 * A firm request becomes a durable, signed order, or a reasoned refusal (DESIGN, the firm path). Everything up to the
 * signature happens in one tick; what was signed is handed over once its row is durable, if no stop came since.
 */
export class FirmPath {
  readonly #options: FirmPathOptions;
  readonly #flights: InFlight<SignedFlight>;
  readonly #refusals: RefusalRows;
  /** Requests that could not be parsed; they have no row. */
  unparsable = 0;

  constructor(options: FirmPathOptions) {
    this.#options = options;
    const { monotonic, after, journal, now } = options;
    this.#flights = new InFlight(monotonic, after, (flight) => this.#answer(flight, refusalAnswer('deadline')));
    this.#refusals = new RefusalRows((event) => journal.append(event), now);
  }

  /** Refusals that have no row because there were too many. */
  get unwritten(): number {
    return this.#refusals.unwritten;
  }

  get inFlight(): number {
    return this.#flights.size;
  }

  firm(input: FirmRequestInput, respond: Respond): void {
    const parsed = parseFirmRequest(input.body);
    if (!parsed.ok) {
      this.unparsable += 1;
      respond(refusalAnswer('invalid_request', parsed.sentence));
      return;
    }
    const chain = this.#options.book.chain(input.chainId);
    if (chain === undefined) {
      respond(refusalAnswer('not_found'));
      return;
    }
    const decision: Decision = { input, request: parsed.request, chain };
    let code: RefusalCode | null;
    try {
      code = this.#flights.full ? 'busy' : this.#sign(decision, parsed.spelling, respond);
    } catch (error) {
      // What is broken must not go on signing. A pair whose ladder cannot be walked takes nothing else with it.
      const pair = decision.ask === undefined ? decision.market?.pair.id : undefined;
      this.#options.guard.trading.failed({ chainId: chain.chainId, pair }, error);
      code = 'internal';
    }
    if (code === null) return;
    respond(code === 'blacklisted' ? blacklistedAnswer(chain.config.blacklistedAnswer) : refusalAnswer(code));
    this.#refusals.write(refusedRow(decision, code, this.#since(input)), code);
  }

  close(): void {
    this.#flights.close();
  }

  /** Decides, reserves, signs, and hands the row to the journal: all in one tick. The code of a refusal, or null. */
  #sign(decision: Decision, spelling: Parameters<typeof orderAnswer>[2], respond: Respond): RefusalCode | null {
    const { guard, latch, signerFor, now, randomBytes, book, journal } = this.#options;
    const { input, request, chain } = decision;
    const { deadlineMs } = book.desk();
    if (this.#since(input) >= deadlineMs) return 'deadline';
    const closed = guard.chainRefusal(chain);
    if (closed !== null) return closed;
    const market = chain.market(request.makerAsset, request.takerAsset);
    if (market === undefined) return 'unknown_pair';
    const { pair, side } = market;
    decision.market = market;
    const reading = latch.read({ chainId: chain.chainId, pair: pair.id, side });
    if (chain.isBlacklisted(request.userAddress, now())) return 'blacklisted';
    const off = guard.sideRefusal(chain, pair, side);
    if (off !== null) return off;
    const priced = priceRequest(chain, pair, side, request);
    if ('code' in priced) return priced.code;
    const { ask } = priced;
    decision.ask = ask;
    decision.covered = guard.covered(chain, ask);
    const refused = guard.refusal(chain, ask);
    if (refused !== null) return refused;

    const signer = signerFor(chain.config.signer);
    if (signer?.address !== chain.config.signer) throw new Error(`The signer ${chain.config.signer} is not open.`);
    const { order, orderHash } = buildOrder(chain, ask, now(), randomBytes);
    const { makerAsset, makerAmount, expiry } = order;
    const reservation = guard.reserve(chain, ask, { orderHash, makerAsset, makerAmount, expiry });
    try {
      const signature = signOrder(signer, orderHash);
      const flight: SignedFlight = {
        admission: { chain, ...market, ask, latch: reading },
        ...{ reservation, expiry, respond, answered: false },
        answer: orderAnswer(order, signature, spelling),
        deadline: input.receivedMonotonic + deadlineMs,
      };
      const body = signedRow(decision, { order, orderHash, signature }, this.#since(input));
      const written = journal.append({ time: now(), actor: 'desk', kind: 'quote', body });
      this.#flights.add(flight);
      written.then(
        (seq) => this.#durable(flight, seq),
        (error: unknown) => this.#notDurable(flight, error),
      );
    } catch (error) {
      guard.withhold(chain.chainId, reservation); // nothing was handed to the journal, so nothing can come of it
      throw error;
    }
    return null;
  }

  /** The row is on the disk: now, and in this step only, the order may leave. */
  #durable(flight: SignedFlight, seq: number): void {
    const { guard, latch, onReleased } = this.#options;
    const { chain, pair, side } = flight.admission;
    this.#flights.delete(flight);
    let code: RefusalCode | null = 'internal';
    try {
      guard.written(chain.chainId, flight.reservation, seq);
      code = this.#lateOrBarred(flight);
    } catch (error) {
      guard.trading.failed({ chainId: chain.chainId }, error);
    }
    if (code === null) {
      const stamp = latch.release(flight.admission.latch, () => this.#answer(flight, flight.answer));
      if (stamp !== null) {
        onReleased?.(stamp);
        return;
      }
      code = guard.stopCode(chain.chainId, pair.id, side);
    }
    this.#withhold(flight, seq, code);
  }

  #notDurable(flight: SignedFlight, error: unknown): void {
    const { guard, log } = this.#options;
    this.#flights.delete(flight);
    this.#answer(flight, refusalAnswer('journal_failed'));
    // A row that was refused is on no disk. After any other failure it may be, so the order counts until it expires.
    if (!(error instanceof DeskError && error.code === 'journal_row_refused')) return;
    log?.error('The journal refused the row of a quote.', { error: error.message });
    guard.withhold(flight.admission.chain.chainId, flight.reservation);
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

  #since(input: FirmRequestInput): number {
    return this.#options.monotonic() - input.receivedMonotonic;
  }
}
