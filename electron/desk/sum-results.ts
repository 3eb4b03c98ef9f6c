import type { ResultBy, Sums } from '../contract/results.ts';
import type { WhichFills } from '../journal/fills/marks.ts';
import type { JournalReader } from '../journal/queries.ts';
import { plus } from '../journal/quotes/trade-value.ts';
import { ZERO } from '../journal/results/fill-result.ts';
import {
  addGrowth,
  addResults,
  dollarText,
  type Growth,
  growthOfCost,
  noGrowth,
  noResults,
  type ResultPart,
  shownCurve,
  shownNet,
  shownNoFill,
  shownResult,
} from '../journal/results/result-sums.ts';
import { compare } from '../protocol/decimal.ts';
import { nextStep } from './reading-steps.ts';

type Progress = { thousandths: number; result: Sums | null };

/** Fills of the first step; the next ones take as many as fit into its time. */
const FIRST_FILLS = 200;
/** How long before the first fill a curve begins. */
const FIRST_ROOM_MS = 10_000;
/** Most rows a console is sent; the others are in the sum of all. */
const MOST_ROWS = 2_000;
/** Steps of the curve of everything, and of the small ones of the rows. */
const STEPS = { all: 120, row: 30 };

/**
 * Sums what fills of a time came to by pair, by user and by counterparty, and what was paid in it for no fill, step by step, and tells
 * how far it has come. Of one of these alone (`by`) the others have no rows. `now` is Unix milliseconds.
 */
export async function* sumResults(
  read: Pick<JournalReader, 'resultsPart' | 'firstFill' | 'costsOfNoFill'>,
  { by: only, ...which }: WhichFills & { by?: ResultBy },
  now: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Progress, void> {
  const { since } = which;
  const end = Math.max(since + 1, Math.min(which.until, now));
  // The curve of a young desk is not squeezed into a corner: it begins with the first fill.
  const first = await read.firstFill(which);
  const begin = Math.min(end - 1, Math.max(since, (first ?? since) - FIRST_ROOM_MS));
  const parts = new Map<string, ResultPart>();
  let growth: Growth[] = Array.from({ length: STEPS.all }, noGrowth);
  let before: { time: number; seq: number } | null = null;
  let limit = FIRST_FILLS;
  do {
    const began = performance.now();
    const step = await read.resultsPart({ ...which, begin, end, before, limit, now, steps: STEPS });
    limit = nextStep(limit, performance.now() - began);
    for (const part of step.parts) {
      const name = JSON.stringify([part.by, part.key]);
      const known = parts.get(name);
      parts.set(name, known === undefined ? part : together(known, part));
    }
    growth = growth.map((one, index) => addGrowth(one, step.growth[index] ?? noGrowth()));
    before = step.next;
    if (signal?.aborted) return;
    const share = before === null ? 1 : (end - before.time) / (end - since);
    yield { thousandths: Math.floor(1_000 * Math.max(0, Math.min(1, share))), result: null };
  } while (before !== null);
  const sorted = [...parts.values()].sort(
    (a, b) => compare(b.sums.volume, a.sums.volume) || b.sums.fills - a.sums.fills,
  );
  // Each fill has a pair, and is that of one pair: of the whole there is one sum, whatever its rows are told by.
  const all = sorted.filter(({ by }) => by === 'pair').reduce((sum, { sums }) => addResults(sum, sums), noResults());
  // What was paid for no fill is nobody's: it is not told of one pair, user or counterparty.
  const { chainId = null, pair, user, counterparty } = which;
  const isWhole = pair === undefined && user === undefined && counterparty === undefined;
  const costs = isWhole ? await read.costsOfNoFill({ since, until: end, chainId }) : [];
  for (const cost of costs) {
    const share = Math.floor(((cost.time - begin) / (end - begin)) * STEPS.all);
    const index = Math.max(0, Math.min(STEPS.all - 1, share));
    growth[index] = addGrowth(growth[index] ?? noGrowth(), growthOfCost(cost));
  }
  const rowsOf = (by: ResultBy) => shownRows(sorted.filter((part) => part.by === by && (only ?? by) === by));
  const shown = shownResult(all);
  const paid = costs.map(growthOfCost).reduce((sum, { net }) => plus(sum, net), ZERO);
  yield {
    thousandths: 1_000,
    result: {
      now,
      rowsBy: { pair: rowsOf('pair'), user: rowsOf('user'), counterparty: rowsOf('counterparty') },
      all: shown,
      noFill: isWhole ? shownNoFill(costs) : null,
      netOfTime: shown.net === null ? null : dollarText(plus(all.net, paid)),
      curve: shownCurve({ since: begin, until: end }, growth),
    },
  };
}

function shownRows(parts: readonly ResultPart[]): Sums['rowsBy'][ResultBy] {
  return {
    rows: parts
      .slice(0, MOST_ROWS)
      .map(({ key, sums, growth }) => ({ ...key, ...shownResult(sums), curve: shownNet(growth) })),
    more: Math.max(0, parts.length - MOST_ROWS),
  };
}

function together(a: ResultPart, b: ResultPart): ResultPart {
  const growth = a.growth.map((one, index) => {
    const other = b.growth[index];
    return other === undefined ? one : plus(one, other);
  });
  return { by: a.by, key: a.key, sums: addResults(a.sums, b.sums), growth };
}
