import type { Endpoint, Heartbeat } from '../contract/desk-view.ts';
import type { Journal } from '../journal/journal.ts';
import type { Beat } from '../surface/surface-context.ts';

/** How often the newest beats are written to the journal's plain table. */
const WRITE_EVERY_MS = 5_000;

/**
 * The last poll of every endpoint of every chain, and how far the service's clock is from ours. It outlives a restart,
 * the clocks do not.
 */
export class Heartbeats {
  readonly #beats = new Map<number, Map<Endpoint, Heartbeat>>();
  readonly #skews = new Map<number, number>();
  readonly #written = new WeakSet<Heartbeat>();
  #timer: NodeJS.Timeout | undefined;

  /**
   * A stranger's unsigned request is no sign that the service still polls. One that is signed and refused for its
   * timestamp is: the service is there, and its clock is wrong.
   */
  record({ chainId, endpoint, at, by, status, skewMs }: Beat): void {
    if (status === 401 && by === null) return;
    const before = this.#beats.get(chainId)?.get(endpoint);
    const since = before?.status === status ? before.since : at;
    this.#keep(chainId, { endpoint, at, by, status, since });
    if (skewMs !== null) this.#skews.set(chainId, skewMs);
  }

  of(chainId: number): Heartbeat[] {
    return [...(this.#beats.get(chainId)?.values() ?? [])];
  }

  /** Milliseconds; null before a signed request came. */
  skew(chainId: number): number | null {
    return this.#skews.get(chainId) ?? null;
  }

  /** Takes up what was written before the restart, and from now on writes what comes. */
  async follow(journal: Pick<Journal, 'put' | 'read'>): Promise<void> {
    for (const { chainId, beat } of await journal.read.heartbeats()) {
      this.#written.add(beat);
      if ((this.#beats.get(chainId)?.get(beat.endpoint)?.at ?? 0) < beat.at) this.#keep(chainId, beat);
    }
    this.#timer = setInterval(() => this.write(journal), WRITE_EVERY_MS);
    this.#timer.unref();
  }

  /** Writes what came since the last time. */
  write(journal: Pick<Journal, 'put'>): void {
    for (const [chainId, beats] of this.#beats) {
      for (const beat of beats.values()) {
        if (this.#written.has(beat)) continue;
        this.#written.add(beat);
        // A journal that cannot be written halts the desk by itself.
        journal.put({ table: 'heartbeats', chainId, beat }).catch(() => {});
      }
    }
  }

  close(journal: Pick<Journal, 'put'>): void {
    clearInterval(this.#timer);
    this.write(journal);
  }

  #keep(chainId: number, beat: Heartbeat): void {
    let chain = this.#beats.get(chainId);
    if (chain === undefined) {
      chain = new Map();
      this.#beats.set(chainId, chain);
    }
    chain.set(beat.endpoint, beat);
  }
}
