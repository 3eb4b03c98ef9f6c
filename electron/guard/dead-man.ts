import type { Book } from '../book/book.ts';
import { isProgram, utcText } from '../contract/names.ts';
import type { DeadManState } from '../contract/protections.ts';
import type { Journal } from '../journal/journal.ts';
import type { Trading } from './trading.ts';

const MINUTE_MS = 60_000;
/** Somebody is called a quarter of the time before the desk halts, and at most this long before. */
const LONGEST_WARNING_MS = 5 * MINUTE_MS;
/** So far apart the two clocks may be for nothing, milliseconds. */
const SAME_MS = 1_000;

interface DeadManParts {
  journal: Pick<Journal, 'append' | 'read' | 'onAppended'>;
  book: Pick<Book, 'desk'>;
  trading: Trading;
  /** Unix milliseconds. */
  now: () => number;
  /** Milliseconds of a clock that nobody sets, and that may stand while the machine sleeps. */
  monotonic: () => number;
}

/**
 * The dead-man switch on whoever minds the desk: where the desk file sets it, a desk that trades halts when for so many minutes nobody
 * gave a sign. A sign is any row of a person in the journal, as everything is that people decide, and "I am here". What programs and
 * engines do is none, nor is a start: a machine may do that by itself.
 */
export class DeadMan {
  readonly #parts: DeadManParts;
  /** The last sign, on both clocks: whichever says that more time has passed is believed. */
  #sign: { at: number; monotonic: number };

  private constructor(parts: DeadManParts, at: number) {
    this.#parts = parts;
    this.#sign = { at, monotonic: parts.monotonic() - Math.max(0, parts.now() - at) };
    parts.journal.onAppended((events) => {
      if (events.some(isSign)) this.#sign = { at: parts.now(), monotonic: parts.monotonic() };
    });
  }

  /** Takes up the last sign of before; where there was none in its time, the desk halts with the first tick. */
  static async open(parts: DeadManParts): Promise<DeadMan> {
    const now = parts.now();
    const { deadManMinutes: minutes } = parts.book.desk();
    if (minutes === null) return new DeadMan(parts, now);
    const longAgo = now - minutes * MINUTE_MS;
    try {
      return new DeadMan(parts, (await parts.journal.read.lastSignOfPerson(longAgo)) ?? longAgo);
    } catch (error) {
      parts.trading.failed({}, error);
      return new DeadMan(parts, longAgo);
    }
  }

  /** How it stands; null where the desk file does not set it. */
  state(): DeadManState | null {
    const { book, now, monotonic, trading } = this.#parts;
    const { deadManMinutes: minutes } = book.desk();
    if (minutes === null) return null;
    const longest = minutes * MINUTE_MS;
    const passed = Math.max(0, now() - this.#sign.at, Math.floor(monotonic() - this.#sign.monotonic) - SAME_MS);
    const warning = Math.min(longest / 4, LONGEST_WARNING_MS);
    const trades = trading.stateOf({}) !== 'HALTED';
    return {
      minutes,
      warnsAfter: (longest - warning) / MINUTE_MS,
      lastSign: now() - passed,
      haltsAt: trades ? now() + longest - passed : null,
      isNear: trades && longest - passed <= warning,
    };
  }

  /** A person says that they are here. Resolves once that is written down, with how it stands then. */
  async here(actor: string): Promise<DeadManState | null> {
    const { journal, now } = this.#parts;
    await journal.append({ time: now(), actor, kind: 'person_here', body: {} });
    return this.state();
  }

  /** Halts the desk once its time is over. To be called a few times a second. */
  tick(): void {
    const state = this.state();
    if (state?.haltsAt == null || state.haltsAt > this.#parts.now()) return;
    const cause = `Nobody gave a sign for ${state.minutes} min, since ${utcText(state.lastSign)}: the dead-man switch halted the desk.`;
    void this.#parts.trading.halt({}, { actor: 'desk', cause });
  }
}

function isSign({ actor, kind }: { actor: string; kind: string }): boolean {
  return !isProgram(actor) && kind !== 'desk_started' && kind !== 'desk_stopped';
}
