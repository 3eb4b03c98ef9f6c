import { setTimeout as sleep } from 'node:timers/promises';
import { AccountTurns } from '../chain/account-turns.ts';
import type { HedgeQuote } from '../contract/hedge.ts';
import type { HedgeAsk, HedgeWish } from '../contract/hedge-terms.ts';
import type { HedgeRecord } from '../journal/hedge-record.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { buildIntentCancellation, cancelIntentOrders } from '../service/intent-orders.ts';
import { carryOut } from './carry-out.ts';
import { checkHalted } from './closes-position.ts';
import { fillsFor } from './fills-to-hedge.ts';
import { HedgeLog } from './hedge-log.ts';
import { type HedgeNode, openHedgeNode } from './hedge-node.ts';
import { chainOf, type HedgeParts, sentenceOf } from './hedge-parts.ts';
import { quoteBothWays } from './hedge-quote.ts';
import { type HedgeRun, isHalted } from './hedge-run.ts';
import { openingOf } from './hedge-terms.ts';
import { isCancellable } from './hedge-view.ts';
import { ReceiptWatch } from './receipt-watch.ts';
import { signTypedData } from './sign-transaction.ts';

/** How often the service is asked for an order; it takes a question a second from the whole desk. */
const POLL_MS = 2_500;
/** How long the end of the desk waits for an answer that is under way. */
const STOP_PATIENCE_MS = 1_500;
const GIVE_UP_LOOKS = 100;
const GIVE_UP_LOOK_MS = 100;

export interface HedgeEngineOptions {
  pollMs?: number;
  /** How often transactions that are not final are looked at, milliseconds. */
  watchMs?: number;
}

/** Opens hedges and carries them to their end, behind everything else: no quote ever waits for it. */
export class HedgeEngine {
  readonly log: HedgeLog;
  readonly #parts: HedgeParts;
  readonly #pollMs: number;
  readonly #queue = new AccountTurns();
  readonly #ending = new AbortController();
  readonly #under = new Set<Promise<void>>();
  readonly #givenUp = new Map<number, string>();
  readonly #nodes = new Map<number, HedgeNode>();
  readonly #watch: ReceiptWatch;
  #placing: Promise<unknown> = Promise.resolve();

