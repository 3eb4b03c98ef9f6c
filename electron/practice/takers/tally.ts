import type { Address } from '../../protocol/address.ts';
import { HABITS, type Habit } from './habits.ts';

/** What one user has come to since the start, counted in orders: a swap over two pairs is two. */
export interface HabitCounts {
  habit: Habit;
  user: Address;
  asked: number;
  quoted: number;
  filled: number;
  reverted: number;
  /** Quotes whose transaction the node would not take, or that came into no block in time. */
  lost: number;
  /** By the maker's code, or by what else came of it: `blacklisted`, `no_answer`, `unusable`, `http_500`. */
  refused: Record<string, number>;
}

/** The takers of one chain; plain JSON. */
export interface TakersStatus {
  chainId: number;
  /** The chain's name. */
  name: string;
  /** As it was set; 0 is nobody. */
  asksPerSecond: number;
  habits: HabitCounts[];
  /** Wishes whose quote or transaction is on its way. */
  underWay: number;
  /** Why nobody asks at the moment, one sentence, or null. */
  waits: string | null;
}

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
