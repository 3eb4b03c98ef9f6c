import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { isSilenced } from '../contract/alert-settings.ts';
import { isQuiet } from '../contract/desk-view.ts';
import { isoTime } from '../contract/names.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { WholeView } from './live-view.ts';
import type { Log } from './log.ts';

/** How often it is looked what is wrong, milliseconds. */
const LOOK_MS = 1_000;
/** What is wrong in so many looks in a row is told, and what is not there in so many more is over: nobody is called twice for one fault. */
const LOOKS_TO_RAISE = 2;
const LOOKS_TO_END = 5;
/** A command may take so long, is tried so often, and rests so long between two tries. Milliseconds. */
const COMMAND_MS = 30_000;
const TRIES = 3;
const REST_MS = 5_000;
/** Calls that wait while a command hangs. */
const MOST_WAITING = 200;

/** What a command is told on its standard input, as one line of JSON. */
export interface AlertCall {
  alert: 'raised' | 'over';
  /** The same for both, and for no other fault. */
  code: string;
  title: string;
  detail: string;
  /** When it was seen or found gone, ISO 8601. */
  at: string;
}

type Fault = Pick<AlertCall, 'code' | 'title' | 'detail'>;
type Seen = Fault & { there: number; gone: number; told: boolean };

export interface AlertCommandOptions {
  /** The file that is run. It gets no arguments. */
  file: string;
  read: () => Pick<WholeView, 'status' | 'attention' | 'alerts'>;
  now: () => number;
  log: Log;
  /** Milliseconds between two looks, and between two tries of a command. */
  lookMs?: number;
  restMs?: number;
}

/**
 * Runs a command of the desk's owner when something stops the desk from trading or needs a person at once, and again when
 * that is over: each once, one after the other. What is silenced for consoles is told here once the silence is over, if it is
 * still there.
 */
export class AlertCommand {
  readonly #options: AlertCommandOptions;
  readonly #seen = new Map<string, Seen>();
  readonly #waiting: AlertCall[] = [];
  readonly #ending = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> = Promise.resolve();
  #isRunning = false;
  #isBlind = false;

  /** Throws DeskError `bad_alert_command` where the file cannot be run. */
  constructor(options: AlertCommandOptions) {
    this.#options = options;
    expectProgram(options.file);
    this.#timer = setInterval(() => this.#look(), options.lookMs ?? LOOK_MS).unref();
  }

  /** Ends the command that runs; calls that wait are not made any more. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#waiting.length = 0;
    this.#ending.abort();
    await this.#running;
  }

  #look(): void {
    const { read, log } = this.#options;
    try {
      this.#compare(faultsOf(read(), this.#options.now()));
      this.#isBlind = false;
    } catch (error) {
      if (!this.#isBlind) log.error('what is wrong cannot be read, so nobody is called', { error: String(error) });
      this.#isBlind = true;
    }
  }

  #compare(faults: Map<string, Fault>): void {
    for (const fault of faults.values()) {
      const { there = 0, told = false } = this.#seen.get(fault.code) ?? {};
      const seen = { ...fault, there: there + 1, gone: 0, told };
      this.#seen.set(fault.code, seen);
      if (seen.told || seen.there < LOOKS_TO_RAISE) continue;
      seen.told = true;
      this.#call('raised', seen);
    }
    for (const seen of this.#seen.values()) {
      if (faults.has(seen.code)) continue;
      seen.gone += 1;
      if (seen.told && seen.gone < LOOKS_TO_END) continue;
      this.#seen.delete(seen.code);
      if (seen.told) this.#call('over', seen);
    }
  }

  #call(alert: AlertCall['alert'], { code, title, detail }: Fault): void {
    if (this.#waiting.length >= MOST_WAITING) {
      this.#options.log.error('too many alerts wait for the alert command: this one is not told', { code });
      return;
    }
    this.#waiting.push({ alert, code, title, detail, at: isoTime(this.#options.now()) });
    if (!this.#isRunning) this.#running = this.#work();
  }

  async #work(): Promise<void> {
    this.#isRunning = true;
    for (let call = this.#waiting.shift(); call !== undefined; call = this.#waiting.shift()) await this.#tell(call);
    this.#isRunning = false;
  }

  async #tell(call: AlertCall): Promise<void> {
    const { file, log, restMs = REST_MS } = this.#options;
    const { signal } = this.#ending;
    for (let tries = 1; !signal.aborted; tries += 1) {
      const fault = await run(file, `${JSON.stringify(call)}\n`, signal);
      if (fault === null || signal.aborted) return;
      if (tries === TRIES) {
        log.error('an alert could not be told: the alert command failed', { code: call.code, fault });
        return;
      }
      log.warn('the alert command failed, and is tried again', { code: call.code, fault });
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, restMs);
        signal.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true });
      });
    }
  }
}

/** The halt of the desk, and what stands in the way of quoting; by their codes. A desk that was never live calls nobody for that. */
function faultsOf({ status, attention, alerts }: ReturnType<AlertCommandOptions['read']>, now: number) {
  const faults = new Map<string, Fault>();
  if (status.state === 'HALTED' && status.isNew !== true && !isSilenced(alerts.halt, now)) {
    const by = status.actor === null ? '' : ` by ${status.actor}`;
    const detail = `${status.reason ?? 'No reason was given.'} Nothing is signed until a person resumes it.`;
    faults.set('halted', { code: 'halted', title: `The desk was halted${by}`, detail });
  }
  if (isSilenced(alerts.stop, now)) return faults;
  for (const row of attention) {
    const { code, level, title, detail } = row;
    if (level === 'stop' && !isQuiet(row, status)) faults.set(code, { code, title, detail });
  }
  return faults;
}

/** Runs the file to its end. Returns what went wrong, in words, or null. */
function run(file: string, told: string, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(file, [], {
      stdio: ['pipe', 'ignore', 'ignore'],
      timeout: COMMAND_MS,
      killSignal: 'SIGKILL',
      signal,
    });
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, by) => {
      if (code === 0) resolve(null);
      else resolve(code === null ? `it was ended by ${by}` : `it ended with ${code}`);
    });
    child.stdin.on('error', () => {}); // it need not read what it is told
    child.stdin.end(told);
  });
}

function expectProgram(file: string): void {
  try {
    accessSync(file, constants.X_OK);
    if (statSync(file).isFile()) return;
  } catch {
    // falls through to the one sentence
  }
  throw new DeskError('bad_alert_command', `The alert command ${file} is not a file that can be run.`, {
    remedy: 'Name a program by its whole path, and make it executable.',
  });
}
