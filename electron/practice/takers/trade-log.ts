import { formatUnits } from 'viem';
import type { Token } from '../../protocol/wire.ts';
import type { PracticeLog } from '../practice-log.ts';
import type { Ended } from './carry-out.ts';
import type { Habit, HabitWish } from './habits.ts';
import type { Hop } from './market-view.ts';
import type { HabitCounts } from './tally.ts';

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
function tradeLine(wish: HabitWish, ended: Ended): string {
  return `${NAMES[wish.habit]}: ${wanted(wish)}: ${outcome(wish, ended)}`;
}

/** One line for what came since `before`, over all users; null when nothing did. */
function summaryLine(before: readonly HabitCounts[], after: readonly HabitCounts[]): string | null {
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
