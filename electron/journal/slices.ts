import type { Database } from 'better-sqlite3';
import type { z } from 'zod';
import { APPROVALS } from './approvals/slice.ts';
import { ARCHIVE } from './archive/slice.ts';
import { listedTokens, tokensOfPair } from './book/listed-tokens.ts';
import { BOOK } from './book/slice.ts';
import { DESK } from './desk/slice.ts';
import { FILLS } from './fills/slice.ts';
import { HEDGES } from './hedges/slice.ts';
import { PEOPLE } from './people/slice.ts';
import { PROTECTIONS } from './protections/slice.ts';
import { BESIDE_QUOTES } from './quotes/other-events.ts';
import { QUOTES } from './quotes/slice.ts';
import { readEvents } from './read-events.ts';
import { readCostsOfNoFill } from './results/no-fill-costs.ts';
import { readResults } from './results/read.ts';
import { SEALS } from './seals/slice.ts';
import type { Slice } from './slice.ts';
import { TRADING } from './trading/slice.ts';
import type { WriteItem } from './write-item.ts';

/**
 * Every domain with facts in the journal, for the desk and both threads. What an event does to several of them is done in this
 * order: fills after the quotes that they fill, hedges after the fills that they cover.
 */
export const SLICES = [
  DESK,
  BOOK,
  TRADING,
  QUOTES,
  FILLS,
  HEDGES,
  PEOPLE,
  ARCHIVE,
  PROTECTIONS,
  SEALS,
  APPROVALS,
] as const satisfies readonly Slice[];

type Of<Part> = Part extends Record<string, infer Value> ? Value : never;
/** A write to one of the tables outside the hash chain. */
export type PlainWrite = z.infer<
  Of<typeof DESK.plain | typeof BOOK.plain> | Of<typeof PEOPLE.plain | typeof ARCHIVE.plain>
>;

/** What the desk has to know of its past, as it was found when the journal was opened. */
export type FoundAtOpening = ReturnType<typeof QUOTES.witnessed.compare>['found'];

/** Reads what people and the desk keep beside the rows, each as the write that puts it there: whoever goes on from a journal needs it. */
export function besideRows(db: Database): () => WriteItem[] {
  const { settingsUnder, drafts } = PEOPLE.queries(db);
  return () => [
    ...settingsUnder('').map((setting) => ({ table: 'settings', ...setting })),
    ...drafts().map((draft) => ({ table: 'drafts', ...draft })),
  ];
}

/** Every named query, as the reader thread answers it. */
export function createQueries(db: Database) {
  const people = PEOPLE.queries(db);
  return {
    ...DESK.queries(db),
    ...BOOK.queries(db),
    ...TRADING.queries(db),
    ...QUOTES.queries(db),
    ...FILLS.queries(db),
    ...HEDGES.queries(db),
    ...people,
    ...ARCHIVE.queries(db),
    ...PROTECTIONS.queries(db),
    ...SEALS.queries(db),
    ...APPROVALS.queries(db),
    ...readResults(db),
    ...readEvents(db, {
      slices: SLICES,
      crowd: BESIDE_QUOTES,
      token: listedTokens(db),
      names: people.givenNames,
      tokensOf: tokensOfPair(db),
    }),
    ...readCostsOfNoFill(db),
  };
}
export type Queries = ReturnType<typeof createQueries>;
