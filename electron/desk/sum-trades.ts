import type { Traded, TradedRow } from '../contract/console/fills.ts';
import type { WhichFills } from '../journal/fills/marks.ts';
import {
  type AskedSums,
  addSums,
  noTrades,
  shownSums,
  type TradedBy,
  type TradedKey,
  type TradedSums,
} from '../journal/fills/traded.ts';
import type { JournalReader } from '../journal/queries.ts';
import { nextStep } from './reading-steps.ts';

type Summary = { thousandths: number; result: { rows: TradedRow[]; all: Traded } | null };
type Group = { key: TradedKey; sums: TradedSums; asked: AskedSums };

/** Fills and firm requests of the first step; the next ones take as many as fit into its time. */
const FIRST_FILLS = 200;
const FIRST_ROWS = 20_000;
/** Most rows a console is sent; the others are in the sum of all. */
const MOST_ROWS = 2_000;
/** Reading fills is that share of the work, in thousandths. */
const FILLS_SHARE = 700;

/** Sums what was traded and asked for, step by step, and tells how far it has come. `now` is Unix milliseconds. */
export async function* sumTrades(
  read: Pick<JournalReader, 'tradedPart' | 'askedPart' | 'logSpan'>,
  which: WhichFills & { by: TradedBy },
  now: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Summary, void> {
  const groups = new Map<string, Group>();
  const group = (key: TradedKey): Group => {
    const name = JSON.stringify(key);
    const known = groups.get(name) ?? { key, sums: noTrades(), asked: { asked: 0, signed: 0, filled: 0 } };
    groups.set(name, known);
    return known;
  };
  const until = Math.min(which.until, now);
  let before: { time: number; seq: number } | null = null;
  let atOnce = FIRST_FILLS;
  do {
    const began = performance.now();
    const step = await read.tradedPart({ ...which, before, limit: atOnce, now });
    atOnce = nextStep(atOnce, performance.now() - began);
    for (const { key, sums } of step.parts) {
      const known = group(key);
      known.sums = addSums(known.sums, sums);
    }
    before = step.next;
    if (signal?.aborted) return;
    const share = before === null ? 1 : (until - before.time) / Math.max(1, until - which.since);
    yield { thousandths: Math.floor(FILLS_SHARE * Math.max(0, Math.min(1, share))), result: null };
  } while (before !== null);

  const { first, last } = await read.logSpan({ since: which.since, until: which.until - 1 });
  let rowsAtOnce = FIRST_ROWS;
  for (let from = first; from <= last; ) {
    const to = Math.min(last, from + rowsAtOnce - 1);
    const began = performance.now();
    for (const { key, asked } of await read.askedPart({ ...which, first: from, last: to })) {
      const known = group(key);
      known.asked = addAsked(known.asked, asked);
    }
    rowsAtOnce = nextStep(rowsAtOnce, performance.now() - began);
    from = to + 1;
    if (signal?.aborted) return;
    const share = (to - first + 1) / (last - first + 1);
    yield { thousandths: FILLS_SHARE + Math.floor((1_000 - FILLS_SHARE) * share), result: null };
  }
  yield { thousandths: 1_000, result: shown([...groups.values()]) };
}

/** Most traded first, then most asked for. */
function shown(groups: Group[]): { rows: TradedRow[]; all: Traded } {
  const all = groups.reduce(
    (sum, { sums, asked }) => ({ sums: addSums(sum.sums, sums), asked: addAsked(sum.asked, asked) }),
    { sums: noTrades(), asked: { asked: 0, signed: 0, filled: 0 } },
  );
  groups.sort((a, b) => b.sums.fills - a.sums.fills || b.asked.asked - a.asked.asked);
  return {
    rows: groups.slice(0, MOST_ROWS).map(({ key, sums, asked }) => ({ ...key, ...shownSums(sums, asked) })),
    all: shownSums(all.sums, all.asked),
  };
}

function addAsked(a: AskedSums, b: AskedSums): AskedSums {
  return { asked: a.asked + b.asked, signed: a.signed + b.signed, filled: a.filled + b.filled };
}
