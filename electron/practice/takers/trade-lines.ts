import { formatUnits } from 'viem';
import type { Token } from '../../protocol/wire.ts';
import type { Ended } from './carry-out.ts';
import type { Habit } from './habit.ts';
import type { HabitWish } from './habits.ts';
import type { HabitCounts } from './taker-status.ts';
import type { Hop } from './wish.ts';

const NAMES: Readonly<Record<Habit, string>> = {
  retail: 'retail user',
  two_hop: 'two-hop user',
  arbitrageur: 'arbitrageur',
  looker: 'looker',
  reverting: 'clumsy user',
  oversized: 'over-sized user',
  stray: 'stray user',
};

/** One line for one wish. */
export function tradeLine(wish: HabitWish, ended: Ended): string {
  return `${NAMES[wish.habit]}: ${wanted(wish)}: ${outcome(wish, ended)}`;
}

/** One line for what came since `before`, over all users; null when nothing did. */
export function summaryLine(before: readonly HabitCounts[], after: readonly HabitCounts[]): string | null {
  const total = (counts: readonly HabitCounts[], what: 'asked' | 'quoted' | 'filled' | 'reverted' | 'lost') =>
    counts.reduce((sum, row) => sum + row[what], 0);
  const since = (what: Parameters<typeof total>[1]) => total(after, what) - total(before, what);
  const codes = [...new Set(after.flatMap(({ refused }) => Object.keys(refused)))];
  const times = (counts: readonly HabitCounts[], code: string) =>
    counts.reduce((sum, { refused }) => sum + (refused[code] ?? 0), 0);
  const refused = codes.flatMap((code) => {
    const count = times(after, code) - times(before, code);
    return count === 0 ? [] : [`${count} ${code}`];
  });
  const parts = [
    `${since('asked')} asked, ${since('quoted')} quoted, ${since('filled')} filled`,
    ...(['reverted', 'lost'] as const).flatMap((what) => (since(what) === 0 ? [] : [`${since(what)} ${what}`])),
    ...(refused.length === 0 ? [] : [`refused: ${refused.join(', ')}`]),
  ];
  const nothing = since('asked') + since('filled') + since('reverted') + since('lost') === 0;
  return nothing ? null : `takers: ${parts.join(', ')}`;
}

function wanted({ exact, hops }: HabitWish): string {
  const [first] = hops;
  const last = lastOf(hops);
  const amount =
    exact === 'in' ? `gives ${units(first.given, first.takerToken)}` : `wants ${units(last.got, last.makerToken)}`;
  if (hops.length === 1) return `${first.direction} ${first.pairId}, ${amount}`;
  const over = hops.slice(0, -1).map(({ makerToken }) => makerToken.symbol);
  return `${first.takerToken.symbol} to ${last.makerToken.symbol} over ${over.join(' and ')}, ${amount}`;
}

function outcome({ hops }: HabitWish, ended: Ended): string {
  switch (ended.kind) {
    case 'filled': {
      const paid = units(ended.terms.paid, hops[0].takerToken);
      const got = units(ended.terms.received, lastOf(hops).makerToken);
      return `filled, paid ${paid}, got ${got} in block ${ended.block} (${ended.transaction})`;
    }
    case 'left':
      return 'quoted, and left';
    case 'reverted':
      return `reverted in block ${ended.block}${ended.why === null ? '' : `, ${ended.why}`} (${ended.transaction})`;
    case 'lost':
      return `not filled, ${ended.why}`;
    case 'refused':
      return ended.sentence;
    case 'not_asked':
      return `not asked, ${ended.why}`;
  }
}

function lastOf(hops: HabitWish['hops']): Hop {
  return hops.at(-1) ?? hops[0];
}

function units(amount: bigint, { decimals, symbol }: Token): string {
  const [whole = '0', fraction = ''] = formatUnits(amount, decimals).split('.');
  return `${whole}.${fraction.slice(0, 6).padEnd(2, '0')} ${symbol}`;
}
