import type { JournalEvent } from '../journal/events.ts';
import type { Journal } from '../journal/journal.ts';
import type { Address } from '../protocol/address.ts';
import type { Log } from './log.ts';

/** What moves positions. */
const MOVES: ReadonlySet<JournalEvent['kind']> = new Set([
  ...(['fill', 'reverted', 'chain_reset', 'hedge_opened', 'hedge_step'] as const),
]);

/** What the desk is long or short of each token by its fills and hedges: read anew whenever something moved them. */
export class NetPositions {
  readonly #journal: Pick<Journal, 'read'>;
  readonly #log: Pick<Log, 'warn'>;
  /** Null while it is not known. */
  #known: ReadonlyMap<string, string | null> | null = null;
  #moves = 0;
  #isAsked = false;
  #isReading = false;
  /** Whether the last read failed; it is tried again. */
  #isBroken = false;

  constructor(journal: Pick<Journal, 'read' | 'onAppended'>, log: Pick<Log, 'warn'>) {
    this.#journal = journal;
    this.#log = log;
    journal.onAppended((events) => {
      if (!events.some(({ kind }) => MOVES.has(kind))) return;
      this.#known = null;
      this.#moves += 1;
      if (this.#isAsked) void this.#read();
    });
  }

  /** Raw units, + is long; `later` while that is not known, which is for a moment after something moved; null where it cannot be read. */
  of(chainId: number, token: Address): bigint | 'later' | null {
    this.#isAsked = true;
    if (this.#known === null) {
      void this.#read();
      return this.#isBroken ? null : 'later';
    }
    const net = this.#known.get(`${chainId} ${token}`);
    if (net === null) return null;
    return net === undefined ? 0n : BigInt(net);
  }

  async #read(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#known === null) {
        const before = this.#moves;
        const rows = await this.#journal.read.netPositions();
        if (before === this.#moves) {
          this.#known = new Map(rows.map(({ chainId, token, net }) => [`${chainId} ${token}`, net]));
          this.#isBroken = false;
        }
      }
    } catch (error) {
      this.#isBroken = true;
      this.#log.warn('the positions could not be read', { error: String(error) });
    } finally {
      this.#isReading = false;
    }
  }
}
