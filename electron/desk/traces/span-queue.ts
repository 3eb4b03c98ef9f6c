import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace';
import { inTime } from '../../time/in-time.ts';
import type { Log } from '../log.ts';

/** Whether the collector has a span, as far as we know. */
export type SpanOutcome = 'sent' | 'lost';

export interface SpanQueueOptions {
  exporter: SpanExporter;
  /** Where it sends to, to be named in the log. */
  origin: string;
  onSpans: (outcome: SpanOutcome, count: number) => void;
  /** Milliseconds of a clock that never jumps. */
  monotonic: () => number;
  log: Pick<Log, 'info' | 'warn'>;
}

/** So many spans wait at most, about a minute of a busy desk; further ones are lost. */
const MOST_WAITING = 8_192;
/** To write so many down takes well below a millisecond, which is all that a quote may ever wait for. */
const MOST_AT_ONCE = 256;
/** A few spans wait so long for others. */
const GATHER_MS = 1_000;
/** The exporter has its own limit, 10 s unless told; this is for a collector that answers a byte at a time. */
const MOST_EXPORT_MS = 60_000;
/** An end of the desk waits so long for the collector. */
const MOST_CLOSE_MS = 2_000;
/** It takes them again: that is said once nothing was lost for so long. */
const WELL_AFTER_MS = 60_000;

/**
 * Finished spans on their way to a collector, a batch after the other. Nothing waits for it: what the collector does not take in
 * time is lost, is counted, and is said once in the log, as is the end of that.
 */
export class SpanQueue implements SpanProcessor {
  readonly #options: SpanQueueOptions;
  #waiting: ReadableSpan[] = [];
  #timer: NodeJS.Timeout | null = null;
  /** A batch is sent in the next turn of the event loop, and holds up none that is answered in this one. */
  #due = false;
  #sending: Promise<void> | null = null;
  /** When a span was lost last; null while all is well. */
  #lostAt: number | null = null;
  #closed = false;

  constructor(options: SpanQueueOptions) {
    this.#options = options;
  }

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    if (this.#closed) return;
    if (this.#waiting.length >= MOST_WAITING) {
      this.#lost(1, 'it is slower than they come');
      return;
    }
    this.#waiting.push(span);
    this.#later();
  }

  async forceFlush(): Promise<void> {
    await this.#sending;
    while (this.#waiting.length > 0) await this.#send();
  }

  /** Gives the collector a moment to take what is left. Never rejects. */
  async shutdown(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await inTime(this.forceFlush(), MOST_CLOSE_MS, () => {});
    this.#lost(this.#waiting.splice(0).length, 'the desk ended');
  }

  #later(): void {
    if (this.#sending !== null || this.#closed) return;
    if (this.#waiting.length < MOST_AT_ONCE) {
      this.#timer ??= setTimeout(() => void this.#send(), GATHER_MS).unref();
    } else if (!this.#due) {
      this.#due = true;
      setImmediate(() => void this.#send());
    }
  }

  /** Sends the next batch, unless one is on its way. Never rejects. */
  #send(): Promise<void> {
    if (this.#sending !== null) return this.#sending;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#due = false;
    const spans = this.#waiting.splice(0, MOST_AT_ONCE);
    const sending = this.#export(spans).then((error) => {
      if (error === null) this.#sent(spans.length);
      else this.#lost(spans.length, error);
      this.#sending = null;
      if (this.#waiting.length > 0) this.#later();
    });
    this.#sending = sending;
    return sending;
  }

  /** Null, or why they are lost. */
  async #export(spans: ReadableSpan[]): Promise<string | null> {
    const result = await inTime(
      new Promise<ExportResult>((resolve) => this.#options.exporter.export(spans, resolve)),
      MOST_EXPORT_MS,
      () => null,
    ).catch((error: unknown) => ({ code: ExportResultCode.FAILED, error }));
    if (result === null) return 'it did not answer in time';
    if (result.code === ExportResultCode.SUCCESS) return null;
    return String(result.error ?? 'it took none').slice(0, 200);
  }

  #sent(count: number): void {
    const { onSpans, monotonic, log, origin } = this.#options;
    onSpans('sent', count);
    if (this.#lostAt === null || monotonic() - this.#lostAt < WELL_AFTER_MS) return;
    this.#lostAt = null;
    log.info('traces are taken again', { collector: origin });
  }

  #lost(count: number, why: string): void {
    if (count === 0) return;
    const { onSpans, monotonic, log, origin } = this.#options;
    onSpans('lost', count);
    const isFirst = this.#lostAt === null;
    this.#lostAt = monotonic();
    if (isFirst) log.warn('traces are lost: the collector does not take them', { collector: origin, why });
  }
}
