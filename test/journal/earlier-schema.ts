import Database from 'better-sqlite3';
import { migrate } from '../../electron/journal/migrate.ts';
import { migrationsOf } from '../../electron/journal/migrations.ts';
import { SLICES } from '../../electron/journal/slices.ts';

/** Takes whatever came with later schemas out of a journal. Returns the names of it. */
export function bringBack(db: Database.Database, schema: number): string[] {
  const before = new Database(':memory:');
  migrate(before, ':memory:', migrationsOf(SLICES).slice(0, schema));
  const known = new Set(partsOf(before).map(({ name }) => name));
  const later = partsOf(db).filter(({ name }) => !known.has(name));
  for (const { type, name } of later) db.exec(`DROP ${type} IF EXISTS ${name}`);
  for (const { type, name } of partsOf(before)) {
    const columns = columnsOf(before, name);
    if (type === 'table' && columnsOf(db, name).some((column) => !columns.includes(column))) {
      takeColumns(db, { name, columns, sql: sqlOf(before, name) });
    }
  }
  before.close();
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

function columnsOf(db: Database.Database, table: string): string[] {
  return db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table);
}

function sqlOf(db: Database.Database, table: string): string {
  return db.prepare<[string], string>('SELECT sql FROM sqlite_schema WHERE name = ?').pluck().get(table) ?? '';
}

/** Makes a table anew with these columns only: `DROP COLUMN` is not possible beside the views of a journal with archives. */
function takeColumns(db: Database.Database, { name, columns, sql }: { name: string; columns: string[]; sql: string }) {
  const listed = columns.join(', ');
  db.exec(`CREATE TEMP TABLE kept AS SELECT ${listed} FROM main.${name}; DROP TABLE main.${name}; ${sql};
    INSERT INTO main.${name} (${listed}) SELECT ${listed} FROM temp.kept; DROP TABLE temp.kept`);
}
