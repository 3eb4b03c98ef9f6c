import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { isSilenced } from '../../contract/alert-settings.ts';
import {
  type CallKind,
  callKindSchema,
  isQuietHour,
  type OpenCall,
  openCallSchema,
} from '../../contract/alert-ways.ts';
import { isQuiet } from '../../contract/desk-view.ts';
import type { Journal } from '../../journal/journal.ts';
import { DeskError } from '../../protocol/desk-error.ts';
import type { WholeView } from '../live-view.ts';
import type { Log } from '../log.ts';
import type { AlertCall } from './call.ts';
import type { AlertWays } from './ways.ts';

/** How often it is looked what is wrong, milliseconds. */
const LOOK_MS = 1_000;
/** What is wrong in so many looks in a row is told, and what is not there in so many more is over: nobody is called twice for one fault. */
const LOOKS_TO_RAISE = 2;
const LOOKS_TO_END = 5;
/** What was told before a restart gets so many more looks to show again: a desk that starts does not know yet what is wrong. */
const LOOKS_AFTER_START = 20;
const MINUTE_MS = 60_000;
/** Longer words are cut where they are kept. */
const MOST_OF_A_DETAIL = 2_000;
const MOST_OF_A_NAME = 500;

const KEY = 'alert-calls';
const storedSchema = z.array(z.unknown()).catch([]);
const storedCallSchema = openCallSchema.extend({ detail: z.string(), covers: z.array(z.string()).optional() });
type Stored = z.infer<typeof storedCallSchema>;

/** `covers`: what it is about, where that may become more. */
type Fault = Pick<AlertCall, 'code' | 'kind' | 'title' | 'detail'> & { covers: readonly string[] };
type Seen = Fault & {
  there: number;
  gone: number;
  /** When it was first there, by the clock that nobody sets: whatever is waited for is counted from there. */
  began: number;
  /** The same as Unix milliseconds, once it is found to be a fault; null while it is not sure yet. */
  since: number | null;
  told: Set<string>;
  /** The ways among `told` that were told of less than it covers now, and are told anew. */
  toldLess: Set<string>;
  takenBy: string | null;
  /** What it covered when it was told, null where that was not kept; and in how many looks in a row it has covered more. */
  known: readonly string[] | null;
  more: number;
};

export interface AlertCallerOptions {
  ways: Pick<AlertWays, 'list' | 'quiet' | 'isWaiting' | 'tell' | 'isOfWay'>;
  read: () => Pick<WholeView, 'status' | 'attention' | 'alerts'>;
  journal: Pick<Journal, 'put' | 'read' | 'append'>;
  now: () => number;
  /** Milliseconds of a clock that nobody sets. */
  monotonic: () => number;
  log: Log;
  /** Milliseconds between two looks. */
  lookMs?: number;
}

/**
 * Tells on each way what stops the desk from trading or needs a person, and once more when that is over: each once, over a restart
 * too, and anew where it has become more, whoever looks after what it was before. A way that waits some minutes is told only what
 * nobody has taken and what is not over by then. What is silenced, and in quiet hours what is not urgent, is told afterwards, if it
 * is still there.
 */
export class AlertCaller {
  readonly #options: AlertCallerOptions;
  readonly #seen: Map<string, Seen>;
  readonly #timer: NodeJS.Timeout;
  #kept: readonly Stored[];
  #isBlind = false;

