import type { Database } from 'better-sqlite3';
import { projectStops } from './project-stops.ts';

const TABLES = `
-- Every stop of a scope by the row that began it, until the row that ended it; chain_id 0, pair '' and side '' stand for all of them.
CREATE TABLE stops (
  id INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL,
  chain_id INTEGER NOT NULL,
  pair TEXT NOT NULL,
  side TEXT NOT NULL,
  ended_seq INTEGER
) STRICT;
CREATE UNIQUE INDEX stops_open ON stops (chain_id, pair, side) WHERE ended_seq IS NULL;
CREATE INDEX stops_wide ON stops (id) WHERE pair = '';

-- Rows that said more of a stop: halted again, the drain is over, why.
CREATE TABLE stop_words (
  stop_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (stop_id, seq)
) STRICT, WITHOUT ROWID;
`;

type Row = { seq: number; kind: keyof ReturnType<typeof projectStops>; body: string };

/** Stops, with those that are in the journal already. */
export function pastStops(db: Database): void {
  db.exec(TABLES);
  const project = projectStops(db);
  const rows = db.prepare<[number], Row>(`
    SELECT seq, kind, body FROM journal
    WHERE seq > ? AND kind IN ('trading_state', 'stop_explained', 'desk_configured') ORDER BY seq LIMIT 100`);
  for (let chunk = rows.all(0); chunk.length > 0; chunk = rows.all(chunk.at(-1)?.seq ?? 0)) {
    // The kind chooses the body's schema, which the compiler cannot follow through a lookup.
    for (const { seq, kind, body } of chunk) project[kind]({ seq, body: JSON.parse(body) } as never);
  }
}
