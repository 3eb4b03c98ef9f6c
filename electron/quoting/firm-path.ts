import type { Book } from '../book/book.ts';
import type { ChainBook } from '../book/chain-book.ts';
import type { RefusalCode } from '../contract/refusal.ts';
import type { Address, Hex } from '../protocol/address.ts';
import { isDeskError } from '../protocol/desk-error.ts';
import { parseFirmRequest } from '../protocol/firm-request.ts';
import { orderToSign } from '../protocol/order-hash.ts';
import { inForm, type SigningForm } from '../protocol/signing-form.ts';
import type { SignatureRecovery } from '../signer/recover-signatures.ts';
import type { Signer } from '../signer/signer.ts';
import { blacklistedAnswer, orderAnswer, refusalAnswer } from './firm-answer.ts';
import type { FirmRequestInput, Respond } from './firm-input.ts';
import { countedOf, type Decision, refusalOf } from './firm-refusal.ts';
import { FirmReplays } from './firm-replays.ts';
import { refusedRow, signedRow } from './quote-row.ts';
import { pooledRandom } from './random-pool.ts';
import { RefusalRows } from './refusal-rows.ts';
import { Release, type ReleaseOptions, type SignedFlight } from './release.ts';
import type { ServedLately } from './served-lately.ts';
import { buildOrder } from './sign-order.ts';

export interface FirmPathOptions extends ReleaseOptions {
  book: Pick<Book, 'chain' | 'desk'>;
  /** The opened signer of an address, or null while it is not open. */
  signerFor: (address: Address) => Signer | null;
  /** What the key signs for the maker of a chain; throws while its contract has not said. */
  formOf: (chain: ChainBook) => SigningForm;
  /** Recovers what was signed, before anybody sees it. */
  checks: Pick<SignatureRecovery, 'isOwn'>;
  randomBytes: (size: number) => Buffer;
  /** What a chain served in the last seconds. */
  depths: (chainId: number) => ServedLately;
}

/**
 * A firm request becomes a durable, signed order, or a reasoned refusal (DESIGN, the firm path). Everything from the
 * first look at the book to the signature happens in one tick; where the key is held elsewhere, everything up to the question to it,
 * and what it answers counts only as long as what was accepted still does.
 */
export class FirmPath {
  readonly #options: FirmPathOptions;
  readonly #release: Release;
  readonly #refusals: RefusalRows;
  readonly replays: FirmReplays;
  readonly #randomBytes: (size: number) => Buffer;
  /** Requests that could not be parsed; they have no row. */
  unparsable = 0;

  constructor(options: FirmPathOptions) {
    this.#options = options;
    this.#release = new Release(options);
    this.replays = new FirmReplays(options);
    this.#refusals = new RefusalRows((event) => options.journal.append(event), options.now);
    this.#randomBytes = pooledRandom(options.randomBytes);
  }

  /** Refusals that have no row because there were too many. */
  get unwritten(): number {
    return this.#refusals.unwritten;
  }

  get inFlight(): number {
    return this.#release.inFlight;
  }

  firm(input: FirmRequestInput, respond: Respond): void {
    input.trace?.decides();
    if (input.signature !== undefined && this.replays.answer(input.signature, input.chainId, respond)) return;
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
    const code = this.#release.full ? 'busy' : this.#decide(decision, parsed.spelling, respond);
    if (code === null) return;
    respond(
      code === 'blacklisted'
        ? blacklistedAnswer(chain.config.blacklistedAnswer)
        : refusalAnswer(code, this.#sentence(decision, code)),
    );
    this.#refusals.write(refusedRow(decision, code, this.#since(input)), code);
  }

  close(): void {
    this.#release.close();
  }

  /** The code of a refusal, or null when an order is on its way. What is broken must not go on signing, so it halts. */
  #decide(decision: Decision, spelling: Parameters<typeof orderAnswer>[2], respond: Respond): RefusalCode | null {
    try {
      const { guard, book, now } = this.#options;
      guard.deadMan.tick();
      const code = refusalOf(decision, {
        guard,
        now: now(),
        waitedMs: this.#since(decision.input),
        deadlineMs: book.desk().deadlineMs,
        depths: this.#options.depths(decision.chain.chainId),
      });
      return code ?? this.#sign(decision, spelling, respond);
    } catch (error) {
      // A pair whose ladder cannot be walked takes nothing else with it.
      const pair = decision.ask === undefined ? decision.market?.pair.id : undefined;
      this.#options.guard.trading.failed({ chainId: decision.chain.chainId, pair }, error);
      return 'internal';
    }
  }

