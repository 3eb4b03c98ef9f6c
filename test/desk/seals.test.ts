import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { hashTypedData, keccak256, serializeTransaction, toHex } from 'viem';
import { expect, onTestFinished, test } from 'vitest';
import { addVerify } from '../../electron/commands/verify.ts';
import { type Seal, sealSchema } from '../../electron/contract/seal.ts';
import { openFolderClient } from '../../electron/desk/folder-client.ts';
import { type SealKey, type SealParts, Seals } from '../../electron/desk/seals.ts';
import { verifySeals } from '../../electron/desk/verify-seals.ts';
import { BOOK_EVENTS } from '../../electron/journal/book/events.ts';
import { HeadFile, headFile } from '../../electron/journal/head-file.ts';
import type { Journal } from '../../electron/journal/journal.ts';
import { journalFile } from '../../electron/journal/open-database.ts';
import { rowHash } from '../../electron/journal/row-hash.ts';
import { selectRows } from '../../electron/journal/rows.ts';
import { verifyJournal } from '../../electron/journal/verify.ts';
import { domainSeparator, orderHash } from '../../electron/protocol/order-hash.ts';
import { typedDataSchema } from '../../electron/protocol/typed-data.ts';
import { sealHash, sealTypedData } from '../../electron/signer/seal-hash.ts';
import { openSigner } from '../../electron/signer/signer.ts';
import { openTestJournal } from '../journal/fixture.ts';
import { CHAIN, configured, deskFile, hashOf, quote, REFUSED, START } from '../journal/sample-events.ts';
import { commandsHere } from './commands-here.ts';
import { PASSPHRASE, runCommand, temporaryFolder } from './desk-process.ts';
import { keyIn } from './key-in.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;
const KEY = openSigner(hashOf('the key of the desk'));
const OTHER = openSigner(hashOf('another key'));

/** A journal whose chain is signed for by `KEY`, a clock, and whoever seals it. */
async function sealedDesk(key: SealParts['key'] = () => ({ signer: KEY }), began = START) {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const journal = await openTestJournal(folder);
  await journal.append(configured({ signer: KEY.address }, began));
  const state = { now: began };
  const said: string[] = [];
  const log = { warn: (line: string, facts?: object) => void said.push(`${line}: ${JSON.stringify(facts)}`) };
  const rooms = { journal, now: () => state.now, log } as never;
  const seals = new Seals({ rooms, key, firstAt: began, patienceMs: 50 });
  onTestFinished(() => seals.close());
  return { folder, journal, state, said, seals };
}

async function quoted(journal: Journal, from: number, count: number, time: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, index) => journal.append(quote(from + index, REFUSED, time))));
}

/** Changes who wrote a row, and gives that row and all later ones hashes that fit, and the head file with them. */
function forgeFrom(folder: string, seq: number): void {
  const db = new Database(journalFile(folder));
  const [before, ...rows] = selectRows(db).all(seq - 1, Number.MAX_SAFE_INTEGER);
  const save = db.prepare('UPDATE journal SET actor = ?, previous = unhex(?), hash = unhex(?) WHERE seq = ?');
  let previous = before?.hash ?? '';
  for (const row of rows) {
    const forged = { ...row, actor: row.seq === seq ? 'nobody' : row.actor, previous };
    previous = rowHash(forged);
    save.run(forged.actor, forged.previous, previous, forged.seq);
  }
  db.close();
  new HeadFile(headFile(folder), { seq: rows.at(-1)?.seq ?? 0, hash: previous }).close();
}

const HEAD = { desk: hashOf('first row'), row: 17, hash: hashOf('row 17'), time: START };

test('a seal is EIP-712 typed data of its own domain, and its hash is that of no order, transaction or message', () => {
  const { message, ...data } = sealTypedData(HEAD);
  expect(sealHash(HEAD)).toBe(hashTypedData({ ...data, message }));
  const { domain } = data;
  const contract = { domainName: domain.name, chainId: CHAIN, rfqContract: KEY.address };
  const order = { makerAsset: KEY.address, takerAsset: KEY.address, maker: KEY.address, taker: KEY.address };
  const amounts = { nonceAndMeta: 0n, expiry: 17, makerAmount: 1n, takerAmount: 1n };
  const others = [
    orderHash(domainSeparator(contract), { ...order, ...amounts }),
    keccak256(serializeTransaction({ chainId: CHAIN, type: 'eip1559' })),
    keccak256(toHex(`\x19Ethereum Signed Message:\n32${HEAD.hash}`)),
  ];
  expect(others).not.toContain(sealHash(HEAD));
  for (const field of ['desk', 'row', 'hash', 'time'] as const) {
    const value = typeof HEAD[field] === 'number' ? 18 : hashOf('other');
    expect(sealHash({ ...HEAD, [field]: value }), field).not.toBe(sealHash(HEAD));
  }
});

