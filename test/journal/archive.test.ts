import fs, {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { EventFilter } from '../../electron/contract/journal.ts';
import type { QuoteRow } from '../../electron/contract/quote-log.ts';
import { archiveRows } from '../../electron/journal/archivable-rows.ts';
import { ArchiveFile, ArchiveWriter } from '../../electron/journal/archive-file.ts';
import { openFollowedJournal } from '../../electron/journal/followed-journal.ts';
import { type Journal, openJournal } from '../../electron/journal/journal.ts';
import { journalFile, openForReading } from '../../electron/journal/open-database.ts';
import { putBackJournal } from '../../electron/journal/put-back.ts';
import { rebuildTables } from '../../electron/journal/rebuild-tables.ts';
import type { Replica } from '../../electron/journal/replica.ts';
import { SLICES } from '../../electron/journal/slices.ts';
import { verifyJournal } from '../../electron/journal/verify.ts';
import { openTestJournal, temporaryFolder } from './fixture.ts';
import { CHAIN, cancel, fill, hashOf, quote, quoteBody, REFUSED, START } from './sample-events.ts';

const DAY = 86_400_000;
/** Old rows, and so many later ones that the old ones are no part of the end, which is never archived. */
const [OLD, LATER] = [300, 2_100];
const BEFORE = START - 2.5 * DAY;
const OPEN = 7;
const FILLED = 9;

/** A journal with quotes of three days ago, one of them open and one filled, and many of now. */
async function oldJournal(folder = temporaryFolder()): Promise<{ folder: string; journal: Journal }> {
  const journal = await openTestJournal(folder);
  const old = Array.from({ length: OLD }, (_, index) => {
    const number = index + 1;
    return quote(number, number % 3 === 0 && number !== FILLED ? REFUSED : {}, START - 3 * DAY + number);
  });
  const seqs = await Promise.all(old.map((event) => journal.append(event)));
  await journal.append({ ...fill(FILLED, 1), time: START - 3 * DAY + OLD });
  const over = seqs.filter((seq) => seq !== OPEN && (seq % 3 !== 0 || seq === FILLED));
  const end = { chainId: CHAIN, quoteSeqs: over };
  await journal.append({ time: START - 3 * DAY + OLD, actor: 'desk', kind: 'quotes_expired', body: end });
  await Promise.all(
    Array.from({ length: LATER }, (_, index) =>
      journal.append(quote(OLD + 1 + index, REFUSED, START - 2 * DAY + index)),
    ),
  );
  await journal.append(quote(80_000));
  return { folder, journal };
}

function inFile<T>(folder: string, read: (db: Database.Database) => T): T {
  const db = new Database(journalFile(folder));
  try {
    return read(db);
  } finally {
    db.close();
  }
}

/** The rows whose bodies are not in the journal. */
const leftOut = (folder: string) =>
  inFile(folder, (db) => db.prepare<[], number>("SELECT seq FROM journal WHERE body = ''").pluck().all());

/** Writes other bytes over the archive of a folder, as many as there were. */
function spoil(folder: string): void {
  const path = join(folder, 'archive', filesOf(folder)[0] ?? '');
  writeFileSync(path, Buffer.alloc(statSync(path).size, 7));
}

const pagesInUse = (folder: string) =>
  inFile(
    folder,
    (db) => Number(db.pragma('page_count', { simple: true })) - Number(db.pragma('freelist_count', { simple: true })),
  );

const filesOf = (folder: string) => readdirSync(join(folder, 'archive'));

async function wholeLog(journal: Journal): Promise<QuoteRow[]> {
  return (await journal.read.logPage({ filter: {}, limit: 10_000, order: 'oldest' })).rows;
}

test('what was archived is read as before: log, filters, details, events, verify and rebuild; what is open stays', async () => {
  const { folder, journal } = await oldJournal();
  const size = { chainId: CHAIN, address: quoteAddress(await wholeLog(journal)), min: '1' };
  const asked = async () => ({
    log: await wholeLog(journal),
    sized: (await journal.read.logPage({ filter: { size: [size] }, limit: 10_000 })).rows,
    detail: await journal.read.quoteByHash(CHAIN, hashOf(`order ${FILLED}`)),
    event: await journal.read.eventAt(5),
    open: await journal.read.openQuotes(),
    signed: await journal.read.signedSince(START - 4 * DAY, 0, 10_000),
    proven: await journal.read.provenOpenQuotes(START),
  });
  const before = await asked();
  const pages = pagesInUse(folder);
  const done = await journal.archive(BEFORE, 'mara', false);
  expect(done).toMatchObject({ rows: OLD - 1, files: 1, until: START - 3 * DAY + OLD });
  expect(leftOut(folder)).toHaveLength(OLD - 1);
  expect(leftOut(folder)).not.toContain(OPEN);
  // The pages that the bodies took are free for others.
  expect(pagesInUse(folder)).toBeLessThan(pages - OLD / 6);
  expect(await asked()).toEqual(before);
  expect(await verifyJournal(folder)).toMatchObject({ ok: true });
  const { free, ...storage } = await journal.read.storage();
  expect(free).toBeGreaterThan(0);
  expect(storage).toMatchObject({ since: START - 3 * DAY + 1, archivedRows: OLD - 1, archives: 1, missing: [] });
  expect(await journal.archive(BEFORE, 'mara', false)).toMatchObject({ rows: 0, files: 0 });
  await journal.close();

  await rebuildTables(folder);
  const again = await openTestJournal(folder);
  expect(again.doubts).toEqual([]);
  expect(await wholeLog(again)).toEqual(before.log);
  expect(await again.read.quoteByHash(CHAIN, hashOf(`order ${FILLED}`))).toEqual(before.detail);
});

function quoteAddress(rows: QuoteRow[]) {
  const [row] = rows;
  if (row === undefined) throw new Error('no row');
  return row.makerAsset;
}

test('an archive is a gzip file with a line for each row, that only its owner reads', async () => {
  const { folder, journal } = await oldJournal();
  const row = await journal.read.eventAt(1);
  await journal.archive(BEFORE, 'mara', false);
  const [file = ''] = filesOf(folder);
  const path = join(folder, 'archive', file);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const [line = ''] = gunzipSync(readFileSync(path)).toString().split('\n');
  expect(line.split('\t')[0]).toBe('1');
  expect(JSON.parse(line.slice(line.indexOf('\t')))).toMatchObject({ makerAmount: '10000' });
  expect(row?.holds).toBe(true);
});

test('an archive that is missing or changed is named by its file and its rows, and takes nothing else along', async () => {
  const { folder, journal } = await oldJournal();
  await journal.archive(BEFORE, 'mara', false);
  await journal.close();
  const [file = ''] = filesOf(folder);
  const path = join(folder, 'archive', file);
  const named = new RegExp(`${file} \\(rows 1 to \\d+, of 2026-10-29T.* to 2026-10-29T.*\\) is missing`);
  renameSync(path, `${path}.gone`);
  expect(await verifyJournal(folder)).toMatchObject({ ok: false, firstBad: 1, detail: expect.stringMatching(named) });
  const opened = await openTestJournal(folder);
  const rows = await wholeLog(opened);
  expect(rows).toHaveLength(OLD + LATER + 1);
  expect(rows[0]?.unreadable).toMatch(named);
  expect(rows[OPEN - 1]?.unreadable).toBeUndefined();
  expect(rows.at(-1)?.unreadable).toBeUndefined();
  expect((await opened.read.eventAt(1))?.row.unreadable).toMatch(named);
  expect(await opened.append(quote(90_000))).toBeGreaterThan(OLD + LATER);
  expect((await opened.read.provenOpenQuotes(START)).faults).toEqual([]);

  renameSync(`${path}.gone`, path);
  expect((await wholeLog(opened))[0]?.unreadable).toBeUndefined();
  await opened.close();
  const bytes = readFileSync(path);
  bytes[40] = (bytes[40] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  expect(await verifyJournal(folder)).toMatchObject({ ok: false, detail: expect.stringContaining(`${file} (rows 1`) });
});

test('what broke off before its bodies left the journal is carried on, and nothing leaves it that the file does not have', async () => {
  const { folder, journal } = await oldJournal();
  await journal.archive(BEFORE, 'mara', false);
  await journal.close();
  const [file = ''] = filesOf(folder);
  const whole = await bodies(folder);
  // As a kill leaves it: the row that names the file is there, and some of the bodies are still in the journal.
  inFile(folder, (db) => {
    const put = db.prepare('UPDATE journal SET body = ? WHERE seq = ?');
    for (const seq of [20, 21, 22]) put.run(whole.get(seq) ?? '', seq);
    put.run(`${whole.get(30)?.slice(0, -1)},"more":1}`, 30);
  });
  const again = await openTestJournal(folder);
  await expect(again.archive(BEFORE, 'mara', false)).rejects.toMatchObject({
    code: 'archive_failed',
    message: expect.stringContaining('row 30'),
  });
  expect(leftOut(folder)).not.toContain(20);
  inFile(folder, (db) => db.prepare('UPDATE journal SET body = ? WHERE seq = 30').run(whole.get(30) ?? ''));
  expect(await again.archive(BEFORE, 'mara', false)).toMatchObject({ rows: 0 });
  expect(leftOut(folder)).toHaveLength(OLD - 1);
  expect(filesOf(folder)).toEqual([file]);
});

/** Bodies by row, as an archive has them. */
async function bodies(folder: string): Promise<Map<number, string>> {
  const [file = ''] = filesOf(folder);
  const lines = gunzipSync(readFileSync(join(folder, 'archive', file)))
    .toString()
    .trimEnd()
    .split('\n');
  return new Map(lines.map((line) => [Number(line.split('\t')[0]), line.slice(line.indexOf('\t') + 1)]));
}

test('where no file can be written nothing changes, and the journal goes on', async () => {
  const { folder, journal } = await oldJournal();
  writeFileSync(join(folder, 'archive'), 'no folder');
  await expect(journal.archive(BEFORE, 'mara', false)).rejects.toMatchObject({ code: 'archive_failed' });
  expect(leftOut(folder)).toEqual([]);
  rmSync(join(folder, 'archive'));
  expect(await journal.archive(BEFORE, 'mara', false)).toMatchObject({ rows: OLD - 1 });
  expect(await verifyJournal(folder)).toMatchObject({ ok: true });
});

test('a backup has the archives beside it, and putting it back brings them along or says which are missing', async () => {
  const { folder, journal } = await oldJournal();
  const whole = await wholeLog(journal);
  await journal.archive(BEFORE, 'mara', false);
  const place = temporaryFolder();
  const backup = join(place, 'backup.db');
  expect(await journal.backup(backup)).toMatchObject({ archives: 1, missing: [] });
  expect(filesOf(place)).toEqual(filesOf(folder));

  const restored = temporaryFolder();
  expect(await putBackJournal(restored, backup, START)).toMatchObject({ missing: [] });
  const second = await openJournal({ folder: restored, now: () => START });
  expect(await wholeLog(second)).toEqual(whole);
  await second.close();

  const files = filesOf(place);
  rmSync(join(place, 'archive'), { recursive: true });
  const poorer = temporaryFolder();
  expect(await putBackJournal(poorer, backup, START)).toMatchObject({ missing: files });
  rmSync(join(folder, 'archive'), { recursive: true });
  expect(await journal.backup(join(place, 'other.db'))).toMatchObject({ archives: 0, missing: files });
  expect(existsSync(join(place, 'archive'))).toBe(false);
});

test('a backup in which a body is empty that no archive has is not put back', async () => {
  const { journal } = await oldJournal();
  await journal.archive(BEFORE, 'mara', false);
  const backedUp = async () => {
    const file = join(temporaryFolder(), 'backup.db');
    await journal.backup(file);
    return file;
  };
  for (const condition of [`seq = ${OPEN}`, "kind = 'fill'"]) {
    const backup = await backedUp();
    const db = new Database(backup);
    expect(db.prepare(`UPDATE journal SET body = '' WHERE ${condition}`).run().changes).toBe(1);
    db.close();
    await expect(putBackJournal(temporaryFolder(), backup, START)).rejects.toMatchObject({ code: 'journal_broken' });
  }
});

test('a bit flipped in an archive beside backups is mended by the next backup; one that is whole nowhere is named, and hinders no backup', async () => {
  const { folder, journal } = await oldJournal();
  await journal.archive(BEFORE, 'mara', false);
  const whole = await wholeLog(journal);
  const place = temporaryFolder();
  const files = filesOf(folder);
  const flip = (inFolder: string) => {
    const path = join(inFolder, 'archive', files[0] ?? '');
    const bytes = readFileSync(path);
    bytes[40] = (bytes[40] ?? 0) ^ 1;
    writeFileSync(path, bytes);
  };
  const missingIn = async (inFolder: string, backup: string) => (await putBackJournal(inFolder, backup, START)).missing;
  const logIn = async (inFolder: string) => {
    const opened = await openJournal({ folder: inFolder, now: () => START });
    const rows = await wholeLog(opened);
    await opened.close();
    return rows;
  };
  await journal.backup(join(place, 'one.db'));
  flip(place);
  expect(await journal.backup(join(place, 'two.db'))).toMatchObject({ archives: 1, missing: [] });
  const restored = temporaryFolder();
  expect(await missingIn(restored, join(place, 'two.db'))).toEqual([]);
  expect(await logIn(restored)).toEqual(whole);

  // Beside the backup it is changed; the folder that it is put back into has it whole.
  flip(place);
  expect(await missingIn(restored, join(place, 'two.db'))).toEqual([]);
  expect(await logIn(restored)).toEqual(whole);

  flip(folder);
  const elsewhere = temporaryFolder();
  expect(await journal.backup(join(place, 'three.db'))).toMatchObject({ archives: 0, missing: files });
  expect(await journal.backup(join(elsewhere, 'four.db'))).toMatchObject({ archives: 0, missing: files });
  await journal.close();
  for (const backup of [join(place, 'three.db'), join(elsewhere, 'four.db')]) {
    const poorer = temporaryFolder();
    expect(await missingIn(poorer, backup)).toEqual(files);
    const rows = await logIn(poorer);
    expect(rows).toHaveLength(whole.length);
    // What can still be read is there: of 300 rows those of other blocks.
    expect(rows[0]?.unreadable).toContain(files[0]);
    expect(rows[200]).toEqual(whole[200]);
  }
});

test('a whole archive beside a backup takes the place of a changed one', async () => {
  const { folder, journal } = await oldJournal();
  await journal.archive(BEFORE, 'mara', false);
  const backup = join(temporaryFolder(), 'backup.db');
  await journal.backup(backup);
  await journal.close();
  spoil(folder);
  expect(await verifyJournal(folder)).toMatchObject({ ok: false });
  await putBackJournal(folder, backup, START);
  expect(await verifyJournal(folder)).toMatchObject({ ok: true });
});

test('without its archive an order that is over is filled, cancelled, looked for by size, and more is archived', async () => {
  const { folder, journal } = await oldJournal();
  await journal.archive(START - 3 * DAY + 100, 'mara', false);
  renameSync(join(folder, 'archive'), join(folder, 'gone'));
  await journal.close();
  const poorer = await openTestJournal(folder);
  await expect(poorer.append(fill(11, 2))).resolves.toBeGreaterThan(0);
  await expect(poorer.append(cancel(13, 3))).resolves.toBeGreaterThan(0);
  const { makerAsset } = quoteBody(1);
  const size = [{ chainId: CHAIN, address: makerAsset, min: '1' }];
  expect((await poorer.read.logPage({ filter: { size }, limit: 10_000 })).rows.length).toBeGreaterThan(LATER);
  await expect(poorer.read.usedSignatures(START - 3.2 * DAY, 60_000)).resolves.toEqual([]);
  expect((await poorer.archive(BEFORE, 'mara', false)).rows).toBeGreaterThan(0);
});

test('a table of archives that was changed is made anew from the journal, and stays as it is where rows were changed as well', async () => {
  const { folder, journal } = await oldJournal();
  await journal.archive(BEFORE, 'mara', false);
  await journal.close();
  const archives = () => inFile(folder, (db) => db.prepare('SELECT * FROM archives').all());
  const named = archives();
  for (const sql of [
    'DELETE FROM archives',
    "UPDATE archives SET file = 'another.gz'",
    'UPDATE archives SET first = first + 1',
    'UPDATE archives SET bytes = bytes + 1',
  ]) {
    inFile(folder, (db) => db.exec(sql));
    expect((await verifyJournal(folder)).ok, sql).toBe(false);
    await rebuildTables(folder);
    expect(await verifyJournal(folder), sql).toMatchObject({ ok: true });
    expect(archives()).toEqual(named);
  }
  inFile(folder, (db) => db.exec('DELETE FROM archives; UPDATE journal SET time = time + 1 WHERE seq = 2000'));
  await expect(rebuildTables(folder)).rejects.toMatchObject({ code: 'journal_broken' });
  expect(archives()).toEqual([]);
});

test('an archive whose blocks are said to be longer than it is, or to lie on one another, is named without their being read', async () => {
  const folder = temporaryFolder();
  const writer = new ArchiveWriter(folder);
  for (let seq = 1; seq <= 200; seq += 1) writer.add(seq, `{"n":${seq}}`);
  const { file, bytes } = writer.finish(1, 200);
  const path = join(folder, file);
  const whole = readFileSync(path);
  expect([...new ArchiveFile(path, bytes).rows()]).toHaveLength(200);
  const spoilt = (places: (blocks: number[][]) => unknown) => {
    const length = whole.readUInt32LE(whole.length - 14);
    const at = whole.length - 14 - length;
    const blocks = JSON.parse(whole.subarray(at, at + length).toString());
    const text = JSON.stringify(places(blocks)).padEnd(length, ' ');
    const end = Buffer.alloc(4);
    end.writeUInt32LE(text.length);
    const made = Buffer.concat([whole.subarray(0, at), Buffer.from(text), end, whole.subarray(whole.length - 10)]);
    writeFileSync(path, made);
    return () => new ArchiveFile(path, made.length);
  };
  expect(spoilt((blocks) => blocks)).not.toThrow();
  expect(spoilt((blocks) => blocks.with(-1, [193, blocks.at(-1)?.[1] ?? 0, 4_000_000_000]))).toThrow(/longer/);
  expect(spoilt((blocks) => blocks.map(([first]) => [first, 0, 100]))).toThrow(/follow/);
  expect(spoilt((blocks) => Array.from({ length: 10_000 }, () => blocks[0]))).toThrow(/follow/);
  expect(spoilt(() => [['1', 0, 10]])).toThrow();
  expect(spoilt(() => ({}))).toThrow();
});

test('a disk that is full at any call to it in the middle of archiving loses nothing, and the next archiving goes through', async () => {
  const { folder, journal } = await oldJournal();
  const before = await wholeLog(journal);
  const db = openForReading(journalFile(folder));
  const calls = ['mkdirSync', 'openSync', 'writeSync', 'fsyncSync', 'renameSync'] as const;
  const real = calls.map((name) => [name, fs[name]] as const);
  let sealed: ReturnType<typeof archiveRows> = null;
  let nth = 0;
  try {
    for (; sealed === null && nth < 50; nth += 1) {
      let left = nth;
      for (const [name, call] of real) {
        const full = (...args: never[]) => {
          if (left === 0) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
          left -= 1;
          return (call as (...all: never[]) => unknown)(...args);
        };
        Object.assign(fs, { [name]: full });
      }
      syncBuiltinESMExports();
      try {
        sealed = archiveRows(db, SLICES, BEFORE);
      } catch (error) {
        expect(error).toMatchObject({ code: 'archive_failed' });
        expect(
          existsSync(join(folder, 'archive')) ? filesOf(folder).filter((name) => name.endsWith('.part')) : [],
        ).toEqual([]);
      }
      for (const [name, call] of real) Object.assign(fs, { [name]: call });
      syncBuiltinESMExports();
    }
  } finally {
    db.close();
  }
  expect(nth).toBeGreaterThan(8);
  expect(leftOut(folder)).toEqual([]);
  expect(await wholeLog(journal)).toEqual(before);
  expect(await journal.archive(BEFORE, 'mara', false)).toMatchObject({ rows: OLD - 1, files: 1 });
  expect(leftOut(folder)).toHaveLength(OLD - 1);
  expect(await wholeLog(journal)).toEqual(before);
  expect(await verifyJournal(folder)).toMatchObject({ ok: true });
});

test('a folder among the archives that is named like a file not finished stops nothing', async () => {
  const { folder, journal } = await oldJournal();
  mkdirSync(join(folder, 'archive', 'kept.part'), { recursive: true });
  writeFileSync(join(folder, 'archive', '.broken-off.part'), 'half');
  expect(await journal.archive(BEFORE, 'mara', false)).toMatchObject({ rows: OLD - 1 });
  expect(filesOf(folder).filter((name) => name.endsWith('.part'))).toEqual(['kept.part']);
});

test('the last day and the end of the journal stay, whatever is asked for', async () => {
  const folder = temporaryFolder();
  const journal = await openTestJournal(folder);
  mkdirSync(join(folder, 'archive'));
  await Promise.all(Array.from({ length: 2_100 }, (_, number) => journal.append(quote(number, REFUSED))));
  expect(await journal.archive(START + 90 * DAY, 'mara', false)).toMatchObject({ rows: 0, until: null });
  // All that is older than a day now, but for what a start looks through.
  await journal.append(quote(3_000, REFUSED, START + 2 * DAY));
  expect(await journal.archive(START + 90 * DAY, 'mara', false)).toMatchObject({ rows: 2_100 - 2_048 });
});

test('a row of a clock that was far ahead stays, is found by its time and widens no other look, and what came after it is archived', async () => {
  const folder = temporaryFolder();
  const journal = await openTestJournal(folder);
  const [ahead, behind] = [START + 400 * DAY, START - 2.9 * DAY];
  const old = Array.from({ length: 20 }, (_, index) => quote(index + 1, REFUSED, START - 3 * DAY + index));
  for (const event of old.with(2, quote(3, REFUSED, ahead))) await journal.append(event);
  await Promise.all(
    Array.from({ length: LATER }, (_, index) => journal.append(quote(100 + index, REFUSED, START - 2 * DAY + index))),
  );
  // A few of a clock that was behind: what is young before them is not archived for it.
  for (const number of [1, 2, 3]) await journal.append(quote(70_000 + number, REFUSED, behind));
  await journal.append(quote(80_000));
  const done = await journal.archive(BEFORE, 'mara', false);
  expect(done).toMatchObject({ rows: 19, files: 1, ahead: 1, until: START - 3 * DAY + 19 });
  expect(leftOut(folder)).toEqual(old.map((_, index) => index + 1).filter((seq) => seq !== 3));
  expect(await journal.archive(BEFORE, 'mara', false)).toMatchObject({ rows: 0, ahead: 0 });
  expect(await verifyJournal(folder)).toMatchObject({ ok: true });

  const between = async (since: number, until: number) =>
    (await journal.read.logPage({ filter: { since, until }, limit: 100, order: 'oldest' })).rows.map(({ seq }) => seq);
  expect(await between(ahead, ahead)).toEqual([3]);
  expect(await between(START - 3 * DAY, START - 3 * DAY + 3)).toEqual([1, 2, 4]);
  expect(await between(behind, behind)).toHaveLength(3);
  const late = START - 2 * DAY + 2_050;
  expect((await journal.read.logSpan({ since: late, until: late + 10 })).first).toBe(2_048);
});

test('what is looked for in rows that a missing archive has is told with its stretch: by size, by words, by chain, by counterparty', async () => {
  const { folder, journal } = await oldJournal();
  await journal.archive(BEFORE, 'mara', false);
  const [file = ''] = filesOf(folder);
  renameSync(join(folder, 'archive'), join(folder, 'gone'));
  await journal.close();
  const poorer = await openTestJournal(folder);
  const named = expect.stringMatching(new RegExp(`${file} \\(rows 1 to \\d+, of .* to .*\\) is missing`));
  const size = [{ chainId: CHAIN, address: quoteBody(1).makerAsset, min: '999999999999999999999999' }];
  const sized = await poorer.read.logPage({ filter: { size }, limit: 10_000, order: 'oldest' });
  expect(sized.rows).toHaveLength(OLD - 1);
  expect(sized.rows[0]).toMatchObject({ seq: 1, unreadable: named });

  const kinds = ['quote'];
  const events = async (filter: EventFilter) =>
    (await poorer.read.eventsPart({ filter, order: 'oldest', from: 1, to: 5, limit: 10 })).rows;
  const userOf = `0x${'77'.repeat(20)}`;
  for (const filter of [
    { kinds, words: userOf },
    { kinds, words: 'no such word' },
    { kinds, chainId: 987_654 },
  ]) {
    const rows = await events(filter);
    expect(rows).toHaveLength(5);
    expect(rows[0]).toMatchObject({ seq: 1, unreadable: named });
  }
  expect(await events({ kinds: ['fill'], words: 'no such word' })).toEqual([]);

  const filled = { since: 0, until: Number.MAX_SAFE_INTEGER, limit: 10, now: START };
  for (const counterparty of [null, 'somebody else']) {
    const fills = await poorer.read.markedFills({ ...filled, counterparty });
    expect(fills).toMatchObject([{ unreadable: named }]);
    expect(fills[0]?.unreadable).toContain('nobody knows whose it was');
  }
  expect((await poorer.read.markedFills(filled))[0]?.unreadable).toBeUndefined();
});

test('a journal that followed has every body itself, and calls no archive missing that only the other desk has', async () => {
  const second = temporaryFolder();
  const followed = await openFollowedJournal({ folder: second, now: () => START });
  let follows = false;
  const replica: Replica = {
    begin: async (own) => {
      if (own.head().seq === 0) return;
      await followed.take(own.rows(1, own.head().seq).map((row) => ({ item: row, head: row })));
      follows = true;
    },
    take: async (written) => (follows ? followed.take(written) : undefined),
  };
  const { folder, journal } = await oldJournal();
  // The first archive is of before the other one followed, the second is made while it does.
  await journal.archive(START - 3 * DAY + 100, 'mara', false);
  await journal.close();
  const again = await openJournal({ folder, now: () => START, replica });
  await again.archive(BEFORE, 'mara', false);
  const whole = await wholeLog(again);
  await again.close();
  await followed.close();
  expect(filesOf(folder)).toHaveLength(2);

  const taken = await openTestJournal(second);
  expect(await wholeLog(taken)).toEqual(whole);
  expect(await taken.read.storage()).toMatchObject({ archives: 2, missing: [] });
  const backup = join(temporaryFolder(), 'backup.db');
  expect(await taken.backup(backup)).toMatchObject({ archives: 0, missing: [] });
  expect(await verifyJournal(second)).toMatchObject({ ok: true, detail: null });
  expect(await putBackJournal(temporaryFolder(), backup, START)).toMatchObject({ missing: [] });
});