  /** What exactly is missing, where more can be said than the code says. */
  #sentence({ chain, market, ask, covered }: Decision, code: RefusalCode): string | undefined {
    if (market === undefined) return undefined;
    const { pair, side } = market;
    if (code === 'token_closed' || code === 'not_approved') {
      return this.#options.guard.pairClosure(chain, pair)?.sentence;
    }
    if (code !== 'insufficient_balance' || ask === undefined || covered === undefined) return undefined;
    const tokenId = side === 'asks' ? pair.definition.base : pair.definition.quote;
    const { balance, allowance } = covered;
    if (balance === 0n) return `The maker holds no ${tokenId}.`;
    if (balance === null || allowance === null || allowance >= balance) return undefined;
    return `Too little ${tokenId} is approved for the RFQ contract to cover this amount with what is already signed.`;
  }

  /** Reserves, signs, and hands the row to the journal: in the tick in which nothing spoke against it. A key elsewhere is asked in it. */
  #sign(decision: Decision, spelling: Parameters<typeof orderAnswer>[2], respond: Respond): null {
    const { guard, latch, signerFor, formOf, checks, now, book, journal } = this.#options;
    const { input, chain, market, ask } = decision;
    if (market === undefined || ask === undefined) throw new Error('Nothing was priced.');
    const signer = signerFor(chain.config.signer);
    if (signer?.address !== chain.config.signer) throw new Error(`The signer ${chain.config.signer} is not open.`);
    const reading = latch.read({ chainId: chain.chainId, pair: market.pair.id, side: market.side });
    const at = now();
    input.trace?.signs();
    const { order, orderHash } = buildOrder(chain, ask, at, this.#randomBytes);
    const signable = inForm(formOf(chain), chain.config, orderToSign(chain.config, order, orderHash));
    const { expiry } = order;
    const reservation = guard.reserve(chain, { orderHash, terms: ask, expiry });
    const flight: SignedFlight = {
      admission: { chain, pair: market.pair, side: market.side, ask, latch: reading },
      reservation,
      expiry,
      answer: null,
      respond,
      answered: false,
      deadline: input.receivedMonotonic + book.desk().deadlineMs,
      trace: input.trace,
    };
    if (input.signature !== undefined) flight.respond = this.replays.use(input.signature, flight, respond);
    const write = (signature: Hex, signingMs?: number) => {
      input.trace?.commits(orderHash);
      const body = signedRow(decision, { order, orderHash, signature, signingMs }, this.#since(input));
      flight.answer = orderAnswer(order, signature, spelling);
      return journal.append({ time: at, actor: 'desk', kind: 'quote', body }, 'in-step');
    };
    try {
      guard.protections.count(orderHash, countedOf(decision, market, ask));
      if (signer.kind === 'local') {
        const signature = signer.sign(signable);
        this.#release.follow(flight, write(signature), checks.isOwn(signer, signable.hash, signature));
        return null;
      }
    } catch (error) {
      this.#unused(input, flight);
      throw error;
    }
    const asked = this.#options.monotonic();
    this.#release.expect(flight);
    signer.sign(signable).then(
      (signature) => {
        try {
          const signingMs = Math.round(this.#options.monotonic() - asked);
          this.#release.follow(flight, write(signature, signingMs), Promise.resolve(true)); // it was recovered
        } catch (error) {
          this.#unsigned(decision, flight, error);
        }
      },
      (error: unknown) => this.#unsigned(decision, flight, error),
    );
    return null;
  }

  /** No signature came of a key elsewhere. One that was not there in time is silent, and its scope closes; anything else halts. */
  #unsigned(decision: Decision, flight: SignedFlight, error: unknown): void {
    const { guard } = this.#options;
    const { chain, pair, side } = flight.admission;
    const late = flight.answered;
    this.#unused(decision.input, flight);
    let code: RefusalCode = 'signer_unseen';
    if (isDeskError(error, 'key_locked')) code = guard.stopCode(chain.chainId, pair.id, side);
    else if (!isDeskError(error, 'signer_silent')) {
      code = 'internal';
      guard.trading.failed({ chainId: chain.chainId }, error);
    }
    this.#release.refuse(flight, refusalAnswer(code));
    if (late) code = 'deadline';
    this.#refusals.write(refusedRow(decision, code, this.#since(decision.input)), code);
  }

  /** Nothing was handed to the journal, so nothing can come of it. */
  #unused({ signature }: FirmRequestInput, { admission, reservation }: SignedFlight): void {
    if (signature !== undefined) this.replays.unuse(signature);
    this.#options.guard.unsigned(admission.chain.chainId, reservation);
  }

  #since(input: FirmRequestInput): number {
    return this.#options.monotonic() - input.receivedMonotonic;
  }
}
