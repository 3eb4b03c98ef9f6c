import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { type Draft, draftSchema } from '../../contract/book.ts';
import { type GivenName, givenNameSchema, type Named } from '../../contract/given-names.ts';
import { chainIdSchema, PROGRAM, pairIdSchema } from '../../contract/names.ts';
import { inTurn, type ProjectionsOf, type Recorded, type Slice } from '../slice.ts';
import { rowsBetween } from '../time-marks.ts';
import { alarmTable, projectAlarms, readAlarms } from './alarms.ts';
import { PEOPLE_EVENTS } from './events.ts';
import { tellPeople } from './tell.ts';

const TABLES = `
CREATE TABLE drafts (
  chain_id INTEGER NOT NULL,
  pair TEXT NOT NULL,
  draft TEXT NOT NULL,
  PRIMARY KEY (chain_id, pair)
) STRICT;

CREATE TABLE settings (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;
`;

const GIVEN_NAMES = `
CREATE TABLE given_names (
  of TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  since INTEGER NOT NULL,
  actor TEXT NOT NULL,
  PRIMARY KEY (of, id)
) STRICT, WITHOUT ROWID;
`;

type NameEvent = Pick<Recorded<'name_given', z.infer<typeof PEOPLE_EVENTS.name_given>>, 'time' | 'actor' | 'body'>;

export function keyOfName({ of, id }: Pick<GivenName, 'of' | 'id'>): string {
  return `${of} ${id}`;
}

/** What somebody is called after they were named; undefined where the name was taken away. */
export function foldName({ time, actor, body: { of, id, name } }: NameEvent): GivenName | undefined {
  return name === null ? undefined : { of, id, name, since: time, actor };
}

function projectNames(db: Database): ProjectionsOf<Pick<typeof PEOPLE_EVENTS, 'name_given'>> {
  const save = db.prepare('INSERT OR REPLACE INTO given_names (of, id, name, since, actor) VALUES (?, ?, ?, ?, ?)');
  const erase = db.prepare<[Named['of'], string]>('DELETE FROM given_names WHERE of = ? AND id = ?');
  return {
    name_given: (event) => {
      const { of, id } = event.body;
      const after = foldName(event);
      if (after === undefined) erase.run(of, id);
      else save.run(of, id, after.name, after.since, after.actor);
    },
  };
}

const draftWriteSchema = z.object({
  table: z.literal('drafts'),
  chainId: chainIdSchema,
  pair: pairIdSchema,
  /** null takes the draft away. */
  draft: draftSchema.nullable(),
});
const settingWriteSchema = z.object({
  table: z.literal('settings'),
  key: z.string().min(1).max(200),
  /** A setting of the screen; null takes it away. */
  value: z.json().nullable(),
});

type StoredDraft = { chainId: number; pair: string; draft: Draft };

/** What people have in hand: drafts, alarms that somebody must look at, what they call others, and settings of the screen. */
export const PEOPLE = {
  events: PEOPLE_EVENTS,
  tables: ['alarms', 'given_names'],
  migrations: { 1: (db) => void db.exec(TABLES), 7: alarmTable, 14: (db) => void db.exec(GIVEN_NAMES) },
  project: (db) => inTurn(projectAlarms(db), projectNames(db)),
  plain: { drafts: draftWriteSchema, settings: settingWriteSchema },
  writePlain: (db) => {
    const saveDraft = db.prepare('INSERT OR REPLACE INTO drafts (chain_id, pair, draft) VALUES (?, ?, ?)');
    const dropDraft = db.prepare('DELETE FROM drafts WHERE chain_id = ? AND pair = ?');
    const saveSetting = db.prepare('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)');
    const dropSetting = db.prepare('DELETE FROM settings WHERE key = ?');
    return {
      drafts: ({ chainId, pair, draft }: z.infer<typeof draftWriteSchema>) =>
        void (draft === null ? dropDraft.run(chainId, pair) : saveDraft.run(chainId, pair, JSON.stringify(draft))),
      settings: ({ key, value }: z.infer<typeof settingWriteSchema>) =>
        void (value === null ? dropSetting.run(key) : saveSetting.run(key, JSON.stringify(value))),
    };
  },
  tell: tellPeople,
  queries: (db: Database) => {
    const drafts = db.prepare<[], { chainId: number; pair: string; draft: string }>(
      'SELECT chain_id AS chainId, pair, draft FROM drafts ORDER BY rowid',
    );
    const setting = db.prepare<[string], string>('SELECT value FROM settings WHERE key = ?').pluck();
    const under = db.prepare<[string, string], { key: string; value: string }>(
      'SELECT key, value FROM settings WHERE substr(key, 1, length(?)) = ?',
    );
    const rows = rowsBetween(db);
    const lastSign = db
      .prepare<[number, string], number>(
        `SELECT time FROM main.journal WHERE seq >= ? AND actor NOT IN (SELECT value FROM json_each(?))
          AND actor NOT LIKE 'prices:%' AND kind NOT IN ('desk_started', 'desk_stopped') ORDER BY seq DESC LIMIT 1`,
      )
      .pluck();
    const names = db.prepare<[], GivenName>('SELECT of, id, name, since, actor FROM given_names');
    return {
      ...readAlarms(db),
      /** One that cannot be read is left out: its user is shown by their address, as without a name. */
      givenNames: (): GivenName[] => names.all().filter((row) => givenNameSchema.safeParse(row).success),
      drafts: (): StoredDraft[] => drafts.all().map((row) => ({ ...row, draft: JSON.parse(row.draft) })),
      /** When a person wrote something last, but for starts and stops of the desk, since a time; Unix milliseconds, null where none did. */
      lastSignOfPerson: (since: number): number | null =>
        lastSign.get(rows(since, Number.MAX_SAFE_INTEGER).first, JSON.stringify(PROGRAM)) ?? null,
      setting: (key: string): unknown => {
        const text = setting.get(key);
        return text === undefined ? null : JSON.parse(text);
      },
      /** Every setting whose key begins so. */
      settingsUnder: (start: string): { key: string; value: unknown }[] =>
        under.all(start, start).map(({ key, value }) => ({ key, value: JSON.parse(value) })),
    };
  },
} satisfies Slice;
