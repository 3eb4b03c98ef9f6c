import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { isoTime } from '../../contract/names.ts';
import { archivesIn } from '../archives.ts';
import type { ProjectionsOf, Slice } from '../slice.ts';
import { counted, named, type TellingsOf, words } from '../telling.ts';
import { ARCHIVE_EVENTS } from './events.ts';

const TABLES = `
CREATE TABLE archives (
  first INTEGER PRIMARY KEY,
  last INTEGER NOT NULL,
  file TEXT NOT NULL,
  rows INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  digest TEXT NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL
) STRICT;
`;

/** Bodies that are in an archive by now, and leave the journal. */
const leavingSchema = z.object({ table: z.literal('archived_bodies'), seqs: z.array(z.int().positive()) });

/** What is archived, and where it lies. */
export const ARCHIVE = {
  events: ARCHIVE_EVENTS,
  tables: ['archives'],
  migrations: { 16: (db) => void db.exec(TABLES) },
  project: (db: Database): ProjectionsOf<typeof ARCHIVE_EVENTS> => {
    const insert = db.prepare('INSERT INTO archives VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
    return {
      journal_archived: ({ body: { first, last, file, rows, bytes, digest, firstAt, lastAt } }) => {
        insert.run(first, last, file, rows, bytes, digest, firstAt, lastAt);
      },
    };
  },
  plain: { archived_bodies: leavingSchema },
  writePlain: (db) => {
    const empty = db.prepare<[number, number]>(`
      UPDATE main.journal SET body = ''
      WHERE seq = ? AND EXISTS (SELECT 1 FROM archives WHERE ? BETWEEN first AND last)`);
    return {
      archived_bodies: ({ seqs }: z.infer<typeof leavingSchema>) => {
        for (const seq of seqs) empty.run(seq, seq);
      },
    };
  },
  tell: (): TellingsOf<typeof ARCHIVE_EVENTS> => ({
    journal_archived: {
      name: 'Journal archived',
      group: 'desk',
      concerns: () => ({}),
      say: ({ body: { first, last, rows, file, lastAt } }) => [
        words(
          `archived ${counted(rows, 'quote')} of rows ${first} to ${last}, until ${isoTime(lastAt)}, in ${named(file, 80)}`,
        ),
      ],
    },
  }),
  queries: (db: Database) => ({ archives: () => archivesIn(db) }),
} satisfies Slice;
