import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { schemaVersion } from '../../electron/journal/migrate.ts';
import { migrationsOf } from '../../electron/journal/migrations.ts';
import { journalFile } from '../../electron/journal/open-database.ts';
import { SLICES } from '../../electron/journal/slices.ts';
import { verifyJournal } from '../../electron/journal/verify.ts';
import { startChild } from '../journal/child-process.ts';
import { openTestJournal, temporaryFolder } from '../journal/fixture.ts';
import { quote } from '../journal/sample-events.ts';

const ROWS = 12_000;
const KILLS = 6;
const MOST_KILLS = 60;

async function writtenFolder(): Promise<string> {
  const folder = temporaryFolder();
  const journal = await openTestJournal(folder);
  await Promise.all(Array.from({ length: ROWS }, (_, number) => journal.append(quote(number))));
  await journal.close();
  return folder;
}

/** 1 for the old schema, 2 for the new one; anything else is in between. */
function schemaOf(folder: string): number {
  const db = new Database(journalFile(folder));
  try {
    const version = schemaVersion(db);
    const isNew = db.pragma('table_info(quotes)') as { name: string }[];
    const index = db.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'quotes_by_note'").pluck().get();
    const hasNote = isNew.some(({ name }) => name === 'note');
    const noted = hasNote ? db.prepare('SELECT count(note) FROM quotes').pluck().get() : 0;
    if (version === migrationsOf(SLICES).length && !hasNote && index === 0) return 1;
    return version === migrationsOf(SLICES).length + 1 && noted === ROWS && index === 1 ? 2 : 0;
  } finally {
    db.close();
  }
}

test(`after each of ${KILLS} kills in a migration the schema is the old one or the new one, and the backup is whole`, async () => {
  const original = await writtenFolder();
  const seen = new Set<number>();
  // Where a slow machine killed only what was done already, it kills at once until one was early.
  for (let round = 0; round < KILLS || (!seen.has(1) && round < MOST_KILLS); round += 1) {
    const folder = temporaryFolder();
    for (const name of ['journal.db', 'journal.head']) copyFileSync(join(original, name), join(folder, name));
    const child = await startChild('migrate-slowly.ts', [folder]);
    // The last ones may finish, so that both sides of the commit are seen.
    if (round < KILLS - 2) await sleep(round * 28);
    else if (round < KILLS) await child.line((line) => line === 'done');
    await child.kill();

    const schema = schemaOf(folder);
    expect(schema).not.toBe(0);
    seen.add(schema);
    expect(await verifyJournal(folder)).toMatchObject({ ok: true, total: ROWS });
    const backup = `${journalFile(folder)}.before-schema-${migrationsOf(SLICES).length + 1}`;
    if (existsSync(backup)) {
      const restored = temporaryFolder();
      copyFileSync(backup, journalFile(restored));
      expect(schemaOf(restored)).toBe(1);
    } else {
      expect(schema).toBe(1);
    }
    const again = await startChild('migrate-slowly.ts', [folder]);
    await again.line((line) => line === 'done');
    await again.kill();
    expect(schemaOf(folder)).toBe(2);
  }
  expect([...seen].sort()).toEqual([1, 2]);
});
