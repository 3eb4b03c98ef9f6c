import type { PracticeLog } from '../practice-log.ts';
import type { Ended } from './carry-out.ts';
import type { HabitWish } from './habits.ts';
import type { HabitCounts } from './taker-status.ts';
import { summaryLine, tradeLine } from './trade-lines.ts';

/** A trade that begins at this speed or a lower one has its line; of the others every second has one. */
const LINES_UP_TO_PER_SECOND = 2;
const SUMMARY_EVERY_MS = 1_000;

/** What is so at first, and nothing to speak of. */
const AT_FIRST = 'there are no fresh prices';

interface TradeLog {
  tellsEach(): boolean;
  /** `told`: whether this one has its line, as `tellsEach` said when it began. */
  ended(wish: HabitWish, ended: Ended, told: boolean): void;
  /** Why nobody asks, or null: told when it changes. */
  waits(why: string | null): void;
  waitsFor(): string | null;
  close(): void;
}

/** Says what the takers do: a line a trade while that can be read, else a line a second. */
export function openTradeLog(options: {
  log: PracticeLog;
  counts: () => HabitCounts[];
  perSecond: () => number;
}): TradeLog {
  const { log, counts, perSecond } = options;
  const tellsEach = () => perSecond() <= LINES_UP_TO_PER_SECOND;
  let waits: string | null = AT_FIRST;
  let before = counts();
  let untold = false;

  const timer = setInterval(() => {
    const after = counts();
    const line = untold || !tellsEach() ? summaryLine(before, after) : null;
    if (line !== null) log.info(line);
    before = after;
    untold = false;
  }, SUMMARY_EVERY_MS);

  return {
    tellsEach,
    ended(wish, ended, told) {
      untold ||= !told;
      if (!told) return;
      const line = tradeLine(wish, ended);
      if (ended.kind === 'filled' || ended.kind === 'left') log.info(line);
      else log.warn(line);
    },
    waits(why) {
      if (why === waits) return;
      if (why !== null) log.warn(`takers wait: ${why}`);
      else if (waits !== AT_FIRST) log.info('takers go on');
      waits = why;
    },
    waitsFor: () => waits,
    close: () => clearInterval(timer),
  };
}
