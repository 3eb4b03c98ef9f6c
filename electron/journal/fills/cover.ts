import { fillCoverSchema, type HedgedFill } from '../../contract/hedge.ts';

type Cover = HedgedFill['cover'];

/** How far hedges cover a fill that moved `base`, when they moved `hedged` for it; `runs`: one of them has not ended. Raw units with sign. */
export function coverOf(before: Cover, { base, hedged, runs }: { base: bigint; hedged: bigint; runs: boolean }): Cover {
  if (before === 'taken_back') return before;
  if (runs) return 'hedging';
  if (hedged === 0n) return 'unhedged';
  return hedged === -base ? 'hedged' : 'part_hedged';
}

/** The cover of a fill whose chain is gone: what was not hedged by then never will be. */
export function abandonedCover(before: Cover): Cover {
  return before === 'hedged' ? before : 'taken_back';
}

/** In SQL, of fills named `f`: how each stands. One that a reorganisation took back needs no cover, whatever hedges did for it. */
export const STANDING_COVER = "CASE WHEN f.reverted = 1 THEN 'taken_back' ELSE f.cover END";

/** In SQL: `abandonedCover` of the column `cover`. */
export const ABANDONED_COVER = `CASE cover ${fillCoverSchema.options
  .map((cover) => `WHEN '${cover}' THEN '${abandonedCover(cover)}'`)
  .join(' ')} END`;
