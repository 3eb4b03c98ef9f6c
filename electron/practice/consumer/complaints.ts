import type { PracticeLog } from '../practice-log.ts';
import { printable } from './failures.ts';
import type { Complaint, ConsumerStatus } from './maker-consumer.ts';

const KEPT = 50;

/** The same complaint is not logged again before this. */
const LOGGED_EVERY_MS = 60_000;

export interface Complaints {
  /** Something of the maker's was wrong: one sentence that names it. */
  add(sentence: string): void;
  counted(): ConsumerStatus['complaints'];
}

/** Counts and keeps what was wrong with a maker's answers; the same sentence is kept once, with how often it was so. */
export function openComplaints(now: () => number, log: PracticeLog): Complaints {
  const kept = new Map<string, Complaint & { loggedAt: number }>();
  let count = 0;
  return {
    add(raw) {
      const sentence = printable(raw);
      const at = now();
      const before = kept.get(sentence);
      const isDue = before === undefined || at - before.loggedAt >= LOGGED_EVERY_MS;
      if (isDue) log.warn(sentence);
      kept.delete(sentence);
      kept.set(sentence, {
        at,
        sentence,
        times: (before?.times ?? 0) + 1,
        loggedAt: isDue ? at : before.loggedAt,
      });
      for (const oldest of kept.keys()) {
        if (kept.size <= KEPT) break;
        kept.delete(oldest);
      }
      count += 1;
    },
    counted: () => ({ count, last: [...kept.values()].map(({ at, sentence, times }) => ({ at, sentence, times })) }),
  };
}
