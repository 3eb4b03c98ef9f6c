import { type HrTime, type Link, ROOT_CONTEXT, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import { TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Side } from '../../protocol/side.ts';
import { outcomeOf } from '../../quoting/firm-answer.ts';
import type { FirmAnswer, FirmRequestInput } from '../../quoting/firm-input.ts';
import type { FirmTrace } from '../../quoting/firm-trace.ts';
import { SpanQueue, type SpanQueueOptions } from './span-queue.ts';
import type { WantedTraces } from './wanted.ts';

interface TracesOptions extends Pick<SpanQueueOptions, 'onSpans' | 'monotonic' | 'log'> {
  wanted: WantedTraces;
  version: string;
}

/**
 * Traces of firm requests, to the collector that the variables of OpenTelemetry name. While a request is answered only moments are
 * noted; spans are made of them once the answer is on its way. They hold no secret, no key and no signature.
 */
export class Traces {
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;
  readonly #monotonic: () => number;

  constructor({ wanted, version, onSpans, monotonic, log }: TracesOptions) {
    const { origin, share } = wanted;
    const detectors = [resourceAttributesEnvDetector, serviceNameEnvDetector];
    const ours = resourceFromAttributes({ 'service.name': 'makerdesk', 'service.version': version });
    this.#monotonic = monotonic;
    this.#provider = new TracerProvider({
      resource: defaultResource().merge(ours).merge(detectResources({ detectors })),
      sampler: new TraceIdRatioBasedSampler(share),
      spanProcessors: [new SpanQueue({ exporter: new OTLPTraceExporter(), origin, onSpans, monotonic, log })],
    });
    this.#tracer = this.#provider.getTracer('makerdesk', version);
  }

  /** A request was authenticated. Returns what hears of it from now on. */
  begin(): FirmMoments {
    return new FirmMoments(this.#monotonic);
  }

  /** Its answer is on its way: makes its spans. */
  answered(input: FirmRequestInput, heard: FirmMoments, answer: FirmAnswer): void {
    const { chainId, counterparty, receivedAt, receivedMonotonic, traceparent } = input;
    const end = this.#monotonic();
    const timeOf = (monotonic: number) => hrTimeOf(receivedAt + monotonic - receivedMonotonic);
    const root = this.#tracer.startSpan(
      'POST /firm',
      {
        kind: SpanKind.SERVER,
        startTime: timeOf(receivedMonotonic),
        links: linksTo(traceparent),
        attributes: {
          'http.request.method': 'POST',
          'http.response.status_code': answer.status,
          'makerdesk.chain': chainId,
          'makerdesk.counterparty': counterparty ?? undefined,
          'makerdesk.pair': heard.pair,
          'makerdesk.side': heard.side,
          'makerdesk.order_hash': heard.orderHash,
          'makerdesk.quote': heard.seq,
          'makerdesk.code': outcomeOf(answer),
        },
      },
      ROOT_CONTEXT,
    );
    const within = trace.setSpan(ROOT_CONTEXT, root);
    let from = receivedMonotonic;
    let name = 'receive';
    for (const next of [...heard.steps, { name: '', at: end }]) {
      this.#tracer.startSpan(name, { startTime: timeOf(from) }, within).end(timeOf(next.at));
      ({ name, at: from } = next);
    }
    if (answer.status >= 500) root.setStatus({ code: SpanStatusCode.ERROR });
    root.end(timeOf(end));
  }

  /** Gives the collector a moment to take what is left. Never rejects. */
  close(): Promise<void> {
    return this.#provider.shutdown();
  }
}

/** When each step of a request began, and what was known by then. */
class FirmMoments implements FirmTrace {
  readonly #monotonic: () => number;
  readonly steps: { name: string; at: number }[] = [];
  pair: string | undefined;
  side: Side | undefined;
  orderHash: string | undefined;
  seq: number | undefined;

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  decides(): void {
    this.#begins('decide');
  }

  finds(pair: string, side: Side): void {
    this.pair = pair;
    this.side = side;
  }

  signs(): void {
    this.#begins('sign');
  }

  commits(orderHash: string): void {
    this.orderHash = orderHash;
    this.#begins('commit');
  }

  releases(seq: number): void {
    this.seq = seq;
    this.#begins('release');
  }

  #begins(name: string): void {
    this.steps.push({ name, at: this.#monotonic() });
  }
}

/**
 * The caller's trace, where they name one. It is a link and no parent: an outsider decides neither which trace is ours nor whether it
 * is kept, and the rest of theirs never comes to our collector.
 */
function linksTo(traceparent: string | undefined): Link[] {
  const context = traceparent === undefined ? null : parseTraceParent(traceparent);
  return context === null
    ? []
    : [
        {
          context: { traceId: context.traceId, spanId: context.spanId, traceFlags: context.traceFlags, isRemote: true },
        },
      ];
}

/** Unix milliseconds as seconds and nanoseconds: a plain number would be taken for another clock where ours was set back. */
function hrTimeOf(milliseconds: number): HrTime {
  const seconds = Math.floor(milliseconds / 1_000);
  return [seconds, Math.floor((milliseconds - seconds * 1_000) * 1_000_000)];
}
