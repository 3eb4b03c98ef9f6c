import { createEmitter, type Emitter } from '../contract/emitter.ts';
import type { FillRow, QuoteRow } from '../contract/quote-log.ts';
import type { JournalEvent } from '../journal/events.ts';
import type { Journal } from '../journal/journal.ts';
import type { Log } from './log.ts';
import { folded } from './stream.ts';

/** How long rows are collected before they are read and told. */
const INTERVAL_MS = 250;
/** The most rows read at once; under a storm a tail shows the newest and leaves out what would scroll past unread. */
const MOST_ROWS = 500;

/** Tells consoles the rows of the firm log and of the fills as they are written or change their state. */
export class RowFeed {
  readonly #journal: Pick<Journal, 'read'>;
  readonly #quotes: Emitter<QuoteRow[]>;
  readonly #fills: Emitter<FillRow[]>;
  readonly #log: Log;
  readonly #touchedSeqs = new Set<number>();
  readonly #touchedHashes = new Map<string, { chainId: number; orderHash: string }>();
  readonly #filledSeqs = new Set<number>();
  #timer: NodeJS.Timeout | null = null;

  constructor(journal: Pick<Journal, 'read' | 'onAppended'>, log: Log) {
    this.#journal = journal;
    this.#log = log;
    const complain = (error: unknown) => log.error('a console could not be told of new rows', { error: String(error) });
    this.#quotes = createEmitter(complain);
    this.#fills = createEmitter(complain);
    journal.onAppended((events) => this.#collect(events));
  }

  /** The first batch is empty: from then on nothing is missed, so what is read after it and what is told fit together. */
  watchQuotes(signal: AbortSignal | undefined): AsyncGenerator<QuoteRow[], void> {
    return afterListening(folded<QuoteRow[]>((listener) => this.#quotes.subscribe(listener), newestOf, signal));
  }

  /** As `watchQuotes`. */
  watchFills(signal: AbortSignal | undefined): AsyncGenerator<FillRow[], void> {
    return afterListening(folded<FillRow[]>((listener) => this.#fills.subscribe(listener), newestOf, signal));
  }

  #collect(events: JournalEvent[]): void {
    if (!this.#quotes.isHeard() && !this.#fills.isHeard()) return;
    for (const event of events) this.#touch(event);
    this.#timer ??= setTimeout(() => void this.#flush(), INTERVAL_MS).unref();
  }

  #touch(event: JournalEvent): void {
    if (event.kind === 'quote' || event.kind === 'nft_order') this.#touchedSeqs.add(event.seq);
    else if (event.kind === 'quote_withheld') this.#touchedSeqs.add(event.body.quoteSeq);
    else if (event.kind === 'quotes_expired' || event.kind === 'chain_reset') {
      for (const seq of event.body.quoteSeqs) this.#touchedSeqs.add(seq);
    } else if (event.kind === 'fill' || event.kind === 'cancel' || event.kind === 'reverted') {
      const { chainId, orderHash } = event.body;
      this.#touchedHashes.set(`${chainId} ${orderHash}`, { chainId, orderHash });
      if (event.kind === 'fill') this.#filledSeqs.add(event.seq);
      if (event.kind === 'reverted') this.#filledSeqs.add(event.body.eventSeq);
    }
  }

  async #flush(): Promise<void> {
    this.#timer = null;
    const { read } = this.#journal;
    const seqs = [...this.#touchedSeqs].sort((a, b) => b - a).slice(0, MOST_ROWS);
    const orders = [...this.#touchedHashes.values()].slice(-MOST_ROWS);
    const filled = [...this.#filledSeqs].slice(-MOST_ROWS);
    this.#touchedSeqs.clear();
    this.#touchedHashes.clear();
    this.#filledSeqs.clear();
    try {
      const quotes = seqs.length + orders.length > 0 ? await read.namedQuotes({ seqs, orders }) : [];
      const fills = (await Promise.all(filled.map((seq) => read.fill(seq)))).filter((fill) => fill !== null);
      if (quotes.length > 0) this.#quotes.emit(quotes);
      if (fills.length > 0) this.#fills.emit(fills);
    } catch (error) {
      this.#log.warn('new rows could not be read for the consoles', { error: String(error) });
    }
  }
}

/** An empty batch once the batches are listened for, then they. */
async function* afterListening<T>(batches: AsyncGenerator<T[], void>): AsyncGenerator<T[], void> {
  const first = batches.next(); // a generator listens only when it is asked
  yield [];
  for (let next = await first; !next.done; next = await batches.next()) yield next.value;
}

/** Rows of both batches, each once and as it is now, at most as many as one batch may have. */
function newestOf<T extends { seq: number }>(earlier: T[], later: T[]): T[] {
  const bySeq = new Map([...earlier, ...later].map((row) => [row.seq, row]));
  return [...bySeq.values()].sort((a, b) => b.seq - a.seq).slice(0, MOST_ROWS);
}
