import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { journalFile } from '../../electron/journal/open-database.ts';
import { verifyJournal } from '../../electron/journal/verify.ts';
import { howOften } from '../how-often.ts';
import { startChild } from '../journal/child-process.ts';
import { openTestJournal, temporaryFolder } from '../journal/fixture.ts';
import { quote, REFUSED, START } from '../journal/sample-events.ts';

const KILLS = howOften(1, 6);
const DAY = 86_400_000;
const OLD = 1_500;
const BEFORE = START - 2.5 * DAY;
const ALL = { filter: {}, limit: 100_000, order: 'oldest' as const };

/** A journal with quotes of three days ago, and what stays whatever is archived. */
async function writtenFolder() {
  const folder = temporaryFolder();
  const journal = await openTestJournal(folder);
  const old = Array.from({ length: OLD }, (_, index) => quote(index + 1, REFUSED, START - 3 * DAY + index));
  const later = Array.from({ length: 2_100 }, (_, index) => quote(index + 1, REFUSED, START - 2 * DAY + index));
  await Promise.all([...old, ...later, quote(1, REFUSED)].map((event) => journal.append(event)));
  const { rows } = await journal.read.logPage(ALL);
  await journal.close();
  return { folder, rows };
}

function leftOut(folder: string): number {
  const db = new Database(journalFile(folder));
  try {
    return db.prepare<[], number>("SELECT count(*) FROM journal WHERE body = ''").pluck().get() ?? 0;
  } finally {
    db.close();
  }
}

test(
  `after each of ${KILLS} kills while it is archived the journal is whole, and archiving goes on to its end`,
  async () => {
    const original = await writtenFolder();
    for (let round = 0; round < KILLS; round += 1) {
      const folder = temporaryFolder();
      for (const name of ['journal.db', 'journal.head']) copyFileSync(join(original.folder, name), join(folder, name));
      const child = await startChild('archive-quotes.ts', [folder, `${BEFORE}`]);
      await sleep(((round * 7) % 20) * 25); // wherever that is: nothing depends on it
      await child.kill();
      const written = Number(child.lines.findLast((line) => line.startsWith('row '))?.slice(4) ?? 0);

      expect(await verifyJournal(folder)).toMatchObject({ ok: true });
      const journal = await openTestJournal(folder);
      expect(journal.doubts).toEqual([]);
      expect(journal.head().seq).toBeGreaterThanOrEqual(written);
      expect((await journal.read.logPage(ALL)).rows.slice(0, original.rows.length)).toEqual(original.rows);
      await journal.archive(BEFORE, 'desk', false);
      expect((await journal.read.logPage(ALL)).rows.slice(0, original.rows.length)).toEqual(original.rows);
      await journal.close();
      expect(leftOut(folder)).toBe(OLD);
      expect(await verifyJournal(folder)).toMatchObject({ ok: true });
      const files = existsSync(join(folder, 'archive')) ? readdirSync(join(folder, 'archive')) : [];
      expect(files.filter((name) => name.endsWith('.gz'))).toHaveLength(1);
    }
  },
  KILLS * 300_000,
);
