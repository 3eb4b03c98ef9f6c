import { DeskError } from '../protocol/desk-error.ts';
import { nodeName } from './node-fault.ts';

/** A chain whose newest block is older than this is not seen: its node has stopped following it. */
export const DEFAULT_HEAD_MAX_AGE_SECONDS = 120;

/** The node answers, but with a newest block from long ago: it is stuck, still catching up, or our clock is wrong. */
export function staleHead(rpcUrl: string, block: number, ageSeconds: number): DeskError {
  return new DeskError(
    'node_stale',
    `The newest block (${block}) of the node at ${nodeName(rpcUrl)} is ${Math.round(ageSeconds)} s old.`,
    { remedy: "See whether the node is still following its chain, and whether this machine's clock is right." },
  );
}
