import type { Address } from '../../protocol/address.ts';
import { HABITS, type Habit } from './habit.ts';
import type { HabitCounts } from './taker-status.ts';

type Plain = 'asked' | 'quoted' | 'filled' | 'reverted' | 'lost';

export interface Tally {
  add(habit: Habit, what: Plain, orders?: number): void;
  refused(habit: Habit, code: string): void;
  /** A copy, in the order of the habits. */
  counts(): HabitCounts[];
}

/** Counts what comes of the users' wishes. */
export function openTally(userOf: (habit: Habit) => Address): Tally {
  const rows = new Map<Habit, HabitCounts>();
  const row = (habit: Habit): HabitCounts => {
    const known = rows.get(habit);
    if (known !== undefined) return known;
    const zero = { asked: 0, quoted: 0, filled: 0, reverted: 0, lost: 0, refused: {} };
    const begun = { habit, user: userOf(habit), ...zero };
    rows.set(habit, begun);
    return begun;
  };
  return {
    add(habit, what, orders = 1) {
      row(habit)[what] += orders;
    },
    refused(habit, code) {
      const { refused } = row(habit);
      refused[code] = (refused[code] ?? 0) + 1;
    },
    counts: () => HABITS.map((habit) => ({ ...row(habit), refused: { ...row(habit).refused } })),
  };
}
