import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { NewEvent } from '../../electron/journal/events.ts';
import { HeadFile, readHead } from '../../electron/journal/head-file.ts';
import { rebuildTables } from '../../electron/journal/rebuild-tables.ts';
import { rowHash } from '../../electron/journal/row-hash.ts';
import { type JournalRow, selectRows } from '../../electron/journal/rows.ts';
import { RowMarks } from '../../electron/journal/table-proof.ts';
import { type Verification, verifyJournal } from '../../electron/journal/verify.ts';
import { verifyRange } from '../../electron/journal/verify-range.ts';
import { howOften } from '../how-often.ts';
import { openTestJournal, temporaryFolder } from './fixture.ts';
import { randomNumbers } from './random-numbers.ts';
import { cancel, configured, fill, quote, quoteBody, REFUSED, START } from './sample-events.ts';

const ROWS = 204;

/** A closed journal with every common kind of row. */
async function writtenFolder(): Promise<string> {
  const folder = temporaryFolder();
  const journal = await openTestJournal(folder);
  const quotes = Array.from({ length: 200 }, (_, number) => quote(number, number % 9 === 0 ? REFUSED : {}));
  const body = quoteBody(300, { pair: null, side: null, expiry: Math.floor(START / 1_000) + 86_400 });
  const byHand: NewEvent = { time: START, actor: 'mara', kind: 'nft_order', body };
  const events = [configured(), ...quotes, byHand, fill(1, 1), cancel(2, 2)];
  await Promise.all(events.map((event) => journal.append(event)));
  await journal.close();
  return folder;
}

/** Of the chain alone. */
function firstBadOf(db: Database.Database): number | null {
  return verifyRange(db, { from: 1, to: ROWS, slices: [], marks: RowMarks.upTo(ROWS) }, () => {}).firstBad;
}

async function verifyAfter(tamper: (db: Database.Database, folder: string) => void): Promise<Verification> {
  const folder = await writtenFolder();
  const db = new Database(join(folder, 'journal.db'));
  tamper(db, folder);
  db.close();
  return verifyJournal(folder);
}

test('an untouched journal verifies, and progress reaches the end', async () => {
  const seen: { checked: number; total: number }[] = [];
  const folder = await writtenFolder();
  expect(await verifyJournal(folder, (progress) => seen.push(progress))).toMatchObject({ ok: true, total: ROWS });
  expect(seen.at(-1)).toEqual({ checked: ROWS, total: ROWS });
});

test('a journal verifies while it is written to', async () => {
  const folder = temporaryFolder();
  const journal = await openTestJournal(folder);
  const appends = Array.from({ length: 3_000 }, (_, number) => journal.append(quote(number)));
  await appends[500];
  expect(await verifyJournal(folder)).toMatchObject({ ok: true });
  await Promise.all(appends);
});

test('any one byte changed in any column of any row is found, at that row', async () => {
  const folder = await writtenFolder();
  const db = new Database(join(folder, 'journal.db'));
  const random = randomNumbers(19);
  const columns = ['time', 'actor', 'kind', 'body', 'previous', 'hash'] as const;
  const rounds = howOften(200, 1_500);
  for (let round = 0; round < rounds; round += 1) {
    const seq = 1 + random(ROWS);
    const column = columns[random(columns.length)] ?? 'body';
    db.exec('BEGIN');
    const old: unknown = db.prepare(`SELECT ${column} FROM journal WHERE seq = ?`).pluck().get(seq);
    db.prepare(`UPDATE journal SET ${column} = ? WHERE seq = ?`).run(changed(old, random), seq);
    expect([column, firstBadOf(db)]).toEqual([column, seq]);
    db.exec('ROLLBACK');
  }
  expect(firstBadOf(db)).toBeNull();
  db.close();
});

function changed(old: unknown, random: (below: number) => number): unknown {
  if (typeof old === 'number') return old + 1 + random(1_000);
  const bytes = Buffer.from(old instanceof Buffer ? old : String(old));
  const at = random(bytes.length);
  // Stays ASCII, so that text stays text.
  const byte = bytes[at] ?? 0;
  bytes[at] = old instanceof Buffer ? byte ^ (1 << random(8)) : 33 + ((byte - 33 + 1 + random(93)) % 94);
  return old instanceof Buffer ? bytes : bytes.toString('latin1');
}

