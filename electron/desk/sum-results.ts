import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ResultBy, type ResultRow, type Results, resultBySchema, type Sums } from '../contract/results.ts';
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

type Progress = { thousandths: number; result: Sums | Results | null };

/** Fills of the first step; the next ones take as many as fit into its time. */
const FIRST_FILLS = 200;
/** How long before the first fill a curve begins. */
const FIRST_ROOM_MS = 10_000;
/** Most rows a console is sent, of whatever they are; the others are in the sum of all. */
const MOST_ROWS = 2_000;
/** Rows that are sorted or written down in one turn of the event loop: a quote waits for no more of them. */
const ROWS_A_TURN = 100;
/** Steps of the curve of everything, and of the small ones of the rows. */
const STEPS = { all: 120, row: 30 };

/**
 * Sums what fills of a time came to by pair, by user and by counterparty, and what was paid in it for no fill, step by step, and tells
 * how far it has come. With `by` it is one of these alone. `now` is Unix milliseconds.
 */
export async function* sumResults(
  read: Pick<JournalReader, 'resultsPart' | 'firstFill' | 'costsOfNoFill'>,
  which: WhichFills & { by?: ResultBy },
  now: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Progress, void> {
  const { since, by } = which;
  const end = Math.max(since + 1, Math.min(which.until, now));
  // The curve of a young desk is not squeezed into a corner: it begins with the first fill.
  const first = await read.firstFill(which);
  const begin = Math.min(end - 1, Math.max(since, (first ?? since) - FIRST_ROOM_MS));
  const parts: Record<ResultBy, Map<string, ResultPart>> = {
    pair: new Map(),
    user: new Map(),
    counterparty: new Map(),
  };
  let growth: Growth[] = Array.from({ length: STEPS.all }, noGrowth);
  let before: { time: number; seq: number } | null = null;
  let limit = FIRST_FILLS;
  do {
    const began = performance.now();
    const step = await read.resultsPart({ ...which, begin, end, before, limit, now, steps: STEPS });
    limit = nextStep(limit, performance.now() - began);
    for (const part of step.parts) {
      const name = JSON.stringify(part.key);
      const known = parts[part.by].get(name);
      parts[part.by].set(name, known === undefined ? part : together(known, part));
    }
    growth = growth.map((one, index) => addGrowth(one, step.growth[index] ?? noGrowth()));
    before = step.next;
    if (signal?.aborted) return;
    const share = before === null ? 1 : (end - before.time) / (end - since);
    yield { thousandths: Math.floor(1_000 * Math.max(0, Math.min(1, share))), result: null };
  } while (before !== null);
  // Each fill has a pair, and is that of one pair: of the whole there is one sum, whatever its rows are told by.
  const all = [...parts.pair.values()].reduce((sum, { sums }) => addResults(sum, sums), noResults());
  // What was paid for no fill is nobody's: it is not told of one pair, user or counterparty.
  const { chainId = null, pair, user, counterparty } = which;
  const isWhole = pair === undefined && user === undefined && counterparty === undefined;
  const costs = isWhole ? await read.costsOfNoFill({ since, until: end, chainId }) : [];
  for (const cost of costs) {
    const share = Math.floor(((cost.time - begin) / (end - begin)) * STEPS.all);
    const index = Math.max(0, Math.min(STEPS.all - 1, share));
    growth[index] = addGrowth(growth[index] ?? noGrowth(), growthOfCost(cost));
  }
  const rows = by === undefined ? { rowsBy: await rowsOfEach(parts) } : await shownRows(parts[by], MOST_ROWS);
  const shown = shownResult(all);
  const paid = costs.map(growthOfCost).reduce((sum, { net }) => plus(sum, net), ZERO);
  yield {
    thousandths: 1_000,
    result: {
      now,
      ...rows,
      all: shown,
      noFill: isWhole ? shownNoFill(costs) : null,
      netOfTime: shown.net === null ? null : dollarText(plus(all.net, paid)),
      curve: shownCurve({ since: begin, until: end }, growth),
    },
  };
}

/** Rows of each: what the ones that are fewer leave of the room is that of the others. */
async function rowsOfEach(parts: Record<ResultBy, Map<string, ResultPart>>): Promise<Sums['rowsBy']> {
  const none = { rows: [], more: 0 };
  const rowsBy: Sums['rowsBy'] = { pair: none, user: none, counterparty: none };
  const fewestFirst = resultBySchema.options.toSorted((a, b) => parts[a].size - parts[b].size);
  let room = MOST_ROWS;
  for (const [index, by] of fewestFirst.entries()) {
    rowsBy[by] = await shownRows(parts[by], Math.floor(room / (fewestFirst.length - index)));
    room -= rowsBy[by].rows.length;
  }
  return rowsBy;
}

/** The `most` rows of the most volume, over many turns of the event loop. */
async function shownRows(parts: Map<string, ResultPart>, most: number): Promise<Pick<Results, 'rows' | 'more'>> {
  let first: ResultPart[] = [];
  for await (const some of slicesOf([...parts.values()])) {
    const last = first.length < most ? undefined : first.at(-1);
    const better = last === undefined ? some : some.filter((part) => byVolume(part, last) < 0);
    first = [...first, ...better].sort(byVolume).slice(0, most);
  }
  const rows: ResultRow[] = [];
  for await (const some of slicesOf(first)) {
    rows.push(...some.map(({ key, sums, growth }) => ({ ...key, ...shownResult(sums), curve: shownNet(growth) })));
  }
  return { rows, more: parts.size - rows.length };
}

async function* slicesOf(parts: readonly ResultPart[]): AsyncGenerator<ResultPart[], void> {
  for (let from = 0; from < parts.length; from += ROWS_A_TURN) {
    if (from > 0) await nextTurn();
    yield parts.slice(from, from + ROWS_A_TURN);
  }
}

function byVolume(a: ResultPart, b: ResultPart): number {
  return compare(b.sums.volume, a.sums.volume) || b.sums.fills - a.sums.fills;
}

function together(a: ResultPart, b: ResultPart): ResultPart {
  const growth = a.growth.map((one, index) => {
    const other = b.growth[index];
    return other === undefined ? one : plus(one, other);
  });
  return { by: a.by, key: a.key, sums: addResults(a.sums, b.sums), growth };
}
