import { createEmitter, type Emitter } from '../contract/emitter.ts';
import type { HedgeRow } from '../contract/hedge.ts';
import { hedgeRows } from '../hedge/hedge-view.ts';
import type { JournalEvent } from '../journal/events.ts';
import type { Journal } from '../journal/journal.ts';
import type { Log } from './log.ts';
import { folded } from './stream.ts';

/** How long changes are collected before they are read and told. */
const INTERVAL_MS = 200;

/** What changes positions, fills or automatic hedging, beside hedges themselves. */
const MOVES: ReadonlySet<JournalEvent['kind']> = new Set([
  ...(['fill', 'reverted', 'chain_reset', 'auto_hedge_set', 'auto_hedge_said'] as const),
]);

interface HedgeNews {
  at: number;
  rows: HedgeRow[];
  positions: boolean;
}

/** Tells consoles of hedges as they change, and that positions look different. */
export class HedgeFeed {
  readonly #journal: Pick<Journal, 'read'>;
  readonly #news: Emitter<HedgeNews>;
  readonly #now: () => number;
  readonly #log: Log;
  readonly #touched = new Set<number>();
  #moved = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(journal: Pick<Journal, 'read' | 'onAppended'>, now: () => number, log: Log) {
    this.#journal = journal;
    this.#now = now;
    this.#log = log;
    this.#news = createEmitter((error) => log.error('a console could not be told of hedges', { error: String(error) }));
    journal.onAppended((events) => {
      if (!this.#news.isHeard()) return;
      for (const event of events) this.#touch(event);
      if (this.#touched.size > 0 || this.#moved)
        this.#timer ??= setTimeout(() => void this.#flush(), INTERVAL_MS).unref();
    });
  }

  /** The first news is empty: from then on nothing is missed, so what is read after it and what is told fit together. */
  async *watch(signal: AbortSignal | undefined): AsyncGenerator<HedgeNews, void> {
    const news = folded<HedgeNews>((listener) => this.#news.subscribe(listener), merged, signal);
    const first = news.next(); // a generator listens only when it is asked
    yield { at: this.#now(), rows: [], positions: false };
    for (let next = await first; !next.done; next = await news.next()) yield next.value;
  }

  #touch({ seq, kind, body }: JournalEvent): void {
    if (kind === 'hedge_opened') this.#touched.add(seq);
    else if (kind === 'hedge_step') this.#touched.add(body.hedgeSeq);
    else if (!MOVES.has(kind)) return;
    this.#moved = true;
  }

  async #flush(): Promise<void> {
    this.#timer = null;
    const seqs = [...this.#touched];
    const positions = this.#moved;
    this.#touched.clear();
    this.#moved = false;
    try {
      const records = await Promise.all(seqs.map((seq) => this.#journal.read.hedge(seq)));
      const known = records.filter((record) => record !== null);
      const rows = await hedgeRows(this.#journal.read, known);
      this.#news.emit({ at: this.#now(), rows, positions });
    } catch (error) {
      this.#log.warn('hedges could not be read for the consoles', { error: String(error) });
    }
  }
}

function merged(earlier: HedgeNews, later: HedgeNews): HedgeNews {
  const bySeq = new Map([...earlier.rows, ...later.rows].map((row) => [row.seq, row]));
  return { at: later.at, rows: [...bySeq.values()], positions: earlier.positions || later.positions };
}
