import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { headFile, readHead } from '../../electron/journal/head-file.ts';
import { verifyJournal } from '../../electron/journal/verify.ts';
import { howOften } from '../how-often.ts';
import { startChild } from '../journal/child-process.ts';
import { openTestJournal, temporaryFolder } from '../journal/fixture.ts';
import { hashOf } from '../journal/sample-events.ts';

const KILLS = howOften(4, 5);

test(`after each of ${KILLS} kills under load every answered row is there, and the chain holds`, async () => {
  const folder = temporaryFolder();
  const answered = new Map<number, number>();
  for (let round = 0; round < KILLS; round += 1) {
    const child = await startChild('append-quotes.ts', [folder, `${round}`]);
    const rows = 20 + round * 60;
    await child.line(() => child.lines.length > rows);
    await child.kill();
    for (const line of child.lines.slice(1)) {
      const [seq, number] = line.split(' ').map(Number);
      if (seq !== undefined && number !== undefined) answered.set(seq, number);
    }
    const head = readHead(headFile(folder));
    const db = new Database(join(folder, 'journal.db'), { readonly: true });
    const last = db.prepare('SELECT max(seq) FROM journal').pluck().get();
    db.close();
    expect(head?.seq).toBeLessThanOrEqual(Number(last));
    expect(head?.seq).toBeGreaterThanOrEqual(Math.max(...answered.keys()));
    expect(await verifyJournal(folder)).toMatchObject({ ok: true, total: last });
  }
  expect(answered.size).toBeGreaterThan(KILLS * 20);
  const journal = await openTestJournal(folder);
  const { rows } = await journal.read.logPage({ filter: {}, limit: 1_000_000, order: 'oldest' });
  const written = new Map(rows.map(({ seq, orderHash }) => [seq, orderHash]));
  for (const [seq, number] of answered) expect(written.get(seq)).toBe(hashOf(`order ${number}`));
});
