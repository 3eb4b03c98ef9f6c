import { setTimeout as sleep } from 'node:timers/promises';
import { createORPCClient } from '@orpc/client';
import type { WebSocket } from 'ws';
import { heardStatusSchema } from '../contract/desk-list.ts';
import type { DeskElsewhereRow, HaltStage } from '../contract/desks-elsewhere.ts';
import { type AskedPlace, answerInTime } from '../desk/ask-elsewhere.ts';
import { Attached } from '../desk/attached.ts';
import { type DeskClient, lineOn, openSocketTo } from '../desk/desk-line.ts';
import { haltUntilConfirmed } from '../desk/halt-until-confirmed.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { pause } from '../time/pause.ts';

/** How often a desk is asked what it is doing, and how long after a line that was lost another is tried. Milliseconds. */
const EVERY_MS = 1_000;
const RETRY_MS = 1_000;
/** How long a desk may take to take up the line. */
const PATIENCE_MS = 3_000;
/** A halt goes over the line that is open; where that has not confirmed it within this time, over a new one too. */
const HEAD_START_MS = 400;
/** So much of the reason of a stop is shown. */
const MOST_REASON = 300;

/** Which desk, and what it is asked with; without a token it cannot be asked. */
interface Place {
  name: string;
  url: URL;
  token: string | null;
}

/** What becomes of a desk elsewhere: the row of the list, but for how its token is kept. */
export type Followed = Pick<DeskElsewhereRow, 'heard' | 'silent' | 'halt'>;

/**
 * A desk elsewhere that the app follows: it is asked once a second over a line that stays open, and opened again for as long as
 * it is in the list. A halt is a matter of its own: it waits neither for that line nor for another desk.
 */
export class DeskElsewhere {
  readonly #place: Place;
  readonly #now: () => number;
  readonly #changed: () => void;
  readonly #over = new AbortController();
  /** The line that is open, as its desk is asked on it. */
  #desk: DeskClient | null = null;
  #halting: AbortController | null = null;
  #followed: Followed = { heard: null, silent: null, halt: null };

  /** `changed` is called whenever `followed` is another than before. */
  constructor(place: Place, { now, changed }: { now: () => number; changed: () => void }) {
    this.#place = place;
    this.#now = now;
    this.#changed = changed;
    if (place.token !== null) void this.#follow(place.token);
  }

  followed(): Followed {
    return this.#followed;
  }

  /** Halts it, again and again until it has confirmed or is let be. One more press sends one more at once. `press`: of the console. */
  halt(reason: string, press?: string): void {
    this.#halting?.abort();
    const halting = new AbortController();
    this.#halting = halting;
    const at = this.#now();
    let tries = 0;
    const tell = (halt: HaltStage) => {
      if (this.#halting === halting) this.#set({ halt });
    };
    tell({ stage: 'asked', at });
    const confirmed = haltUntilConfirmed({
      place: () => this.#askedNow(),
      reason,
      press,
      signal: halting.signal,
      failed: (why) => {
        tries += 1;
        tell({ stage: 'unconfirmed', at, tries, why: inWords(why).why });
        return true;
      },
    });
    void confirmed.then((heard) => {
      if (heard === null || this.#halting !== halting) return;
      // It was halted by it, and somebody has started it since.
      if (heard.status.state !== 'HALTED') this.letBe();
      else tell({ stage: 'confirmed', at, confirmedAt: this.#now(), durable: heard.durable });
    });
  }

  /** Whether a halt was sent that it has not confirmed. */
  isHalting(): boolean {
    return this.#followed.halt !== null && this.#followed.halt.stage !== 'confirmed';
  }

  /** The halt is sent no more. */
  letBe(): void {
    this.#halting?.abort();
    this.#halting = null;
    this.#set({ halt: null });
  }

  close(): void {
    this.#halting?.abort();
    this.#halting = null;
    this.#over.abort();
  }

  async #follow(token: string): Promise<void> {
    const { signal } = this.#over;
    while (!signal.aborted) {
      try {
        await this.#onOneLine(token, signal);
      } catch (error) {
        if (!signal.aborted) this.#lost(error);
      }
      await pause(RETRY_MS, signal);
    }
  }

  /** Asks on one line until it breaks or the desk does not answer in time; then it throws. */
  async #onOneLine(token: string, signal: AbortSignal): Promise<void> {
    const { url } = this.#place;
    const socket = await openSocketTo(url, token, PATIENCE_MS);
    const line = lineOn(socket);
    const desk: DeskClient = createORPCClient(line.link);
    this.#desk = desk;
    try {
      while (!signal.aborted) {
        const asked = answerInTime(url.origin, heardStatusSchema, (late) =>
          desk.trading.status(undefined, { signal: late }),
        );
        const status = await whileOpen(socket, url, asked);
        if (signal.aborted) return;
        this.#heard({ ...status, reason: status.reason?.slice(0, MOST_REASON) ?? null });
        await whileOpen(socket, url, pause(EVERY_MS, signal));
      }
    } finally {
      this.#desk = null;
      void line.close();
    }
  }

  #heard(status: NonNullable<Followed['heard']>['status']): void {
    const { halt } = this.#followed;
    // Somebody has started it again: that it once confirmed says nothing any more.
    const isOver = halt?.stage === 'confirmed' && status.state !== 'HALTED';
    this.#set({ heard: { status, at: this.#now() }, silent: null, halt: isOver ? null : halt });
  }

  #lost(error: unknown): void {
    const since = this.#followed.silent?.since ?? this.#followed.heard?.at ?? this.#now();
    this.#set({ silent: { since, ...inWords(error) } });
  }

  /** Where a halt is sent now. Throws DeskError `no_token`. */
  #askedNow(): AskedPlace {
    const { url, token, name } = this.#place;
    if (token === null) throw new DeskError('no_token', `There is no token for ${name}: nothing can be sent to it.`);
    const anew = new Attached(url, async () => token);
    const open = this.#desk;
    if (open === null) return anew;
    return {
      run: async (act, patienceMs) => {
        const enough = new AbortController();
        const behind = sleep(HEAD_START_MS, null, { signal: enough.signal }).then(() => anew.run(act, patienceMs));
        try {
          return await Promise.any([act(open), behind]);
        } catch (error) {
          throw error instanceof AggregateError ? error.errors.at(-1) : error;
        } finally {
          enough.abort();
        }
      },
      toString: () => url.origin,
    };
  }

  #set(next: Partial<Followed>): void {
    if (this.#over.signal.aborted) return;
    this.#followed = { ...this.#followed, ...next };
    this.#changed();
  }
}

/** What this comes to. Throws DeskError `no_answer` as soon as the line is closed. */
async function whileOpen<T>(socket: WebSocket, url: URL, step: Promise<T>): Promise<T> {
  let close = () => {};
  const closed = new Promise<never>((_, reject) => {
    close = () => reject(new DeskError('no_answer', `The desk at ${url.origin} closed the line.`));
  });
  if (socket.readyState === socket.CLOSED) close();
  socket.once('close', close);
  try {
    return await Promise.race([step, closed]);
  } finally {
    socket.off('close', close);
  }
}

function inWords(error: unknown): { why: string; remedy: string } {
  if (error instanceof DeskError) return { why: error.message, remedy: error.remedy };
  return { why: error instanceof Error ? error.message : String(error), remedy: '' };
}
