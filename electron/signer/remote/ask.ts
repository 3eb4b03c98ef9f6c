import type { Signable } from '../../protocol/signable.ts';

/** A signature's two numbers. Which of two points it is made with is found by recovering. */
export interface Rs {
  r: bigint;
  s: bigint;
}

/** Whoever has a key that is elsewhere. Both throw whatever keeps them from it, in words for a person. */
export interface Ask {
  /** Loads the code that is needed to ask, which is not a part of the time that signing may take. Asks nobody. */
  ready(): Promise<unknown>;
  sign(signable: Signable, signal: AbortSignal): Promise<Rs>;
}
