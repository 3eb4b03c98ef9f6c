import type { PairRow } from '../contract/book.ts';
import type { ChainRow, DeskUpdate } from '../contract/desk-view.ts';
import { createEmitter, type Emitter } from '../contract/emitter.ts';
import { pause } from '../time/pause.ts';
import type { CallContext } from './handlers/base.ts';
import type { Log } from './log.ts';
import { folded } from './stream.ts';

/** The shortest time between two updates to the consoles. */
const INTERVAL_MS = 100;

/**
 * Figures of pairs and chains are told at most this often, all of them together: an engine moves them with every message, nobody
 * reads faster, and each time costs a console a frame. What becomes of a pair or a chain is told with the next update.
 */
const FIGURES_MS = 500;

/** The desk is heard at least this often, also while nothing changes: a console that hears nothing for longer says so. */
const BEAT_MS = 1_000;

/** A console that missed so many updates gets the whole view as it is then, and nothing is kept for it meanwhile. */
const MOST_MISSED = 20;

/** All of the view; what a console gets first. */
export type WholeView = Required<
  Omit<DeskUpdate, 'time' | 'actor' | 'may' | 'record' | 'token' | 'whole' | 'removedPairs'>
>;

/** Who watches, and what they may do. */
type Watcher = Pick<CallContext, 'actor' | 'may' | 'token'>;

const keyOf = (row: Pick<PairRow, 'chainId' | 'pair'>) => `${row.chainId} ${row.pair}`;

/**
 * Tells consoles what the desk looks like: everything once, then what changed, at most ten times a second, and figures of
 * pairs and chains twice. The view is read whole and compared, so nothing can be forgotten by the code that changes it.
 */
export class LiveView {
  readonly #read: () => WholeView;
  readonly #now: () => number;
  readonly #updates: Emitter<DeskUpdate>;
  readonly #timer: NodeJS.Timeout;
  readonly #log: Log;
  readonly #record: string | undefined;
  #parts = new Map<string, string>();
  #chains = '';
  #toldAt = 0;
  #pairs = new Map<string, { row: PairRow; text: string; state: string }>();
  #figuresAt = 0;

  /** `record`: in which record the commands of consoles stand; left out where no desk runs. */
  constructor(options: { read: () => WholeView; now: () => number; log: Log; record?: string }) {
    this.#read = options.read;
    this.#now = options.now;
    this.#log = options.log;
    this.#record = options.record;
    this.#updates = createEmitter((error) => options.log.error('a console update failed', { error: String(error) }));
    this.#timer = setInterval(() => this.#tick(), INTERVAL_MS);
    this.#timer.unref();
  }

