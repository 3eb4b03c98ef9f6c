import type { Address } from '../../protocol/address.ts';
import type { Habit } from './habit.ts';

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
