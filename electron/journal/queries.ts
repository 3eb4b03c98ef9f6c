import type { Database } from 'better-sqlite3';
import { readAlarms } from './alarms.ts';
import { readBlacklist } from './read-blacklist.ts';
import { readBook } from './read-book.ts';
import { readFills } from './read-fills.ts';
import { readHedgedFills } from './read-hedged-fills.ts';
import { readHedges } from './read-hedges.ts';
import { readLog } from './read-log.ts';
import { readMarkedFills } from './read-marked-fills.ts';
import { readPairCounts } from './read-pair-counts.ts';
import { readPlain } from './read-plain.ts';
import { readPriceLines } from './read-price-lines.ts';
import { readQuoteStory } from './read-quote-story.ts';
import { readQuotes } from './read-quotes.ts';
import { readStops } from './read-stops.ts';
import { readTraded } from './read-traded.ts';
import { readUnprovenPast } from './unproven-past.ts';

/** Every named query, as the reader thread answers it. */
export function createQueries(db: Database) {
  return {
    ...readBook(db),
    ...readQuotes(db),
    ...readPairCounts(db),
    ...readLog(db),
    ...readFills(db),
    ...readMarkedFills(db),
    ...readHedges(db),
    ...readHedgedFills(db),
    ...readTraded(db),
    ...readPriceLines(db),
    ...readQuoteStory(db),
    ...readBlacklist(db),
    ...readStops(db),
    ...readAlarms(db),
    ...readUnprovenPast(db),
    ...readPlain(db),
  };
}

export type Queries = ReturnType<typeof createQueries>;
export type QueryName = keyof Queries;

/** The compiler keeps this complete. */
const NAMES: Record<QueryName, true> = {
  storedBook: true,
  switchedOff: true,
  revisions: true,
  tradingStates: true,
  stops: true,
  openAlarms: true,
  missingByHand: true,
  unprovenPast: true,
  quote: true,
  quoteByHash: true,
  openQuotes: true,
  provenOpenQuotes: true,
  usedSignatures: true,
  openNftOrders: true,
  pairCounts: true,
  logPage: true,
  logSpan: true,
  fills: true,
  fill: true,
  volume: true,
  orderEvents: true,
  markedFills: true,
  fillsOfQuote: true,
  hedge: true,
  hedges: true,
  openHedges: true,
  hedgesUntil: true,
  givenSpenders: true,
  automaticHedges: true,
  hedgeSteps: true,
  unhedgedFills: true,
  hedgeReceipts: true,
  autoHedges: true,
  hedgedFills: true,
  hedgeNets: true,
  positions: true,
  tradedPart: true,
  askedPart: true,
  priceLines: true,
  placedFills: true,
  ladderRevision: true,
  cancelsOfQuote: true,
  askedInMinute: true,
  referenceAt: true,
  blacklistHistory: true,
  drafts: true,
  heartbeats: true,
  setting: true,
  referenceSamples: true,
  referenceSpan: true,
};

/** The queries as the rest of the desk calls them. Each sees everything whose append was answered before. */
export type JournalReader = {
  [Name in QueryName]: (...args: Parameters<Queries[Name]>) => Promise<ReturnType<Queries[Name]>>;
};

/** A reader that puts every question through `ask`. */
export function readerOf(ask: (query: QueryName, args: unknown[]) => Promise<unknown>): JournalReader {
  const queries = Object.keys(NAMES).map((name) => [name, (...args: unknown[]) => ask(name as QueryName, args)]);
  return Object.fromEntries(queries) as JournalReader;
}