test('any one byte changed in the file within the text of a row is found', async () => {
  const folder = await writtenFolder();
  const file = join(folder, 'journal.db');
  const db = new Database(file);
  const signed = selectRows(db)
    .all(1, ROWS)
    .filter(({ body }) => body.includes('"orderHash":"0x'));
  db.close();
  const whole = readFileSync(file);
  const random = randomNumbers(7);
  const rounds = howOften(60, 500);
  for (let round = 0; round < rounds; round += 1) {
    const row = signed[random(signed.length)];
    const place = row?.body.indexOf('"orderHash"') ?? 0;
    // This stretch is in one row only, but remains of it may lie in unused parts of other pages.
    const stretch = Buffer.from(row?.body.slice(place, place + 150) ?? '');
    const damaged = Buffer.from(whole);
    const [offset, bit] = [random(150), 1 << random(8)];
    for (let start = whole.indexOf(stretch); start >= 0; start = whole.indexOf(stretch, start + 1)) {
      damaged[start + offset] = (damaged[start + offset] ?? 0) ^ bit;
    }
    const copy = join(folder, 'copy.db');
    writeFileSync(copy, damaged);
    const read = new Database(copy, { readonly: true });
    expect(firstBadOf(read)).toBe(row?.seq);
    read.close();
  }
});

test('random bytes anywhere in the file never bring verifying down', async () => {
  const folder = await writtenFolder();
  const file = join(folder, 'journal.db');
  const whole = readFileSync(file);
  const random = randomNumbers(3);
  for (let round = 0; round < 12; round += 1) {
    const damaged = Buffer.from(whole);
    for (let count = 0; count < 400; count += 1) damaged[random(damaged.length)] = random(256);
    writeFileSync(file, damaged);
    expect(await verifyJournal(folder)).toMatchObject({ ok: false });
  }
});

test('a row taken out is found', async () => {
  const result = await verifyAfter((db) => db.exec('DELETE FROM journal WHERE seq = 77'));
  expect(result).toMatchObject({ ok: false, firstBad: 77, detail: 'Row 77 is missing.' });
});

test('a row taken out and the others moved up is found', async () => {
  const result = await verifyAfter((db) => {
    db.exec('DELETE FROM journal WHERE seq = 77');
    for (let seq = 78; seq <= ROWS; seq += 1) db.exec(`UPDATE journal SET seq = ${seq - 1} WHERE seq = ${seq}`);
  });
  expect(result).toMatchObject({ ok: false, firstBad: 77 });
});

test('a row put in between is found', async () => {
  const result = await verifyAfter((db) => {
    for (let seq = ROWS; seq >= 77; seq -= 1) db.exec(`UPDATE journal SET seq = ${seq + 1} WHERE seq = ${seq}`);
    db.exec('INSERT INTO journal SELECT 77, time, actor, kind, body, previous, hash FROM journal WHERE seq = 76');
  });
  expect(result).toMatchObject({ ok: false, firstBad: 77 });
});

test('two rows that changed places are found', async () => {
  const result = await verifyAfter((db) => {
    for (const [from, to] of [
      [50, 0],
      [120, 50],
      [0, 120],
    ])
      db.exec(`UPDATE journal SET seq = ${to} WHERE seq = ${from}`);
  });
  expect(result).toMatchObject({ ok: false, firstBad: 50 });
});

test('a cut tail is found, however long, and speaks against the journal in the same words until a row was written', async () => {
  for (const cut of [1, 2, 150, ROWS]) {
    const folder = await writtenFolder();
    const db = new Database(join(folder, 'journal.db'));
    db.exec(`DELETE FROM journal WHERE seq > ${ROWS - cut}`);
    db.close();
    const found = await verifyJournal(folder);
    expect(found).toMatchObject({ ok: false, firstBad: ROWS - cut + 1, total: ROWS });
    expect(found.detail).toContain(`row ${ROWS} was written`);
    for (const time of ['first', 'second']) {
      const journal = await openTestJournal(folder);
      expect([time, ...journal.doubts]).toEqual([time, found.detail]);
      await journal.close();
    }
  }
});

test('a changed row that was given a fitting hash is found at the row after it', async () => {
  const result = await verifyAfter((db) => {
    const [row] = selectRows(db).all(77, 77);
    if (row === undefined) throw new Error('row 77 is missing');
    const hash = rowHash({ ...row, actor: 'nobody' });
    db.prepare("UPDATE journal SET actor = 'nobody', hash = unhex(?) WHERE seq = 77").run(hash);
  });
  expect(result).toMatchObject({ ok: false, firstBad: 78 });
});

