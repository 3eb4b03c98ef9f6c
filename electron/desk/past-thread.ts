import { parentPort, workerData } from 'node:worker_threads';
import type { Database } from 'better-sqlite3';
import { buildChainBook } from '../book/chain-book.ts';
import { loadBook } from '../book/load-book.ts';
import type { PastDiffPart, PastPart } from '../contract/past.ts';
import { RuleTrial, WARM_UP_MS } from '../guard/rule-trial.ts';
import { readBook } from '../journal/book/read.ts';
import { journalFile, openForReading } from '../journal/open-database.ts';
import { readFlow } from '../journal/protections/flow.ts';
import { errorToText } from '../journal/write-item.ts';
import { comparePasts } from './past-diff.ts';
import { readLane } from './past-lane.ts';
import type { FromPast, PastAnswers, PastQuestion, ToPast } from './past-messages.ts';
import { type Past, readPast } from './past-view.ts';
import { quotesBehind, shownWhatIf } from './what-if-parts.ts';

const folder = workerData as string;

/** What is held of the journal in memory, KiB. */
const CACHE_KIB = 16_384;
/** Whoever waits hears this often how far it has come, milliseconds. */
const TELL_MS = 100;
/** So few go in one message that the desk's own thread is never long at it. */
const PAIRS_IN_A_PART = 10;
const ROWS_IN_A_PART = 100;

parentPort?.on('message', (message: ToPast) => {
  if (message.type === 'close') {
    parentPort?.close();
    return;
  }
  const { id, question, over } = message;
  const tell = (told: FromPast) => parentPort?.postMessage(told);
  try {
    if (Atomics.load(over, 0) === 0) {
      answer(
        question,
        (part) => tell({ type: 'part', id, part }),
        () => Atomics.load(over, 0) !== 0,
      );
    }
    tell({ type: 'end', id, error: null });
  } catch (error) {
    tell({ type: 'end', id, error: errorToText(error) });
  }
});

type Tell = (part: PastAnswers[keyof PastAnswers]) => void;

/** Reads all of it as it is at one moment of the file, whatever is written meanwhile. */
function answer(question: PastQuestion, tell: Tell, isOver: () => boolean): void {
  const db = openForReading(journalFile(folder));
  try {
    db.pragma(`cache_size = -${CACHE_KIB}`);
    db.exec('BEGIN');
    for (const part of answersTo(db, question)) {
      if (isOver()) return;
      if (part !== null) tell(part);
    }
  } finally {
    db.close();
  }
}

/** The parts of an answer; null between two of them, where it can be broken off. */
function* answersTo(db: Database, question: PastQuestion): Generator<PastAnswers[keyof PastAnswers] | null> {
  if (question.ask === 'lane') {
    yield readLane(db)(question);
    return;
  }
  if (question.ask === 'trial') {
    yield* tried(db, question);
    return;
  }
  if (question.ask === 'whatIf') {
    const { pairs, end } = yield* told(shownWhatIf(db, question));
    for (const some of inParts(pairs, ROWS_IN_A_PART)) yield { part: 'pairs', pairs: some };
    yield end;
    return;
  }
  if (question.ask === 'whatIfQuotes') {
    yield { part: 'quotes', quotes: yield* told(quotesBehind(db, question)) };
    return;
  }
  const pastOf = readPast(db);
  if (question.ask === 'at') {
    const past = yield* told(pastOf(question.moment));
    yield* partsOf(past);
    return;
  }
  const from = yield* told(pastOf(question.from));
  const to = yield* told(pastOf(question.to));
  const { cells, all, changed } = yield* told(comparePasts(db)(from, to));
  for (const some of inParts(cells, ROWS_IN_A_PART)) yield { part: 'cells', cells: some } satisfies PastDiffPart;
  const left = changed - cells.length;
  yield { part: 'end', from: from.desk, to: to.desk, cells: all, changed, left } satisfies PastDiffPart;
}

/** Rules over the flow of a stretch, and of the day before it: no window is longer. Tokens are those of now. */
function* tried(
  db: Database,
  { rules, since, until }: Extract<PastQuestion, { ask: 'trial' }>,
): Generator<PastAnswers['trial'] | null> {
  const { chains } = loadBook(readBook(db).storedBook());
  const trial = new RuleTrial(rules, [...chains.values()].map(buildChainBook), since);
  for (const event of readFlow(db)(since - WARM_UP_MS, until)) {
    trial.take(event);
    yield null;
  }
  yield trial.result(until);
}

function* partsOf({ desk, pairs, tokens }: Past): Generator<PastPart> {
  yield { part: 'desk', desk };
  for (const some of inParts(pairs, PAIRS_IN_A_PART)) yield { part: 'pairs', pairs: some };
  for (const some of inParts(tokens, ROWS_IN_A_PART)) yield { part: 'tokens', tokens: some };
}

/** How far something has come, told at once and then now and again; what it comes to in the end. */
function* told<Step extends object, Result>(
  work: Generator<Step, Result>,
): Generator<(Step & { part: 'progress' }) | null, Result> {
  let at = Number.NEGATIVE_INFINITY;
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    const now = performance.now();
    const isDue = now - at >= TELL_MS;
    if (isDue) at = now;
    yield isDue ? { ...step.value, part: 'progress' } : null;
  }
}

function inParts<T>(all: readonly T[], most: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / most) }, (_, index) =>
    all.slice(index * most, (index + 1) * most),
  );
}
