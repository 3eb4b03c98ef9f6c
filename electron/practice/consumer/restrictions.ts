import type { PracticeLog } from '../practice-log.ts';
import { printable } from './failures.ts';
import type { Restriction } from './maker-consumer.ts';

export interface Restrictions {
  /** Leaves a pair alone in both directions; one that lasts longer already stays. */
  restrict(pairId: string, forMs: number, why: string): void;
  find(pairId: string): Restriction | null;
  all(): Restriction[];
}

/** The pairs that are left alone after a failed firm quote, each for its time. */
export function openRestrictions(now: () => number, log: PracticeLog): Restrictions {
  const kept = new Map<string, Restriction>();

  function find(pairId: string): Restriction | null {
    const found = kept.get(pairId);
    if (found === undefined || now() < found.until) return found ?? null;
    kept.delete(pairId);
    log.info(`${printable(pairId)} may be asked for again`);
    return null;
  }

  return {
    restrict(pairId, forMs, reason) {
      const until = now() + forMs;
      const why = printable(reason);
      if ((find(pairId)?.until ?? 0) >= until) return;
      kept.set(pairId, { pairId, until, why });
      log.warn(`${printable(pairId)} is left alone for ${inWords(forMs)}: ${why}`);
    },
    find,
    all: () => [...kept.keys()].flatMap((pairId) => find(pairId) ?? []),
  };
}

function inWords(ms: number): string {
  return ms >= 60_000 ? `${Math.round(ms / 60_000)} min` : `${ms / 1000} s`;
}