test('a tail that was written anew is found, and speaks against the journal', async () => {
  const folder = await writtenFolder();
  const db = new Database(join(folder, 'journal.db'));
  forgeFrom(db, 150);
  db.close();
  const detail = expect.stringContaining(`Row ${ROWS} of the journal is not`);
  expect(await verifyJournal(folder)).toMatchObject({ ok: false, firstBad: ROWS, detail });
  expect((await openTestJournal(folder)).doubts).toEqual([detail]);
});

/** Changes one row and then gives it and all later ones hashes that fit. */
function forgeFrom(db: Database.Database, seq: number): void {
  const [before, ...rows] = selectRows(db).all(seq - 1, ROWS);
  const save = db.prepare('UPDATE journal SET actor = ?, previous = unhex(?), hash = unhex(?) WHERE seq = ?');
  let previous = before?.hash ?? '';
  for (const row of rows) {
    const forged: JournalRow = { ...row, actor: row.seq === seq ? 'nobody' : row.actor, previous };
    forged.hash = rowHash(forged);
    save.run(forged.actor, forged.previous, forged.hash, forged.seq);
    previous = forged.hash;
  }
}

test('without journal.head the end cannot be vouched for, and the next row writes it anew', async () => {
  const folder = await writtenFolder();
  rmSync(join(folder, 'journal.head'));
  expect(await verifyJournal(folder)).toMatchObject({ ok: false, firstBad: null });
  await (await openTestJournal(folder)).close();
  expect(await verifyJournal(folder)).toMatchObject({ ok: false, firstBad: null });
  const again = await openTestJournal(folder);
  expect(again.doubts).toEqual([expect.stringContaining('journal.head')]);
  await again.append(quote(5_000));
  await again.close();
  expect(await verifyJournal(folder)).toMatchObject({ ok: true });
});

test('a head of which one slot is spoilt is still known', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'journal.head');
  const head = (seq: number) => ({ seq, hash: `${seq}`.padStart(64, '0') });
  const written = new HeadFile(file, head(1));
  written.write(head(2));
  written.write(head(3));
  written.close();
  expect(readHead(file)).toEqual(head(3));
  const whole = readFileSync(file);
  for (const slot of [0, 128]) {
    const torn = Buffer.from(whole);
    torn.fill(0, slot + 20, slot + 60);
    writeFileSync(file, torn);
    expect(readHead(file)?.seq).toBeGreaterThanOrEqual(2);
  }
  writeFileSync(file, 'nothing');
  expect(readHead(file)).toBeNull();
});

test('tables without a row for each event are found', async () => {
  const result = await verifyAfter((db) => db.exec('DELETE FROM fills'));
  expect(result).toMatchObject({ ok: false, firstBad: null });
  expect(result.detail).toContain('fill');
});

test('a folder without a journal, and a file that is none, are sentences', async () => {
  const folder = temporaryFolder();
  expect(await verifyJournal(folder)).toMatchObject({ ok: false, total: 0, firstBad: null });
  copyFileSync(process.execPath, join(folder, 'journal.db'));
  expect(await verifyJournal(folder)).toMatchObject({ ok: false, firstBad: null });
});

test('tables that do not say what the rows say are made anew, and only while no desk runs and the rows hold', async () => {
  const folder = await writtenFolder();
  const tamper = (what: string) => {
    const db = new Database(join(folder, 'journal.db'));
    db.exec(what);
    db.close();
  };
  tamper(`UPDATE quotes SET state = 'expired' WHERE order_hash IS NOT NULL; DELETE FROM fills`);
  expect(await verifyJournal(folder)).toMatchObject({ ok: false });
  expect(await rebuildTables(folder)).toBe(ROWS);
  expect(await verifyJournal(folder)).toMatchObject({ ok: true, total: ROWS });
  const open = await openTestJournal(folder);
  await expect(rebuildTables(folder)).rejects.toMatchObject({ code: 'folder_locked' });
  await open.close();
  tamper(
    `UPDATE journal SET actor = 'somebody' WHERE seq = 7; UPDATE quotes SET state = 'expired' WHERE order_hash IS NOT NULL`,
  );
  await expect(rebuildTables(folder)).rejects.toMatchObject({ code: 'journal_broken' });
  await expect(rebuildTables(temporaryFolder())).rejects.toMatchObject({ code: 'journal_missing' });
});
