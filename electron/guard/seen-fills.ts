import type { JournalEvent } from '../journal/events.ts';
import type { Journal } from '../journal/journal.ts';
import type { FilledRow } from '../journal/protections/counted-rows.ts';
import type { Read } from '../journal/protections/slice.ts';

type OfFills = Extract<JournalEvent, { kind: 'fill' | 'reverted' }>;

interface SeenFillsParts {
  journal: Pick<Journal, 'read' | 'onAppended'>;
  /** Until when what fills gained is told, Unix milliseconds. */
  now: () => number;
  /** Whether anybody wants to know. */
  wanted: () => boolean;
  /** Fills of quotes of this desk, and rows of such that cannot be read. */
  onFills: (fills: Read<FilledRow>) => void;
  /** The journal says that a reorganisation took back what is in row `fillSeq`: a fill, or a cancel. */
  onTakenBack: (fillSeq: number) => void;
  /** The journal could not be read: what came since it was last told is not known. */
  onLost: (error: unknown) => void;
}

/** Tells of fills and of those that were taken back, once they are durable, in the order of the journal. */
export class SeenFills {
  readonly #parts: SeenFillsParts;
  #waiting: OfFills[] = [];
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: SeenFillsParts) {
    this.#parts = parts;
    parts.journal.onAppended((events) => {
      if (!parts.wanted()) return;
      let isFirst = this.#waiting.length === 0;
      for (const event of events) {
        if (event.kind !== 'fill' && event.kind !== 'reverted') continue;
        this.#waiting.push(event);
        if (isFirst) void this.inTurn(() => this.#tell()).catch(parts.onLost);
        isFirst = false;
      }
    });
  }

  /** Does something while none is told; those that come meanwhile are told after it. */
  inTurn<T>(deed: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(deed);
    this.#turn = done.catch(() => {});
    return done;
  }

  async #tell(): Promise<void> {
    const { journal, now, onFills, onTakenBack } = this.#parts;
    const events = this.#waiting.splice(0);
    const seqs = events.flatMap(({ kind, seq }) => (kind === 'fill' ? [seq] : []));
    const fills = seqs.length === 0 ? { rows: [], unread: [] } : await journal.read.filledRows(seqs, now());
    const rows = new Map(fills.rows.map((row) => [row.seq, row]));
    if (fills.unread.length > 0) onFills({ rows: [], unread: fills.unread });
    for (const event of events) {
      if (event.kind === 'reverted') onTakenBack(event.body.eventSeq);
      const row = rows.get(event.seq);
      if (row !== undefined) onFills({ rows: [row], unread: [] });
    }
  }
}
