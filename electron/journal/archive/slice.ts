import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import type { Storage } from '../../contract/archived.ts';
import { utcText } from '../../contract/names.ts';
import { archivesIn, missingArchives } from '../archives.ts';
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

/** What stays of a row in the journal. */
type Rest = { seq: number; time: number; actor: string; kind: string; previous: Buffer; hash: Buffer };

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
    const rest = db.prepare<[string], Rest>(`
      SELECT seq, time, actor, kind, previous, hash FROM main.journal j
      WHERE seq IN (SELECT value FROM json_each(?)) AND EXISTS (SELECT 1 FROM archives WHERE j.seq BETWEEN first AND last)
      ORDER BY seq`);
    const take = db.prepare<[number]>('DELETE FROM main.journal WHERE seq = ?');
    const put = db.prepare<Rest>(`
      INSERT INTO main.journal (seq, time, actor, kind, body, previous, hash)
      VALUES (:seq, :time, :actor, :kind, '', :previous, :hash)`);
    return {
      // Rows that only shrink keep their pages for themselves: SQLite gives pages free when rows are taken out.
      archived_bodies: ({ seqs }: z.infer<typeof leavingSchema>) => {
        const rows = rest.all(JSON.stringify(seqs));
        for (const { seq } of rows) take.run(seq);
        for (const row of rows) put.run(row);
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
          `archived ${counted(rows, 'quote')} of rows ${first} to ${last}, until ${utcText(lastAt)}, in ${named(file, 80)}`,
        ),
      ],
    },
  }),
  queries: (db: Database) => {
    const ends = db.prepare<[], { rows: number | null; since: number | null }>(`
      SELECT (SELECT max(seq) FROM main.journal) AS rows, (SELECT time FROM main.journal ORDER BY seq LIMIT 1) AS since`);
    const pages = (of: 'page_count' | 'freelist_count') =>
      Number(db.pragma(of, { simple: true })) * Number(db.pragma('page_size', { simple: true }));
    return {
      archives: () => archivesIn(db),
      storage(): Storage {
        const archives = archivesIn(db);
        const { rows = null, since = null } = ends.get() ?? {};
        const sum = (of: 'rows' | 'bytes') => archives.reduce((all, archive) => all + archive[of], 0);
        return {
          bytes: pages('page_count'),
          free: pages('freelist_count'),
          rows: rows ?? 0,
          since,
          archives: archives.length,
          archivedRows: sum('rows'),
          archivedBytes: sum('bytes'),
          archivedUntil: archives.at(-1)?.lastAt ?? null,
          missing: missingArchives(db),
        };
      },
    };
  },
} satisfies Slice;
