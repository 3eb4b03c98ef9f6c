import type { Database } from 'better-sqlite3';
import { projectedTables } from '../../electron/journal/migrations.ts';
import { SLICES } from '../../electron/journal/slices.ts';

/** Every row of every projected table. */
export function tableContents(db: Database): Record<string, unknown[]> {
  const columns = (table: string) => (db.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
  const rows = (table: string) => db.prepare(`SELECT * FROM ${table} ORDER BY ${columns(table).join(', ')}`).all();
  return Object.fromEntries(projectedTables(SLICES).map((table) => [table, rows(table)]));
}
