import { HABITS, type Habit, MIX } from './habit.ts';
import { decideArbitrageur } from './habits/arbitrageur.ts';
import { decideLooker } from './habits/looker.ts';
import { decideOversized } from './habits/oversized.ts';
import { decideRetail } from './habits/retail.ts';
import { decideReverting } from './habits/reverting.ts';
import { decideStray } from './habits/stray.ts';
import { decideTwoHop } from './habits/two-hop.ts';
import type { MarketView } from './market-view.ts';
import type { Decide, Wish } from './wish.ts';

const DECIDE: Readonly<Record<Habit, Decide<MarketView>>> = {
  retail: decideRetail,
  two_hop: decideTwoHop,
  arbitrageur: decideArbitrageur,
  looker: decideLooker,
  reverting: decideReverting,
  oversized: decideOversized,
  stray: decideStray,
};

const ROUND = HABITS.flatMap((habit) => Array.from({ length: MIX[habit] }, () => habit));

export interface HabitWish extends Wish {
  habit: Habit;
}

/**
 * Who wishes for what next. In every round each habit has as many turns as the mix gives it, in an order of chance; a
 * turn that is not taken goes to the next. The same random numbers and the same views make the same wishes.
 */
export function wishes(random: () => number): (view: MarketView) => HabitWish | null {
  let turns: Habit[] = [];
  const take = (): Habit => {
    if (turns.length === 0) turns = [...ROUND];
    return turns.splice(Math.floor(random() * turns.length), 1)[0] ?? 'retail';
  };
  return (view) => {
    for (let tried = 0; tried < ROUND.length; tried += 1) {
      const habit = take();
      const wish = DECIDE[habit](view, random);
      if (wish !== null) return { habit, ...wish };
    }
    return null;
  };
}
