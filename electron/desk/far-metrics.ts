import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { SurfaceLink, SurfaceLinkOptions } from '../fleet/surface-link.ts';
import { NO_COUNTERS, type Readiness } from './metrics.ts';

/** A surface elsewhere in numbers, for Prometheus and for whatever divides requests between surfaces. */
export class FarMetrics {
  readonly #registry = new Registry();
  readonly #link: Pick<SurfaceLink, 'isHeard' | 'switched' | 'counts' | 'lately'>;
  readonly #feeds: SurfaceLinkOptions['feeds'];
  readonly #ready = this.#gauge('makerdesk_ready', '1 while this surface serves what its desk serves, else 0.');
  readonly #asked = this.#counter('makerdesk_surface_firm_total', 'Firm requests that came to this surface.');
  readonly #missed = this.#counter(
    'makerdesk_surface_unanswered_total',
    'Firm requests for which the desk had no answer in time.',
  );
  readonly #p99 = this.#gauge(
    'makerdesk_surface_firm_p99_seconds',
    'How long the slowest of a hundred firm answers took lately, with the way to the desk and back.',
  );
  readonly #webSockets: Gauge<'chain'>;

  constructor(
    link: Pick<SurfaceLink, 'isHeard' | 'switched' | 'counts' | 'lately'>,
    feeds: SurfaceLinkOptions['feeds'],
  ) {
    this.#link = link;
    this.#feeds = feeds;
    this.#webSockets = new Gauge({
      name: 'makerdesk_web_sockets',
      help: 'Open feeds of counterparties.',
      labelNames: ['chain'],
      registers: [this.#registry],
    });
    collectDefaultMetrics({ register: this.#registry });
    for (const name of NO_COUNTERS) this.#registry.removeSingleMetric(name);
  }

  /** Everything in the text form of Prometheus. */
  text(): Promise<string> {
    const { asked, unanswered } = this.#link.counts;
    this.#ready.set(this.readiness().ready ? 1 : 0);
    for (const [counter, count] of [
      [this.#asked, asked],
      [this.#missed, unanswered],
    ] as const) {
      counter.reset();
      counter.inc(count);
    }
    this.#p99.set((this.#link.lately().p99Ms ?? Number.NaN) / 1_000);
    this.#webSockets.reset();
    for (const { chainId, open } of this.#feeds()) this.#webSockets.set({ chain: chainId }, open);
    return this.#registry.metrics();
  }

  /** Whether requests are to be brought here: it is switched on and hears its desk. A desk that is halted says so here as well. */
  readiness(): Readiness {
    const reasons: string[] = [];
    if (this.#link.switched !== 'on') reasons.push(`This surface is ${this.#link.switched}.`);
    if (!this.#link.isHeard) reasons.push('This surface does not hear its desk.');
    return { ready: reasons.length === 0, reasons };
  }

  #gauge(name: string, help: string): Gauge {
    return new Gauge({ name, help, registers: [this.#registry] });
  }

  #counter(name: string, help: string): Counter {
    return new Counter({ name, help, registers: [this.#registry] });
  }
}