  private constructor(options: AlertCallerOptions, kept: readonly Stored[]) {
    this.#options = options;
    this.#kept = kept;
    this.#seen = new Map(
      kept.map((call) => [
        call.code,
        {
          ...call,
          covers: call.covers ?? [],
          told: new Set(call.told),
          toldLess: new Set<string>(),
          began: options.monotonic() - Math.max(0, options.now() - call.since),
          known: call.covers ?? null,
          more: 0,
          there: LOOKS_TO_RAISE,
          gone: LOOKS_TO_END - LOOKS_AFTER_START,
        },
      ]),
    );
    this.#timer = setInterval(() => this.#look(), options.lookMs ?? LOOK_MS).unref();
  }

  /** Takes up what was told and is not over; a row that cannot be read is left out, alone. */
  static async open(options: AlertCallerOptions): Promise<AlertCaller> {
    const rows = storedSchema.parse(await options.journal.read.setting(KEY));
    const calls = rows.map((row) => storedCallSchema.safeParse(row));
    return new AlertCaller(
      options,
      calls.flatMap(({ data }) => (data === undefined ? [] : [data])),
    );
  }

  /** What is told now, and not over. */
  open(): OpenCall[] {
    return [...this.#seen.values()].flatMap(({ code, kind, title, since, told, toldLess, takenBy }) =>
      since === null ? [] : [{ code, kind, title, since, told: without(told, toldLess), takenBy }],
    );
  }

  /** Somebody looks after it: it goes no further by itself. Throws DeskError `unknown_alert`. */
  async take(code: string, actor: string): Promise<void> {
    const seen = this.#seen.get(code);
    if (seen === undefined || seen.since === null) {
      throw new DeskError('unknown_alert', `No alert ${code} stands.`, {
        remedy: 'See what stands: makerdesk alert-ways.',
      });
    }
    seen.takenBy = actor;
    this.#keep();
    const { journal, now } = this.#options;
    const body = { code: code.slice(0, MOST_OF_A_NAME), title: seen.title.slice(0, MOST_OF_A_NAME) };
    await journal.append({ time: now(), actor, kind: 'alert_taken', body });
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const { read, ways, log } = this.#options;
    if (ways.list().length === 0 && this.#seen.size === 0) return; // nobody is told, so nothing is read
    try {
      this.#compare(read());
      this.#isBlind = false;
    } catch (error) {
      if (!this.#isBlind) log.error('what is wrong cannot be read, so nobody is called', { error: String(error) });
      this.#isBlind = true;
    }
    this.#keep();
  }

  #compare(view: ReturnType<AlertCallerOptions['read']>): void {
    const { now, monotonic } = this.#options;
    const faults = this.#faultsOf(view);
    const held = this.#heldKinds(view);
    for (const fault of faults.values()) {
      const before = this.#seen.get(fault.code) ?? unseen(fault, this.#earlier(fault, faults));
      const seen: Seen = { ...before, ...fault, there: before.there + 1, gone: 0 };
      this.#seen.set(fault.code, seen);
      if (seen.there < LOOKS_TO_RAISE) continue;
      if (seen.since === null) seen.known = seen.covers;
      seen.since ??= Math.round(now() - (monotonic() - seen.began));
      this.#grow(seen);
      if (!held.has(seen.kind)) this.#raise(seen);
    }
    for (const seen of this.#seen.values()) {
      if (faults.has(seen.code)) continue;
      seen.gone += 1;
      if (seen.told.size > 0 && (seen.gone < LOOKS_TO_END || held.has(seen.kind))) continue;
      this.#end(seen);
    }
  }

  /**
   * Since when something new is wrong, and in how many looks it was there. An alarm has another code with each row that comes to it: where
   * nobody took it, it goes on from what it was under the last one, so that one that grows all the time is told, and comes to the ways that wait.
   */
  #earlier({ code, covers }: Fault, faults: ReadonlyMap<string, Fault>): Pick<Seen, 'began' | 'there'> {
    const isAlarm = (of: string) => of.startsWith('alarm ');
    const before = [...this.#seen.values()].filter(
      (one) =>
        isAlarm(code) &&
        isAlarm(one.code) &&
        !faults.has(one.code) &&
        one.takenBy === null &&
        one.known?.some((each) => covers.includes(each)),
    );
    const untold = before.filter(({ told }) => told.size === 0);
    return {
      began: Math.min(this.#options.monotonic(), ...before.map(({ began }) => began)),
      there: Math.max(0, ...untold.map(({ there }) => there)),
    };
  }

  /** What covers more than was told, for as long as a new fault has to be there, is told anew, and nobody looks after it. */
  #grow(seen: Seen): void {
    const known = seen.known ?? seen.covers;
    seen.known = known;
    seen.more = seen.covers.every((each) => known.includes(each)) ? 0 : seen.more + 1;
    if (seen.more < LOOKS_TO_RAISE) return;
    seen.more = 0;
    seen.known = seen.covers;
    seen.toldLess = new Set(seen.told);
    if (seen.takenBy === null) return;
    seen.takenBy = null;
    seen.began = this.#options.monotonic();
    seen.since = this.#options.now();
  }

  #raise(seen: Seen): void {
    const { ways, monotonic } = this.#options;
    for (const { name, kinds, afterMinutes } of ways.list()) {
      if ((seen.told.has(name) && !seen.toldLess.has(name)) || !kinds.includes(seen.kind)) continue;
      const isDue = afterMinutes === 0 || monotonic() - seen.began >= afterMinutes * MINUTE_MS;
      if (!isDue || (afterMinutes > 0 && seen.takenBy !== null)) continue;
      if (!ways.tell(name, callOf('raised', seen), () => seen.told.delete(name))) continue;
      seen.told.add(name);
      seen.toldLess.delete(name);
    }
  }

  /** A way that takes no call now is told at a later look. */
  #end(seen: Seen): void {
    const { ways } = this.#options;
    const names = new Set(ways.list().map(({ name }) => name));
    for (const name of seen.told) {
      if (!names.has(name) || ways.tell(name, callOf('over', seen))) seen.told.delete(name);
    }
    if (seen.told.size === 0) this.#seen.delete(seen.code);
  }

  /** The halt of the desk, what stands in the way of quoting, and what needs a look; by their codes. A desk that was never live calls nobody for that. */
  #faultsOf({ status, attention }: ReturnType<AlertCallerOptions['read']>): Map<string, Fault> {
    const faults = new Map<string, Fault>();
    if (status.state === 'HALTED' && status.isNew !== true) {
      const by = status.actor === null ? '' : ` by ${status.actor}`;
      const detail = `${status.reason ?? 'No reason was given.'} Nothing is signed until a person resumes it.`;
      faults.set('halted', { code: 'halted', kind: 'halt', title: `The desk was halted${by}`, detail, covers: [] });
    }
    for (const row of attention) {
      const { code, level, title, detail, covers = [] } = row;
      if (level === 'note' || isQuiet(row, status) || this.#options.ways.isOfWay(row)) continue;
      faults.set(code, { code, kind: level, title, detail, covers });
    }
    return faults;
  }

  /** The kinds of which nothing is told now. */
  #heldKinds({ alerts }: ReturnType<AlertCallerOptions['read']>): Set<CallKind> {
    const now = this.#options.now();
    const quiet = this.#options.ways.quiet();
    const isQuietNow = quiet !== null && isQuietHour(quiet, now);
    return new Set(
      callKindSchema.options.filter((kind) => isSilenced(alerts[kind], now) || (kind === 'look' && isQuietNow)),
    );
  }

  /** Keeps what was told over a restart. What still waits to be told is not told yet, and is raised again by the desk that comes up next. */
  #keep(): void {
    const { journal, ways, log } = this.#options;
    const calls = [...this.#seen.values()].flatMap((seen): Stored[] => {
      const { code, kind, title, detail, since, takenBy, known } = seen;
      const told = without(seen.told, seen.toldLess).filter((name) => !ways.isWaiting(name, code));
      if (since === null || (told.length === 0 && takenBy === null)) return [];
      const cut = detail.slice(0, MOST_OF_A_DETAIL);
      return [
        { code, kind, title, detail: cut, since, told, takenBy, covers: known === null ? undefined : [...known] },
      ];
    });
    if (isDeepStrictEqual(calls, this.#kept)) return;
    this.#kept = calls;
    journal
      .put({ table: 'settings', key: KEY, value: calls })
      .catch((error: unknown) => log.warn('what was told cannot be kept', { error: String(error) }));
  }
}

function unseen(fault: Fault, earlier: Pick<Seen, 'began' | 'there'>): Seen {
  const [told, toldLess] = [new Set<string>(), new Set<string>()];
  const nobody = { since: null, told, toldLess, takenBy: null };
  return { ...fault, ...nobody, ...earlier, gone: 0, known: fault.covers, more: 0 };
}

function without(names: ReadonlySet<string>, these: ReadonlySet<string>): string[] {
  return [...names].filter((name) => !these.has(name));
}

function callOf(alert: 'raised' | 'over', { kind, code, title, detail }: Fault): Omit<AlertCall, 'at' | 'id'> {
  return { alert, kind, code, title, detail };
}
