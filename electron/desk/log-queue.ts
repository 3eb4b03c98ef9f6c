import { Worker } from 'node:worker_threads';
import type { LogThreadStart } from './log-thread.ts';

/** Characters that may wait for a disk or for whoever reads stderr: some thousand lines. */
const MOST_WAITING = 1024 * 1024;
/** What waits at the end of the process is given this long: why a desk does not start is said in its last line, on a busy machine too. */
const LAST_LINES_MS = 5_000;

/**
 * Lines on their way to a file or to stderr, which a thread of its own writes: one that is read by nobody keeps that
 * thread waiting and nothing else. What does not fit any more is dropped, counted, and told once there is room.
 */
export class LogQueue {
  readonly #worker: Worker;
  readonly #through: LogThreadStart['through'] = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #droppedLine: (count: number) => string;
  /** Characters handed over, as the thread counts them: 32 bits that run over. */
  #sent = 0;
  #dropped = 0;
  #lost = false;

  /** `file`: null for stderr. `droppedLine`: how it is told that lines are missing. */
  constructor(file: string | null, droppedLine: (count: number) => string) {
    this.#droppedLine = droppedLine;
    const name = import.meta.url.endsWith('.ts') ? './log-thread.ts' : './log-thread.js';
    const workerData: LogThreadStart = { file, through: this.#through };
    this.#worker = new Worker(new URL(name, import.meta.url), { name: 'log', workerData });
    this.#worker.unref();
    this.#worker.on('error', () => {
      this.#lost = true; // there is no place left to say so
    });
    process.on('exit', () => this.#waitForLastLines());
  }

  write(text: string): void {
    if (this.#lost) return;
    if (this.#waiting() + text.length > MOST_WAITING) {
      this.#dropped += 1;
      return;
    }
    this.#tellDropped();
    this.#send(text);
  }

  #send(text: string): void {
    this.#sent = (this.#sent + text.length) | 0;
    this.#worker.postMessage(text);
  }

  #waiting(): number {
    return (this.#sent - Atomics.load(this.#through, 0)) | 0;
  }

  #tellDropped(): void {
    if (this.#dropped === 0) return;
    this.#send(this.#droppedLine(this.#dropped));
    this.#dropped = 0;
  }

  /** The event loop is over by now, so it may wait, but never for long. */
  #waitForLastLines(): void {
    if (this.#lost) return;
    this.#tellDropped();
    for (const until = performance.now() + LAST_LINES_MS; ; ) {
      const through = Atomics.load(this.#through, 0);
      const left = until - performance.now();
      if (through === this.#sent || left <= 0) return;
      Atomics.wait(this.#through, 0, through, left);
    }
  }
}
