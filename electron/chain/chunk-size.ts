import { type DeskError, isDeskError } from '../protocol/desk-error.ts';

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
    const range = rangeRefused(error);
    if (blocks <= 1 || range === null) return false;
    this.#blocks = Math.max(1, Math.floor(blocks / 2));
    return range.isWorthAgain;
  }
}

/**
 * Whether the size of a range may be why it failed; `isWorthAgain`: at once, since the node is not just asked too often or too slow. Null
 * where it is not.
 */
export function rangeRefused(error: unknown): { isWorthAgain: boolean } | null {
  if (!isDeskError(error, 'node_refused', 'node_unreachable') || !mayBeOfSize(error)) return null;
  return { isWorthAgain: !error.fields.overloaded && !isLate(error) };
}

function mayBeOfSize(error: DeskError<'node_refused' | 'node_unreachable'>): boolean {
  if (isDeskError(error, 'node_refused')) return error.fields.method === 'eth_getLogs';
  if (!isDeskError(error, 'node_unreachable')) return false;
  const { why, status } = error.fields;
  return why === 'late' || why === 'too_large' || status === 400 || status === 413;
}

function isLate(error: DeskError): boolean {
  return isDeskError(error, 'node_unreachable') && error.fields.why === 'late';
}
