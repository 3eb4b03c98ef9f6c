import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { type Approval, approvalSchema, type FourEyesKind, fourEyesKindSchema } from '../../contract/approvals.ts';
import type { DESK_EVENTS } from '../desk/events.ts';
import type { ProjectionsOf, Slice } from '../slice.ts';
import { APPROVAL_EVENTS } from './events.ts';
import { type ApprovalEvent, foldApproval, type StoredApproval } from './fold.ts';
import { tellApprovals } from './tell.ts';

const TABLES = `
-- What takes a second person.
CREATE TABLE four_eyes (kind TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

-- What waits, or waited, for a second person, by the row that it was asked with.
CREATE TABLE approvals (
  seq INTEGER PRIMARY KEY,
  approval TEXT NOT NULL,
  -- 1 once it is over.
  ended INTEGER NOT NULL
) STRICT;
CREATE INDEX approvals_open ON approvals (seq) WHERE ended = 0;
`;

const storedSchema = approvalSchema.extend({
  input: z.string(),
  mark: z.string(),
  version: z.string().optional(),
});

function project(db: Database): ProjectionsOf<typeof APPROVAL_EVENTS & Pick<typeof DESK_EVENTS, 'token_revoked'>> {
  const forget = db.prepare('DELETE FROM four_eyes');
  const set = db.prepare('INSERT INTO four_eyes (kind) VALUES (?)');
  const of = db.prepare<[number], string>('SELECT approval FROM approvals WHERE seq = ?').pluck();
  const open = db.prepare<[], string>('SELECT approval FROM approvals WHERE ended = 0 ORDER BY seq').pluck();
  const save = db.prepare('INSERT OR REPLACE INTO approvals (seq, approval, ended) VALUES (?, ?, ?)');
  const fold = (text: string | undefined, event: ApprovalEvent) => {
    const before: StoredApproval | undefined = text === undefined ? undefined : JSON.parse(text);
    const after = foldApproval(before, event);
    if (after === undefined || after === before) return;
    save.run(after.seq, JSON.stringify(after), after.ended === null ? 0 : 1);
  };
  return {
    four_eyes_set: ({ body: { kinds } }) => {
      forget.run();
      for (const kind of kinds) set.run(kind);
    },
    approval_asked: (event) => fold(of.get(event.seq), event),
    approval_given: (event) => fold(of.get(event.body.request), event),
    approval_ended: (event) => fold(of.get(event.body.request), event),
    token_revoked: (event) => {
      for (const text of open.all()) fold(text, event);
    },
  };
}

/** What takes a second person, and what waited for one. */
export const APPROVALS = {
  events: APPROVAL_EVENTS,
  tables: ['four_eyes', 'approvals'],
  migrations: { 18: (db) => void db.exec(TABLES) },
  project,
  tell: tellApprovals,
  queries: (db: Database) => {
    const kinds = db.prepare<[], string>('SELECT kind FROM four_eyes ORDER BY kind').pluck();
    const open = db.prepare<[], string>('SELECT approval FROM approvals WHERE ended = 0 ORDER BY seq').pluck();
    const past = db
      .prepare<[number], string>('SELECT approval FROM approvals WHERE ended = 1 ORDER BY seq DESC LIMIT ?')
      .pluck();
    // One that cannot be read is approved by nobody, and takes no other along.
    const read = <Row>(schema: z.ZodType<Row>, text: string): Row[] => {
      try {
        return [schema.parse(JSON.parse(text))];
      } catch {
        return [];
      }
    };
    return {
      fourEyes: (): FourEyesKind[] => kinds.all().flatMap((kind) => fourEyesKindSchema.safeParse(kind).data ?? []),
      /** What is not over, oldest first. */
      openApprovals: (): StoredApproval[] => open.all().flatMap((text) => read(storedSchema, text)),
      /** What is over, newest first. */
      pastApprovals: (limit: number): Approval[] => past.all(limit).flatMap((text) => read(approvalSchema, text)),
    };
  },
} satisfies Slice;
