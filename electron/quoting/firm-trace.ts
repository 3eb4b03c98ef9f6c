import type { Side } from '../protocol/side.ts';

/**
 * Hears how far a firm request came, where traces are wanted: each step ends the one before it. No call throws, and after the answer
 * none counts.
 */
export interface FirmTrace {
  /** It is authenticated, and the desk reads it and looks for what speaks against it. */
  decides(): void;
  /** What it is about. */
  finds(pair: string, side: Side): void;
  /** Nothing spoke against it: the order is built and signed. */
  signs(): void;
  /** It is signed; from now on the journal and the check of the signature are waited for. */
  commits(orderHash: string): void;
  /** Its row is on the disk: the latch is looked at, and the order handed over or withheld. `seq` is the row of the journal. */
  releases(seq: number): void;
}