test('what a service wants signed is never a seal: typed data of a domain without a contract is not taken from it', () => {
  const { domain, types } = sealTypedData(HEAD);
  const value = { ...HEAD };
  expect(typedDataSchema.safeParse({ domain, types: { JournalSeal: types.JournalSeal }, value }).success).toBe(false);
});

test('the journal is sealed once a UTC day, each seal covers the one before, and days without one are named', async () => {
  const { folder, journal, state, seals } = await sealedDesk();
  await quoted(journal, 0, 10, START);
  for (const minutes of [0, 1, 2, 600, 1_439]) {
    state.now = START + minutes * MINUTE;
    await seals.tick();
  }
  expect(verifySeals(folder)).toMatchObject({ count: 1, missing: [], fault: null, signers: [KEY.address] });
  state.now = START + DAY;
  await seals.tick();
  // On the third and the fifth day the desk runs, and on the fourth it does not; its key is away on the third.
  await quoted(journal, 20, 1, START + 2 * DAY + MINUTE);
  state.now = START + 4 * DAY;
  await seals.tick();
  await quoted(journal, 30, 1, state.now);
  const found = verifySeals(folder);
  expect(found).toMatchObject({ count: 3, missing: ['2026-11-03'], fault: null });
  expect(found.newest).toMatchObject({ row: 14, time: state.now, signer: KEY.address });
  expect(await verifyJournal(folder)).toMatchObject({ ok: true });
});

test('a key that is locked, away, silent, or not the one it says seals nothing; the seal is made up for when it is back, and no row waits', async () => {
  const silent: SealKey = { address: KEY.address, sign: () => new Promise(() => {}) };
  const dead: SealKey = { address: KEY.address, sign: () => Promise.reject(new Error('connection refused')) };
  const lying: SealKey = { address: KEY.address, sign: (hash) => OTHER.sign(hash) };
  let held: { signer: SealKey } | { missing: string } = { missing: 'The signer is locked.' };
  const { folder, journal, state, said, seals } = await sealedDesk(() => held);
  const why = [/locked/, /in time/, /connection refused/, /is not that of/, /not the signer of any/];
  for (const next of [held, { signer: silent }, { signer: dead }, { signer: lying }, { signer: OTHER }]) {
    held = next;
    state.now += MINUTE;
    const ticking = seals.tick();
    await quoted(journal, state.now, 1, state.now);
    await ticking;
    await seals.tick();
  }
  expect(said).toEqual(why.map((words) => expect.stringMatching(words)));
  expect(verifySeals(folder)).toMatchObject({ count: 0, newest: null });
  held = { signer: KEY };
  state.now += MINUTE;
  await seals.tick();
  expect(verifySeals(folder)).toMatchObject({ count: 1, fault: null });
});

test('a row that was changed is found by the seal after it, although every hash was made to fit again', async () => {
  const { folder, journal, seals } = await sealedDesk();
  await quoted(journal, 0, 20, START);
  await seals.seal('mara');
  await quoted(journal, 30, 5, START);
  const second = await seals.seal('mara');
  await journal.close();
  expect(verifySeals(folder).fault).toBeNull();
  forgeFrom(folder, 24);
  expect(await verifyJournal(folder)).toMatchObject({ ok: true });
  const { fault } = verifySeals(folder);
  expect(fault).toMatch(new RegExp(`^The seal in row 28 does not hold: row ${second.row} is not the one`));
});

test('a journal that was written anew without its seals is found by one that was kept', async () => {
  const { folder, journal, seals } = await sealedDesk();
  await quoted(journal, 0, 20, START);
  const kept = await seals.seal('mara');
  await journal.close();
  expect(verifySeals(folder, [kept])).toMatchObject({ count: 1, kept: 1, fault: null });

  const anew = await sealedDesk();
  await quoted(anew.journal, 100, 25, START);
  expect(verifySeals(anew.folder)).toMatchObject({ count: 0, fault: null });
  expect(verifySeals(anew.folder, [kept]).fault).toMatch(/was kept does not hold: row 21 is not the one/);
  const shorter = await sealedDesk();
  expect(verifySeals(shorter.folder, [kept]).fault).toMatch(/the journal ends at row 1\.$/);
  const signature = KEY.sign({ hash: sealHash({ ...kept, hash: hashOf('made up') }) });
  expect(verifySeals(folder, [{ ...kept, signature }]).fault).toMatch(/its signature is not that of/);
  const ofAnother = { ...kept, desk: hashOf('another desk') };
  const theirs = verifySeals(folder, [{ ...ofAnother, signature: KEY.sign({ hash: sealHash(ofAnother) }) }]);
  expect(theirs.fault).toMatch(/of another desk/);
});

