/** The users of the practice market, by what they do with a firm quote. Each has an account of its own. */
export const HABITS = ['retail', 'two_hop', 'arbitrageur', 'looker', 'reverting', 'oversized', 'stray'] as const;

export type Habit = (typeof HABITS)[number];

/** How many of twenty wishes are whose. An arbitrageur who sees nothing stale passes their turn on. */
export const MIX: Readonly<Record<Habit, number>> = {
  retail: 10,
  two_hop: 3,
  arbitrageur: 1,
  looker: 2,
  reverting: 2,
  oversized: 1,
  stray: 1,
};
