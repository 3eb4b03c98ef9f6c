import type { Endpoint, Heartbeat } from '../contract/desk-view.ts';
import type { Beat } from '../surface/surface-context.ts';

/** The last poll of every endpoint of every chain, and how far the service's clock is from ours. */
export class Heartbeats {
  readonly #beats = new Map<number, Map<Endpoint, Heartbeat>>();
  readonly #skews = new Map<number, number>();

  /** A stranger's unsigned request is no sign that the service still polls. */
  record({ chainId, skewMs, ...beat }: Beat): void {
    if (beat.status === 401) return;
    let chain = this.#beats.get(chainId);
    if (chain === undefined) {
      chain = new Map();
      this.#beats.set(chainId, chain);
    }
    chain.set(beat.endpoint, beat);
    if (skewMs !== null) this.#skews.set(chainId, skewMs);
  }

  of(chainId: number): Heartbeat[] {
    return [...(this.#beats.get(chainId)?.values() ?? [])];
  }

  /** Milliseconds; null before a signed request came. */
  skew(chainId: number): number | null {
    return this.#skews.get(chainId) ?? null;
  }
}
