/** Blocks of logs that are asked for at once; providers give no more than this everywhere. */
const BLOCKS_AT_ONCE = 1_000;

/** Blocks, both ends included. */
export interface BlockRange {
  from: number;
  to: number;
}

/** These blocks in ranges whose logs every provider gives, the earliest first. */
export function* rangesOf({ from: first, to: last }: BlockRange): Generator<BlockRange> {
  for (let from = first; from <= last; from += BLOCKS_AT_ONCE) {
    yield { from, to: Math.min(from + BLOCKS_AT_ONCE - 1, last) };
  }
}