test('a seal counts by who was the signer at its time: one by a key that was replaced does not hold', async () => {
  let held: SealKey = KEY;
  const { folder, journal, seals } = await sealedDesk(() => ({ signer: held }));
  await seals.seal('mara');
  const known = BOOK_EVENTS.chain_set.shape.config;
  const [chain] = deskFile({ signer: OTHER.address }).chains;
  const own = Object.entries(chain ?? {}).filter(([field]) => field in known.shape);
  const config = known.parse(Object.fromEntries(own));
  await journal.append({ time: START, actor: 'mara', kind: 'chain_set', body: { chainId: CHAIN, config } });
  await expect(seals.seal('mara')).rejects.toMatchObject({ code: 'no_signer' });
  held = OTHER;
  const { desk } = await seals.seal('mara');
  expect(verifySeals(folder)).toMatchObject({ count: 2, fault: null, signers: [KEY.address, OTHER.address] });
  const { seq: row, hash } = journal.head();
  const head = { desk, row, hash: `0x${hash}` as const, time: START };
  const body = { ...head, signer: KEY.address, signature: KEY.sign({ hash: sealHash(head) }) };
  await journal.append({ time: START, actor: 'desk', kind: 'journal_sealed', body });
  expect(verifySeals(folder).fault).toMatch(/^The seal in row 5 does not hold: 0x[0-9a-f]{40} was not the signer/);
});

test('a seal that is kept in the journal holds when what it covers was archived', async () => {
  const { folder, journal, seals } = await sealedDesk(undefined, START - 3 * DAY);
  await quoted(journal, 0, 60, START - 3 * DAY);
  await seals.seal('mara');
  await quoted(journal, 100, 2_100, START - 2 * DAY);
  await quoted(journal, 5_000, 1, START);
  expect(await journal.archive(START - 2.5 * DAY, 'mara', false)).toMatchObject({ rows: 60 });
  expect(verifySeals(folder)).toMatchObject({ count: 1, fault: null });
  expect(await verifyJournal(folder)).toMatchObject({ ok: true });
});

test('in a terminal a journal is sealed, the seal is kept in a file, and verify finds with it that a row was changed', async () => {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const run = (...args: string[]) => runCommand(folder, args);
  const signer = await keyIn(folder);
  const client = await openFolderClient(folder, 'mara', async () => PASSPHRASE);
  const file = deskFile({ signer, maker: signer, rpcUrl: 'http://127.0.0.1:1' });
  await client.desk.desk.import({ desk: { ...file, counterparties: [] } });
  await client.close();
  const kept = join(folder, 'seals');
  expect(await run('seal', '--export', kept)).toMatchObject({ code: 0, stdout: '' });
  const printed = await run('seal');
  const seals = [readFileSync(kept, 'utf8'), printed.stdout].map((line): Seal => sealSchema.parse(JSON.parse(line)));
  expect(seals.map((seal) => [seal.signer, seal.row])).toEqual([
    [signer, 1],
    [signer, 2],
  ]);
  writeFileSync(kept, printed.stdout, { flag: 'a' });
  const here = commandsHere(addVerify);
  const sound = await here(folder, ['verify', '--seal', kept]);
  expect(sound).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(sound.stdout)).toMatchObject({
    ok: true,
    total: 3,
    firstBad: null,
    seals: { count: 2, newest: seals[1], signers: [signer], missing: [], kept: 2 },
  });
  forgeFrom(folder, 2);
  const found = await run('verify', '--seal', kept);
  expect([found.code, JSON.parse(found.stdout)]).toMatchObject([1, { ok: false, firstBad: null }]);
  expect(found.stderr).toMatch(/row 2 is not the one that 0x[0-9a-f]{40} sealed at/);
  writeFileSync(kept, 'not a seal\n');
  expect(await here(folder, ['verify', '--seal', kept])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('line 1'),
  });
});
