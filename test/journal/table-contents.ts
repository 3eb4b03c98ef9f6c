import type { Database } from 'better-sqlite3';
import { PROJECTED_TABLES } from '../../electron/journal/migrations.ts';

/** Every row of every projected table. */
export function tableContents(db: Database): Record<string, unknown[]> {
  const columns = (table: string) => (db.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
  const rows = (table: string) => db.prepare(`SELECT * FROM ${table} ORDER BY ${columns(table).join(', ')}`).all();
  return Object.fromEntries(PROJECTED_TABLES.map((table) => [table, rows(table)]));
}
