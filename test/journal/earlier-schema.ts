import Database from 'better-sqlite3';
import { migrate } from '../../electron/journal/migrate.ts';
import { migrationsOf } from '../../electron/journal/migrations.ts';
import { SLICES } from '../../electron/journal/slices.ts';

/** Takes whatever came with later schemas out of a journal. Returns the names of it. */
export function bringBack(db: Database.Database, schema: number): string[] {
  const before = new Database(':memory:');
  migrate(before, ':memory:', migrationsOf(SLICES).slice(0, schema));
  const known = new Set(partsOf(before).map(({ name }) => name));
  before.close();
  const later = partsOf(db).filter(({ name }) => !known.has(name));
  for (const { type, name } of later) db.exec(`DROP ${type} IF EXISTS ${name}`);
  db.pragma(`user_version = ${schema}`);
  return later.map(({ name }) => name);
}

function partsOf(db: Database.Database): { type: string; name: string }[] {
  return db
    .prepare<[], { type: string; name: string }>(
      "SELECT type, name FROM main.sqlite_schema WHERE name NOT LIKE 'sqlite_%'",
    )
    .all();
}