  constructor(parts: HedgeParts, { pollMs = POLL_MS, watchMs }: HedgeEngineOptions = {}) {
    this.#parts = parts;
    this.#pollMs = pollMs;
    this.log = new HedgeLog(parts);
    this.#watch = new ReceiptWatch(parts, {
      ...{ log: this.log, node: this.node, everyMs: watchMs },
      runAgain: (seq) => this.#launch(seq, false),
    });
  }

  /** Takes up what ran when the desk ended: looked up first, and nothing sent that was not signed before. */
  async start(): Promise<void> {
    for (const { seq } of await this.log.load()) this.#launch(seq, false);
    this.#watch.start();
  }

  /** Lets go of what runs; the next desk takes it up. */
  async stop(): Promise<void> {
    this.#ending.abort(new DeskError('desk_stopping', 'The desk is being closed.'));
    for (const { node } of this.#nodes.values()) node.close();
    // What still waits for an answer from outside writes nothing more: the journal is closed by then.
    await Promise.race([
      Promise.allSettled([this.#watch.stop(), ...this.#under]),
      sleep(STOP_PATIENCE_MS, null, { ref: false }),
    ]);
  }

  quote(ask: HedgeAsk): Promise<HedgeQuote> {
    return quoteBothWays(this.#parts, this.node, ask);
  }

  /**
   * Opens a hedge, and carries it out behind the answer. Throws DeskError: `bad_ask`, `bad_terms`, `bad_fills`, `halted`,
   * `halted_unconfirmed`, `no_service`, `unknown_chain`, `unknown_token`.
   */
  place(wish: HedgeWish, by: { actor: string; confirmed: boolean; automatic?: boolean }): Promise<HedgeRecord> {
    // One after the other: each is judged by what is open when the one before it is.
    const mine = this.#placing.then(() => this.#place(wish, by));
    this.#placing = mine.catch(() => {});
    return mine;
  }

  async #place(
    wish: HedgeWish,
    { actor, confirmed: said, automatic = false }: Parameters<HedgeEngine['place']>[1],
  ): Promise<HedgeRecord> {
    const parts = this.#parts;
    // What was said while nothing was halted is no answer to the question that a halt asks.
    const confirmed = said && isHalted(parts, wish.ask.chainId);
    const draft = openingOf(parts, wish, { pair: null, fillSeqs: [], automatic, confirmed });
    parts.service(draft.chainId);
    await checkHalted(parts, draft, { confirmed, running: this.log.all() });
    const opened = { ...draft, ...(await fillsFor(parts, draft, wish.fillSeqs)) };
    const hedge = await this.log.open(opened, actor);
    this.#launch(hedge.seq, true);
    return hedge;
  }

  /** Ends a hedge of which nothing is signed, or asks the service to cancel its order. Throws DeskError, ServiceFault. */
  async cancel(seq: number, actor: string): Promise<void> {
    const hedge = this.log.running(seq);
    if (!isCancellable(hedge)) {
      throw new DeskError('not_cancellable', 'This hedge is signed and on its way: it cannot be called back.');
    }
    if (hedge.state === 'submitted') return this.#cancelOrder(hedge, actor);
    this.#givenUp.set(seq, `${actor} gave it up before anything of it was signed.`);
    for (let look = 0; look < GIVE_UP_LOOKS && this.log.isRunning(seq); look += 1) {
      if (!isCancellable(this.log.running(seq))) {
        throw new DeskError('not_cancellable', 'It was signed a moment before: it cannot be called back.');
      }
      await sleep(GIVE_UP_LOOK_MS);
    }
  }

  /** Lets a hedge go on that is held because the desk is halted. Throws DeskError `halted`, `halted_unconfirmed`. */
  async send(seq: number, confirmed: boolean, actor: string): Promise<void> {
    const { opened } = this.log.running(seq);
    const running = this.log.all().filter((hedge) => hedge.seq !== seq);
    await checkHalted(this.#parts, opened, { confirmed, running });
    await this.log.step(seq, { step: 'confirmed' }, actor);
  }

  /** A chain of the book as hedging talks to it; another address of its node is another connection. */
  readonly node = (chainId: number): HedgeNode => {
    const { rpcUrl } = chainOf(this.#parts, chainId).config;
    const known = this.#nodes.get(chainId);
    if (known?.node.rpcUrl === rpcUrl) return known;
    known?.node.close();
    const opened = openHedgeNode(rpcUrl, chainId);
    this.#nodes.set(chainId, opened);
    return opened;
  };

  async #cancelOrder({ seq, opened, orderId }: HedgeRecord, actor: string): Promise<void> {
    const ids = [orderId ?? ''];
    const service = this.#parts.service(opened.chainId);
    const toSign = await buildIntentCancellation(service, opened.chainId, ids);
    const signer = this.#parts.signerFor(opened.maker);
    if (signer === null) throw new DeskError('no_key', `The key of ${opened.maker} is not held by this desk.`);
    const signature = signTypedData(signer, toSign);
    await this.log.step(seq, { step: 'cancel_signed', signature }, actor);
    await cancelIntentOrders(service, ids, signature);
    if (this.log.isRunning(seq) && this.log.running(seq).cancel === 'signed') {
      await this.log.step(seq, { step: 'cancel_asked' }, actor);
    }
  }

  #launch(seq: number, fresh: boolean): void {
    const run: HedgeRun = {
      ...{ parts: this.#parts, log: this.log, seq, signal: this.#ending.signal, node: this.node, pollMs: this.#pollMs },
      givenUp: () => this.#givenUp.get(seq) ?? null,
    };
    const work = carryOut(run, this.#queue, fresh)
      .catch((error: unknown) => this.#parts.log.warn('a hedge stopped', { seq, error: sentenceOf(error) }))
      .finally(() => {
        this.#under.delete(work);
        this.#givenUp.delete(seq);
      });
    this.#under.add(work);
  }
}