  /** The updates for one console, whose commands are journaled under `actor`. */
  async *watch(who: Watcher, signal: AbortSignal | undefined): AsyncGenerator<DeskUpdate, void> {
    if (!this.#updates.isHeard()) this.#compare();
    const changes = folded<Missed>(
      (listener) => this.#updates.subscribe((update) => listener({ update, count: 1 })),
      mergeMissed,
      signal,
    );
    const first = changes.next(); // listens before the view is read, so that no change falls between
    yield this.#told(who);
    for (let next = await first; !next.done; next = await changes.next()) {
      const { update } = next.value;
      yield update === null ? this.#told(who) : { ...update, actor: who.actor };
    }
  }

  /**
   * Waits for the next figures that consoles are told, so that what moves with them is told in the same moment; no longer than those
   * can take, nor than until `signal` is aborted. Never rejects.
   */
  async figures(signal: AbortSignal | undefined): Promise<void> {
    const told = new AbortController();
    const stop = this.#updates.subscribe(({ pairs, chains }) => {
      if (pairs !== undefined || chains !== undefined) told.abort();
    });
    await pause(
      FIGURES_MS + INTERVAL_MS,
      AbortSignal.any(signal === undefined ? [told.signal] : [signal, told.signal]),
    );
    stop();
  }

  /** All of it as it is at this moment. */
  whole(): WholeView {
    return this.#read();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #told({ actor, may, token }: Watcher): DeskUpdate {
    const [view, record] = [this.#read(), this.#record];
    // What this console is told ahead of the others is told to all once more, also where it goes back meanwhile.
    for (const row of view.pairs) {
      const known = this.#pairs.get(keyOf(row));
      if (known !== undefined && known.text !== JSON.stringify(row)) known.text = '';
    }
    if (this.#parts.get('chains') !== JSON.stringify(view.chains)) this.#parts.delete('chains');
    return { ...view, time: this.#now(), actor, may: [...may()], token, record, whole: true };
  }

  #tick(): void {
    if (this.#updates.isHeard()) this.#compare();
  }

  #compare(): void {
    try {
      const { pairs, chains, ...parts } = this.#read();
      const areFiguresDue = performance.now() - this.#figuresAt >= FIGURES_MS;
      const update: DeskUpdate = {
        time: this.#now(),
        actor: '',
        ...this.#changedParts(parts),
        ...this.#changedChains(chains, areFiguresDue),
        ...this.#changedPairs(pairs, areFiguresDue),
      };
      // Only a view that was read whole is a beat: what is on the screen is as it was at `time`, figures half a second before.
      const isBeat = Math.abs(update.time - this.#toldAt) >= BEAT_MS;
      if (Object.keys(update).length === 2 && !isBeat) return;
      this.#toldAt = update.time;
      this.#updates.emit(update);
    } catch (error) {
      this.#log.error('the view of the desk cannot be read', { error: String(error) });
    }
  }

  #changedParts(parts: Partial<WholeView>): Partial<DeskUpdate> {
    const changed: [string, unknown][] = [];
    for (const [name, value] of Object.entries(parts)) {
      const text = JSON.stringify(value);
      if (this.#parts.get(name) === text) continue;
      this.#parts.set(name, text);
      changed.push([name, value]);
    }
    return Object.fromEntries(changed);
  }

  #changedChains(chains: ChainRow[], areFiguresDue: boolean): Pick<DeskUpdate, 'chains'> {
    const state = JSON.stringify(chains.map(stateOfChain));
    if (state === this.#chains && !areFiguresDue) return {};
    this.#chains = state;
    const changed = this.#changedParts({ chains });
    if (changed.chains !== undefined) this.#figuresAt = performance.now();
    return changed;
  }

  #changedPairs(rows: PairRow[], areFiguresDue: boolean): Pick<DeskUpdate, 'pairs' | 'removedPairs'> {
    const now = new Map(rows.map((row) => [keyOf(row), { row, text: JSON.stringify(row), state: stateOf(row) }]));
    const changed = [...now].filter(([key, { text }]) => this.#pairs.get(key)?.text !== text);
    const gone = [...this.#pairs].filter(([key]) => !now.has(key)).map(([, entry]) => entry.row);
    const areFigures = gone.length === 0 && changed.every(([key, { state }]) => this.#pairs.get(key)?.state === state);
    if (areFigures && !areFiguresDue) return {};
    if (changed.length > 0) this.#figuresAt = performance.now();
    this.#pairs = now;
    const pairs = changed.map(([, { row }]) => row);
    const removedPairs = gone.map(({ chainId, pair }) => ({ chainId, pair }));
    return { ...(pairs.length > 0 && { pairs }), ...(removedPairs.length > 0 && { removedPairs }) };
  }
}

/** What a pair's row says beside its figures: which pair it is, whether each side is quoted, and who drives it. */
function stateOf(row: PairRow): string {
  const { base, quote, publishedBy, switches, retiredUntil, fault, closed, byHand, draftCells, follow, formula } = row;
  const sides = (['bids', 'asks'] as const).map((side) => [
    row.unquoted?.[side] === null,
    row.offReference?.[side]?.closed,
    (side === 'bids' ? row.bestBid : row.bestAsk) === null,
  ]);
  const driven = [
    follow?.on,
    follow?.note === null,
    formula === undefined,
    formula?.note === null,
    row.skipped === undefined,
  ];
  const { reference, hasReference } = row;
  const outside = [hasReference, reference == null, reference?.stale, reference?.heldBack == null];
  const hands = [publishedBy, byHand, draftCells];
  return JSON.stringify([
    base,
    quote,
    switches,
    retiredUntil,
    fault,
    closed,
    ...sides,
    ...driven,
    ...outside,
    ...hands,
  ]);
}

/** What a chain's row says beside its figures: all but where its head is, how long answers took, and when it was polled last. */
function stateOfChain({ block, blockSeenAt, blockTime, nodeMs, skewMs, answers, heartbeats, ...state }: ChainRow) {
  const polls = heartbeats.map(({ endpoint, status, since }) => [endpoint, status, since]);
  return [state, block === null, answers == null, ...polls];
}

/** What one console was not told yet: so many updates as one, or null where it is told everything anew. */
type Missed = { update: DeskUpdate | null; count: number };

function mergeMissed(earlier: Missed, later: Missed): Missed {
  const count = earlier.count + later.count;
  if (earlier.update === null || later.update === null || count > MOST_MISSED) return { update: null, count };
  return { update: mergeUpdates(earlier.update, later.update), count };
}

/** Two updates as one: the later parts win, changed pairs are merged by key. */
export function mergeUpdates(earlier: DeskUpdate, later: DeskUpdate): DeskUpdate {
  const removed = new Map((earlier.removedPairs ?? []).map((key) => [keyOf(key), key]));
  const pairs = new Map((earlier.pairs ?? []).map((row) => [keyOf(row), row]));
  for (const row of later.pairs ?? []) {
    pairs.set(keyOf(row), row);
    removed.delete(keyOf(row));
  }
  for (const key of later.removedPairs ?? []) {
    removed.set(keyOf(key), key);
    pairs.delete(keyOf(key));
  }
  return {
    ...earlier,
    ...later,
    pairs: pairs.size > 0 ? [...pairs.values()] : undefined,
    removedPairs: removed.size > 0 ? [...removed.values()] : undefined,
  };
}
