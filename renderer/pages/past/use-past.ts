import type {
  ChangedCell,
  Moment,
  PastDeskView,
  PastDiffPart,
  PastPair,
  PastPart,
  PastToken,
} from '../../../electron/contract/past.ts';
import { useClient } from '../../state/console.tsx';
import { type PartsRead, useParts } from '../../state/use-parts.ts';

/** The desk at a moment, whole. */
export interface Past {
  readonly desk: PastDeskView;
  readonly pairs: readonly PastPair[];
  readonly tokens: readonly PastToken[];
}

/** What differs between two moments. */
export interface PastDiff {
  readonly end: Extract<PastDiffPart, { part: 'end' }>;
  readonly cells: readonly ChangedCell[];
}

/** What was read last, and how far the reading of what is asked for now has come. */
export type PastRead<Whole> = PartsRead<Whole, Extract<PastPart, { part: 'progress' }>>;

/** The desk at a moment; null asks for none. */
export function usePast(moment: Moment | null): PastRead<Past> {
  const client = useClient();
  const ask = (key: string, signal: AbortSignal) => client.past.at({ moment: JSON.parse(key) }, { signal });
  return useParts<PastPart, Past>(moment === null ? null : JSON.stringify(moment), ask, (parts) => {
    const desk = parts.find((one) => one.part === 'desk')?.desk;
    if (desk === undefined) return null;
    return {
      desk,
      pairs: parts.flatMap((one) => (one.part === 'pairs' ? one.pairs : [])),
      tokens: parts.flatMap((one) => (one.part === 'tokens' ? one.tokens : [])),
    };
  });
}

/** What changed from one moment to another; null asks for nothing. */
export function usePastDiff(moments: { from: Moment; to: Moment } | null): PastRead<PastDiff> {
  const client = useClient();
  const ask = (key: string, signal: AbortSignal) => client.past.diff(JSON.parse(key), { signal });
  return useParts<PastDiffPart, PastDiff>(moments === null ? null : JSON.stringify(moments), ask, (parts) => {
    const end = parts.find((one) => one.part === 'end');
    if (end === undefined) return null;
    return { end, cells: parts.flatMap((one) => (one.part === 'cells' ? one.cells : [])) };
  });
}
