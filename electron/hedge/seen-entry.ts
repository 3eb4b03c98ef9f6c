import { expectSeen } from '../book/changed-meanwhile.ts';
import { entryOf, type HedgeEntry } from '../contract/hedge-steps.ts';
import { isoTime } from '../contract/names.ts';
import type { HedgeOpened } from '../journal/hedges/events.ts';
import type { HedgeRecord } from '../journal/hedges/fold.ts';
import type { WrittenStep } from '../journal/hedges/read.ts';
import { fromRaw } from '../protocol/decimal.ts';

/**
 * Expects that what was entered of a hedge by hand still counts as the person had it in view; without `seen` nothing is looked at. Throws
 * FaultyInput `changed_meanwhile` that says who corrected it, and what it is now.
 */
export function expectEntrySeen(
  { seq, opened }: HedgeRecord,
  written: readonly WrittenStep[],
  seen: HedgeEntry | undefined,
): void {
  const now = entryOf(written.map(({ step }) => step));
  if (seen === undefined || now === null) return;
  const by = written.findLast(({ step }) => step.step === 'corrected')?.actor ?? null;
  expectSeen(`Hedge ${seq}`, { seen: typedAs(seen, opened), now: typedAs(now, opened), by });
}

/** An entry as a person types it: token units, and the time as text. */
function typedAs({ spent, received, feeUsd, where, at, note }: HedgeEntry, { src, dest }: HedgeOpened) {
  return {
    gave: fromRaw(BigInt(spent), src.decimals),
    got: fromRaw(BigInt(received), dest.decimals),
    feeUsd,
    where,
    at: isoTime(at),
    note,
  };
}
