import type { DraftSummary } from '../../../electron/contract/ladder-preview.ts';
import { pairKey } from '../../state/live-desk.ts';
import type { Check } from './checks-of.ts';

/**
 * Returns which drafts are ticked once the list of them is read again: at first (`before` is null) all that can be published,
 * later none that was not ticked before. A draft that comes, or is mended, meanwhile is somebody's who may not be done with it.
 */
export function tickedOf(before: ReadonlySet<string> | null, rows: readonly DraftSummary[]): ReadonlySet<string> {
  const ready = rows.filter(({ faults }) => faults === 0).map(pairKey);
  return new Set(before === null ? ready : ready.filter((key) => before.has(key)));
}

/** What stands between the drafts that are chosen and their publishing. */
export interface ToAnswer {
  /** Nobody knows yet what the checks say of these. */
  unchecked: readonly DraftSummary[];
  /** These ask whether their prices are meant. */
  dear: readonly DraftSummary[];
  /** Whether that was answered for each of them, as it stands now. */
  isSure: boolean;
}

/** `sure` are the versions of drafts, by `versionKey`, whose prices a person said are meant. */
export function toAnswer(
  chosen: readonly DraftSummary[],
  checks: ReadonlyMap<string, readonly Check[]>,
  sure: ReadonlySet<string>,
): ToAnswer {
  const dear = chosen.filter((row) => checks.get(pairKey(row))?.some((check) => check.sure === true));
  return {
    unchecked: chosen.filter((row) => !checks.has(pairKey(row))),
    dear,
    isSure: dear.every((row) => sure.has(versionKey(row))),
  };
}

/** Names one version of the draft of a pair. */
export function versionKey(row: Pick<DraftSummary, 'chainId' | 'pair' | 'version'>): string {
  return `${pairKey(row)}@${row.version}`;
}
