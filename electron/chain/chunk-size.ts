import { DeskError } from '../protocol/desk-error.ts';

/** How many blocks of logs are asked for at once: nodes and providers differ widely in what they give. */
export class ChunkSize {
  #blocks: number;
  readonly #most: number;

  constructor(first: number, most: number) {
    this.#blocks = first;
    this.#most = Math.max(first, most);
  }

  get blocks(): number {
    return this.#blocks;
  }

  /** The node gave that many: next time it may be twice as many. */
  took(blocks: number): void {
    if (blocks >= this.#blocks) this.#blocks = Math.min(this.#most, this.#blocks * 2);
  }

  /**
   * Reading that many failed; if the size of the range may be why, half as many will be asked for next. True when it is
   * worth asking again at once: the range can be made smaller, and the node is not just asked too often or too slow.
   */
  refused(blocks: number, error: unknown): boolean {
    if (blocks <= 1 || !(error instanceof DeskError)) return false;
    const saidNo = error.code === 'node_refused' && error.message.includes('eth_getLogs');
    const tooLarge = error.code === 'node_unreachable' && /larger answer|HTTP (400|413)/.test(error.message);
    const tooSlow = error.code === 'node_unreachable' && error.message.includes('in time');
    if (!saidNo && !tooLarge && !tooSlow) return false;
    this.#blocks = Math.max(1, Math.floor(blocks / 2));
    return !tooSlow && !/too many requests|rate limit|per second/i.test(error.message);
  }
}
