import type { Database } from 'better-sqlite3';
import type { Slice } from '../slice.ts';
import { barsOfThisDesk } from './blacklist.ts';
import { BOOK_EVENTS } from './events.ts';
import { projectBook } from './project.ts';
import { readBook } from './read.ts';
import {
  endWriteSchema,
  REFERENCE_SAMPLES,
  readReference,
  sampleWriteSchema,
  untilWhenBelieved,
  whenHeard,
  whenMidWas,
  writeSamples,
} from './reference-samples.ts';
import { tableOfMoves } from './revisions.ts';
import { tellBook } from './tell.ts';

const TABLES = `
CREATE TABLE desk (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  settings TEXT NOT NULL,
  fingerprints TEXT NOT NULL
) STRICT;

CREATE TABLE chains (
  chain_id INTEGER PRIMARY KEY,
  position INTEGER NOT NULL,
  config TEXT NOT NULL,
  limits TEXT NOT NULL,
  takers TEXT NOT NULL
) STRICT;

CREATE TABLE tokens (
  chain_id INTEGER NOT NULL,
  token_id TEXT NOT NULL,
  token TEXT NOT NULL,
  PRIMARY KEY (chain_id, token_id)
) STRICT;

CREATE TABLE pairs (
  chain_id INTEGER NOT NULL,
  pair TEXT NOT NULL,
  definition TEXT NOT NULL,
  retired_until INTEGER,
  PRIMARY KEY (chain_id, pair)
) STRICT;

CREATE TABLE ladder_revisions (
  chain_id INTEGER NOT NULL,
  pair TEXT NOT NULL,
  revision INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (chain_id, pair, revision)
) STRICT, WITHOUT ROWID;

CREATE TABLE blacklist (
  chain_id INTEGER NOT NULL,
  address TEXT NOT NULL,
  reason TEXT,
  until INTEGER,
  since INTEGER NOT NULL,
  actor TEXT NOT NULL,
  PRIMARY KEY (chain_id, address)
) STRICT;

CREATE TABLE blacklist_history (
  chain_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  address TEXT NOT NULL,
  action TEXT NOT NULL,
  reason TEXT,
  until INTEGER,
  PRIMARY KEY (chain_id, seq, address, action)
) STRICT, WITHOUT ROWID;`;

/** The configuration: chains, tokens, pairs, published ladders, the blacklist, and what the reference said of the pairs. */
export const BOOK = {
  events: BOOK_EVENTS,
  tables: ['desk', 'chains', 'tokens', 'pairs', 'ladder_revisions', 'ladder_moves', 'blacklist', 'blacklist_history'],
  migrations: {
    1: (db) => void db.exec(TABLES + REFERENCE_SAMPLES),
    8: barsOfThisDesk,
    15: tableOfMoves,
    19: whenHeard,
    20: whenMidWas,
    21: untilWhenBelieved,
  },
  project: projectBook,
  plain: { reference_samples: sampleWriteSchema, reference_ends: endWriteSchema },
  writePlain: writeSamples,
  tell: tellBook,
  queries: (db: Database) => ({ ...readBook(db), ...readReference(db) }),
} satisfies Slice;
