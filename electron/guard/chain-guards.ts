import type { Book } from '../book/book.ts';
import type { ChainView } from '../chain/chain-view.ts';
import type { OrderEvent } from '../chain/order-ledger.ts';
import type { ExposureRow } from '../contract/desk-view.ts';
import type { QuoteDetail } from '../contract/quote-log.ts';
import type { UnprovenPast } from '../journal/fills/unproven-past.ts';
import type { Journal } from '../journal/journal.ts';
import type { OpenQuote } from '../journal/quotes/fold.ts';
import type { Hex } from '../protocol/address.ts';
import type { Latch } from '../signer/latch.ts';
import { termsOf } from './ask.ts';
import { ChainGuard } from './chain-guard.ts';
import { exposureRows } from './exposure-rows.ts';
import type { SignedOrder } from './reservation.ts';
import type { Trading } from './trading.ts';

export interface ChainGuardsOptions {
  journal: Pick<Journal, 'append' | 'read'>;
  book: Pick<Book, 'chain' | 'chains' | 'references' | 'pushed'>;
  latch: Latch;
  /** The chain as its watcher sees it at this moment; undefined when nobody watches it. */
  views: (chainId: number) => ChainView | undefined;
  /** Unix milliseconds. */
  now: () => number;
}

/** Who said that a chain was begun anew with this first block, and why. */
export interface ChainAccepted {
  genesis: Hex;
  actor: string;
  reason: string | null;
}

/** What the journal may lack, as this start found it (`isNew`) or an earlier one; and the longest that a quote lives by its last rows, its settings and its witness. */
type Unproven = UnprovenPast & { isNew: boolean; longestLifetimeSeconds: number };

/** Rows of one `quotes_expired` event at most. */
const EXPIRED_ROWS = 1_000;

/** For a chain that is not in the book: nobody watches it, so that nothing of it ends. */
const UNKNOWN_CHAIN = { headAheadMaxSeconds: 0, headMaxAgeSeconds: 0 };

/** The guard of each chain: what is signed there and can still be filled, and what the chain tells about it. */
export class ChainGuards {
  readonly #options: ChainGuardsOptions;
  readonly #trading: Trading;
  readonly #chains = new Map<number, ChainGuard>();
  /** Orders that the journal is being asked about, and whether something came since it was. */
  readonly #asked = new Map<string, { again: boolean }>();
  readonly #unproven: Unproven | null;

  /** Every signed row without an end counts as live. `unproven`: what was signed until then may not be among them all. */
  constructor(options: ChainGuardsOptions, trading: Trading, open: readonly OpenQuote[], unproven: Unproven | null) {
    this.#options = options;
    this.#trading = trading;
    this.#unproven = unproven;
    for (const quote of open) {
      const { exposure, rate } = this.of(quote.chainId);
      exposure.restore(quote);
      if (quote.pair === null) continue; // signed by hand: no user asked for it
      const lifetime = options.book.chain(quote.chainId)?.config.quoteLifetimeSeconds;
      if (lifetime !== undefined) rate.add(termsOf(quote), Math.min(options.now(), (quote.expiry - lifetime) * 1_000));
    }
  }

  of(chainId: number): ChainGuard {
    const known = this.#chains.get(chainId);
    if (known !== undefined) return known;
    const { views, now, book } = this.#options;
    const chain = new ChainGuard({
      view: () => views(chainId),
      clockLimits: () => book.chain(chainId)?.config ?? UNKNOWN_CHAIN,
      now,
    });
    if (this.#unproven !== null) {
      const { since, isNew, longestLifetimeSeconds, handOrders } = this.#unproven;
      chain.holdOff({
        since,
        isNew,
        // Once and for all: what is set from now on says nothing of what was signed.
        lifetimeSeconds: Math.max(book.chain(chainId)?.config.quoteLifetimeSeconds ?? 0, longestLifetimeSeconds),
        byHandUntil: Math.max(0, ...handOrders.filter((one) => one.chainId === chainId).map(({ expiry }) => expiry)),
      });
    }
    this.#chains.set(chainId, chain);
    return chain;
  }

  /** A fill, a cancel, or one taken back; to be told once durable and before any view of its block or later. */
  orderEvent(event: OrderEvent): void {
    const { chainId, orderHash } = event.body;
    try {
      const chain = this.of(chainId);
      if (event.kind === 'fill' && !chain.exposure.knows(orderHash)) chain.strangerFilled(event.body.blockTime);
      if (!chain.exposure.orderEvent(event)) void this.#askJournal(chainId, orderHash);
      this.#haltIfOverfilled(chainId, orderHash);
    } catch (error) {
      this.#trading.failed({ chainId }, error);
    }
  }

