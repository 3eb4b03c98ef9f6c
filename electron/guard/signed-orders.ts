import type { Book } from '../book/book.ts';
import type { ChainView } from '../chain/chain-view.ts';
import type { OrderEvent } from '../chain/order-ledger.ts';
import type { ExposureRow } from '../contract/desk-view.ts';
import type { Journal } from '../journal/journal.ts';
import type { OpenQuote } from '../journal/stored.ts';
import type { Latch } from '../signer/latch.ts';
import { ChainGuard } from './chain-guard.ts';
import { exposureRows } from './exposure-rows.ts';
import type { Trading } from './trading.ts';

export interface SignedOrdersOptions {
  journal: Pick<Journal, 'append' | 'read'>;
  book: Pick<Book, 'chain' | 'chains' | 'references'>;
  latch: Latch;
  /** The chain as its watcher sees it at this moment; undefined when nobody watches it. */
  views: (chainId: number) => ChainView | undefined;
  /** Unix milliseconds. */
  now: () => number;
}

/** Rows of one `quotes_expired` event at most. */
const EXPIRED_ROWS = 1_000;

/**
 * Orders that expired this long before the desk started need not be counted: our clock has ended them, and whatever was
 * filled of them is in every balance that counts as seen, since a node further behind than this is not believed.
 */
const DEAD_FOR_SECONDS = 300;

/** Orders that expired before this, in Unix seconds, have ended for certain at `now` (Unix milliseconds). */
export function deadBefore(now: number): number {
  return Math.floor(now / 1_000) - DEAD_FOR_SECONDS;
}

/** What is signed and can still be filled, chain by chain, and what the chains tell about it. */
export class SignedOrders {
  readonly #options: SignedOrdersOptions;
  readonly #trading: Trading;
  readonly #chains = new Map<number, ChainGuard>();

  /** Every signed row without an end counts as live. */
  constructor(options: SignedOrdersOptions, trading: Trading, open: readonly OpenQuote[]) {
    this.#options = options;
    this.#trading = trading;
    for (const quote of open) {
      const { exposure, rate } = this.of(quote.chainId);
      exposure.restore(quote);
      const lifetime = options.book.chain(quote.chainId)?.config.quoteLifetimeSeconds;
      if (lifetime !== undefined)
        rate.add(quote.userAddress, Math.min(options.now(), (quote.expiry - lifetime) * 1_000));
    }
  }

  of(chainId: number): ChainGuard {
    const known = this.#chains.get(chainId);
    if (known !== undefined) return known;
    const chain = new ChainGuard(() => this.#options.views(chainId));
    this.#chains.set(chainId, chain);
    return chain;
  }

  /** A fill, a cancel, or one taken back; to be told once durable and before any view of its block or later. */
  orderEvent(event: OrderEvent): void {
    const { chainId, orderHash } = event.body;
    try {
      if (!this.of(chainId).exposure.orderEvent(event)) void this.#askJournal(chainId, orderHash);
    } catch (error) {
      this.#trading.failed({ chainId }, error);
    }
  }

  /** The chain that was known is gone: every order signed for it has an end, and the journal is told so. */
  async chainReset(chainId: number): Promise<void> {
    const { journal, latch, now } = this.#options;
    latch.advance({ chainId });
    const quoteSeqs = this.of(chainId).exposure.reset();
    await journal.append({ time: now(), actor: 'desk', kind: 'chain_reset', body: { chainId, quoteSeqs } });
  }

  /** Signed and still fillable, token by token. */
  rows(): ExposureRow[] {
    return this.#options.book.chains().flatMap((chain) => exposureRows(chain, this.of(chain.chainId)));
  }

  /** Hashes of the live orders of a chain, for cancelling them there. */
  liveHashes(chainId: number): string[] {
    return this.of(chainId).exposure.liveHashes();
  }

  /** What time brings: orders end, and the journal is told which. */
  tick(): void {
    const { journal, now } = this.#options;
    for (const [chainId, chain] of this.#chains) {
      chain.view();
      chain.exposure.clockTicked(now());
      chain.rate.forget(now());
      const rows = chain.exposure.takeExpiredRows();
      for (let from = 0; from < rows.length; from += EXPIRED_ROWS) {
        const body = { chainId, quoteSeqs: rows.slice(from, from + EXPIRED_ROWS) };
        // A journal that cannot take it halts the desk; with the next start these rows end again.
        journal.append({ time: now(), actor: 'desk', kind: 'quotes_expired', body }).catch(() => {});
      }
    }
  }

  /** Tells the journal of every order that ended while no desk ran, a piece at a time so that quotes come in between. */
  async endThoseBefore(dead: number): Promise<void> {
    const { journal, now } = this.#options;
    try {
      for (;;) {
        const rows = await journal.read.overdueQuotes(dead, EXPIRED_ROWS);
        for (const chainId of new Set(rows.map((row) => row.chainId))) {
          const quoteSeqs = rows.filter((row) => row.chainId === chainId).map(({ seq }) => seq);
          await journal.append({ time: now(), actor: 'desk', kind: 'quotes_expired', body: { chainId, quoteSeqs } });
        }
        if (rows.length < EXPIRED_ROWS) return;
      }
    } catch {
      // A journal that cannot be written halts the desk; with the next start these rows end again.
    }
  }

  /** An event from before this desk started was taken back: the order counts in full until the journal said what stands. */
  async #askJournal(chainId: number, orderHash: string): Promise<void> {
    const chain = this.of(chainId);
    const unknown = !chain.exposure.knows(orderHash);
    if (unknown) chain.questions += 1;
    try {
      const quote = await this.#options.journal.read.quoteByHash(chainId, orderHash);
      if (quote === null || quote.makerAmount === null || quote.expiry === null || quote.state === 'withheld') return;
      const { seq, makerAsset, makerAmount, filledMakerAmount, expiry, state } = quote;
      const order = { seq, orderHash, makerAsset, makerAmount, filledMakerAmount, expiry };
      chain.exposure.told({ ...order, cancelled: state === 'cancelled' });
    } catch (error) {
      this.#trading.failed({ chainId }, error);
    } finally {
      if (unknown) chain.questions -= 1;
    }
  }
}