  /** The chain was begun anew, by the word of a person or of the practice desk: every order signed for it ends, and the journal is told so. */
  async chainReset(chainId: number, { genesis, actor, reason }: ChainAccepted): Promise<void> {
    const { journal, latch, now } = this.#options;
    latch.advance({ chainId });
    const quoteSeqs = this.of(chainId).begunAnew();
    const body = { chainId, quoteSeqs, genesis, reason };
    await journal.append({ time: now(), actor, kind: 'chain_reset', body });
  }

  /** Signed and still fillable, token by token. */
  rows(): ExposureRow[] {
    return this.#options.book.chains().flatMap((chain) => exposureRows(chain, this.of(chain.chainId)));
  }

  /** The live orders of a chain. */
  live(chainId: number): SignedOrder[] {
    return this.of(chainId).exposure.liveOrders();
  }

  /** Their hashes, for cancelling them there. */
  liveHashes(chainId: number): string[] {
    return this.live(chainId).map(({ orderHash }) => orderHash);
  }

  /** Whether the clock of some chain and ours agree at this moment. */
  clockAgrees(): boolean {
    return [...this.#chains.values()].some((chain) => chain.clockAgrees());
  }

  /** What time brings: orders end, and the journal is told which. */
  tick(): void {
    const { journal, now } = this.#options;
    for (const [chainId, chain] of this.#chains) {
      chain.view();
      chain.endOrders();
      chain.rate.forget(now());
      const rows = chain.exposure.takeExpiredRows();
      for (let from = 0; from < rows.length; from += EXPIRED_ROWS) {
        const body = { chainId, quoteSeqs: rows.slice(from, from + EXPIRED_ROWS) };
        // A journal that cannot take it halts the desk; with the next start these rows end again.
        journal.append({ time: now(), actor: 'desk', kind: 'quotes_expired', body }).catch(() => {});
      }
    }
  }

  /**
   * An event from before this desk started was taken back: the order counts in full until the journal said what stands. It
   * is asked once more where another came meanwhile, not once for each.
   */
  async #askJournal(chainId: number, orderHash: string): Promise<void> {
    const key = `${chainId} ${orderHash}`;
    const asked = this.#asked.get(key);
    if (asked !== undefined) {
      asked.again = true;
      return;
    }
    const chain = this.of(chainId);
    const unknown = !chain.exposure.knows(orderHash);
    const asking = { again: true };
    this.#asked.set(key, asking);
    if (unknown) chain.questions += 1;
    try {
      while (asking.again) {
        asking.again = false;
        const quote = await this.#options.journal.read.quoteByHash(chainId, orderHash);
        if (!asking.again) this.#told(chainId, orderHash, quote);
      }
    } catch (error) {
      this.#trading.failed({ chainId }, error);
    } finally {
      this.#asked.delete(key);
      if (unknown) chain.questions -= 1;
    }
  }

  #told(chainId: number, orderHash: string, quote: QuoteDetail | null): void {
    // Its exposure is not known: the chain halts rather than count it as nothing.
    if (quote?.unreadable !== undefined) throw new Error(`row ${quote.seq} of the journal: ${quote.unreadable}`);
    if (quote === null || quote.state === 'withheld') return;
    const { makerAmount, takerAmount, expiry, state } = quote;
    if (makerAmount === null || expiry === null) return;
    const order = { ...quote, orderHash, makerAmount, takerAmount: takerAmount ?? '0', expiry };
    this.of(chainId).exposure.told(order, { cancelled: state === 'cancelled' });
    this.#haltIfOverfilled(chainId, orderHash);
  }

  /** The contract fills no order beyond its amount: what the node tells of this chain cannot be true. */
  #haltIfOverfilled(chainId: number, orderHash: string): void {
    if (!this.of(chainId).exposure.isOverfilled(orderHash) || this.#trading.said({ chainId })?.state === 'HALTED')
      return;
    const cause = `More of order ${orderHash} was filled than was signed, which the contract does not allow: the node tells fills twice, or fills that never happened. Compare them with a block explorer, and name another node.`;
    void this.#trading.halt({ chainId }, { actor: 'desk', cause });
  }
}
