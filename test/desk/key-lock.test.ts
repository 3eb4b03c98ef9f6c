import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { RemoteSignerConfig } from '../../electron/contract/remote-signer.ts';
import { HeldPassphrase } from '../../electron/desk/held-passphrase.ts';
import { holdSigner } from '../../electron/desk/held-signer.ts';
import { KeyLock } from '../../electron/desk/key-lock.ts';
import { keyProbe } from '../../electron/protocol/key-probe.ts';
import { storeKey } from '../../electron/signer/keystore.ts';
import { writeSecrets } from '../../electron/signer/secrets.ts';
import { HeldJournal } from '../quoting/held-journal.ts';
import { type DeskChanges, firm, newFolder, openDesk, signer as own, person, quotes } from '../quoting/open-desk.ts';

const RIGHT = 'a passphrase for tests only';
const WRONG = 'a passphrase of another desk';
const MINUTE_MS = 60_000;
const PROBE = keyProbe(`0x${'11'.repeat(32)}`);

/** A desk that quotes with the key of its own keystore, and the lock of that key. */
async function deskWithLock(changes: DeskChanges = {}, handedOver?: () => Promise<void>) {
  const folder = newFolder();
  await storeKey(folder, RIGHT, `0x${'4c'.repeat(32)}`, randomBytes, { scryptCost: 2 });
  const passphrase = new HeldPassphrase(RIGHT);
  const signer = await holdSigner(folder, () => passphrase.get(), { remote: () => null, onHeard: () => {} });
  const desk = await openDesk({ folder, quoter: { signerFor: signer.of }, ...changes });
  const lines: string[] = [];
  const write = (line: string, facts?: Record<string, unknown>) => void lines.push(JSON.stringify([line, facts]));
  const log = { info: write, warn: write, error: write };
  const rows: string[] = [];
  desk.journal.onAppended((events) => rows.push(...events.map(({ kind, actor }) => `${kind} ${actor}`)));
  const monotonic = () => desk.clock.ahead;
  /** As whoever else has the passphrase is told. */
  const told = { locks: 0 };
  const onLocked = () => {
    told.locks += 1;
  };
  const lock = new KeyLock({ ...desk, log }, { signer, passphrase, monotonic, handedOver, onLocked });
  return { ...desk, lock, signer, passphrase, lines, rows, told };
}

test('a lock halts first: an order that was on its way is withheld, and the journal says who locked the key', async () => {
  const held = new HeldJournal();
  const desk = await deskWithLock({ journal: held.around });
  expect(await firm(desk)).toMatchObject({ status: 200 });
  held.hold('quote');
  const asked = firm(desk);
  const locked = desk.lock.lock('mara');
  expect(desk.guard.status().state).toBe('HALTED');
  expect(desk.lock.state()).toEqual({ locked: true, wrong: 0, nextAt: 0 });
  held.letGo();
  expect(await locked).toMatchObject({ durable: true });
  expect(await asked).toMatchObject({ status: 503, code: 'halted', order: undefined });
  expect(desk.released).toHaveLength(1);
  await vi.waitFor(async () => expect((await quotes(desk)).map(({ state }) => state)).toContain('withheld'));
  await vi.waitFor(() => expect(desk.rows).toContain('key_locked mara'));
  expect(desk.guard.trading.said({})).toMatchObject({ actor: 'mara', cause: 'The key was locked.' });
});

test('a locked key is still known for whose it is, signs nothing, and its passphrase is nowhere to be had', async () => {
  const desk = await deskWithLock();
  await desk.lock.lock('mara');
  expect(desk.signer.said()).toMatchObject({ address: own.address, locked: true });
  expect(() => desk.signer.of(own.address)?.sign(PROBE)).toThrow(/locked/);
  expect(desk.signer.current()).toMatchObject({ missing: expect.stringContaining('makerdesk unlock') });
  await expect(desk.passphrase.get()).rejects.toMatchObject({ code: 'key_locked' });
  expect(desk.passphrase.words()).toEqual([]);
  expect(desk.told.locks).toBe(1);
  await expect(desk.signer.reload()).rejects.toMatchObject({ code: 'key_locked' });
});

test('an unlocked desk stays halted until a person resumes it, and then quotes as before', async () => {
  const desk = await deskWithLock();
  await desk.lock.lock('mara');
  expect(await desk.lock.unlock('jonas', RIGHT)).toEqual({ address: own.address });
  expect(desk.lock.state().locked).toBe(false);
  expect(desk.guard.status().state).toBe('HALTED');
  expect(await firm(desk)).toMatchObject({ status: 503, code: 'halted' });
  expect(desk.rows.at(-1)).toBe('key_unlocked jonas');
  await desk.guard.trading.resume({}, person);
  expect(await firm(desk)).toMatchObject({ status: 200 });
  expect(await desk.passphrase.get()).toBe(RIGHT);
  await expect(desk.lock.unlock('jonas', RIGHT)).rejects.toMatchObject({ code: 'not_locked' });
});

test('a wrong passphrase is counted, makes the next one wait twice as long, and is written down nowhere', async () => {
  const desk = await deskWithLock();
  await desk.lock.lock('mara');
  for (const [count, seconds] of [
    [1, 1],
    [2, 2],
    [3, 4],
  ] as const) {
    await expect(desk.lock.unlock('mara', WRONG)).rejects.toMatchObject({ code: 'wrong_passphrase' });
    expect(desk.lock.state()).toEqual({ locked: true, wrong: count, nextAt: desk.now() + seconds * 1_000 });
    desk.clock.ahead += seconds * 1_000 - 1;
    await expect(desk.lock.unlock('mara', RIGHT)).rejects.toMatchObject({ code: 'unlock_waits' });
    desk.clock.ahead += 1;
  }
  await desk.lock.unlock('mara', RIGHT);
  expect(desk.lines.join('\n')).not.toContain(WRONG);
  expect(desk.lines.filter((line) => line.includes('wrong passphrase'))).toHaveLength(3);
});

test('a lock that comes while the key is being unlocked wins', async () => {
  const desk = await deskWithLock();
  await desk.lock.lock('mara');
  const unlocked = desk.lock.unlock('jonas', RIGHT);
  await desk.lock.lock('mara');
  await expect(unlocked).rejects.toMatchObject({ code: 'overtaken_by_stop' });
  expect(desk.lock.state().locked).toBe(true);
  await expect(desk.passphrase.get()).rejects.toMatchObject({ code: 'key_locked' });
});

test('a lock that comes while the key is read again wins: what was read signs nothing until it is unlocked', async () => {
  const desk = await deskWithLock();
  const reloaded = desk.signer.reload();
  await nextTurn(); // it has the passphrase, and reads the folder
  const locked = desk.lock.lock('mara');
  await reloaded;
  expect(desk.signer.said()).toMatchObject({ address: own.address, locked: true });
  expect(() => desk.signer.of(own.address)?.sign(PROBE)).toThrow(/locked/);
  await locked;
  await desk.lock.unlock('jonas', RIGHT);
  expect(desk.signer.of(own.address)?.sign(PROBE)).toMatch(/^0x/);
});

test('a first key that is taken up while the desk is being locked is locked too, and unlocked like any other', async () => {
  const desk = await deskWithLock();
  rmSync(join(desk.folder, 'keystore.json'));
  await desk.signer.reload();
  expect(desk.signer.said().address).toBeNull();
  const address = await storeKey(desk.folder, RIGHT, `0x${'07'.repeat(32)}`, randomBytes, { scryptCost: 2 });
  const reloaded = desk.signer.reload();
  await nextTurn();
  desk.signer.lock();
  await reloaded;
  expect(() => desk.signer.of(address)?.sign(PROBE)).toThrow(/locked/);
  expect(await desk.lock.unlock('jonas', RIGHT)).toEqual({ address });
});

test('where the key is read again twice, the place that was set last counts, however long the first takes', async () => {
  const folder = newFolder();
  await storeKey(folder, RIGHT, `0x${'4c'.repeat(32)}`, randomBytes, { scryptCost: 8_192 });
  await writeSecrets(folder, RIGHT, { counterparties: {}, serviceKeys: {} }, { scryptCost: 2 });
  const elsewhere: RemoteSignerConfig = {
    kind: 'json-rpc',
    address: `0x${'ab'.repeat(20)}`,
    url: 'http://127.0.0.1:1',
    timeoutMs: 1_000,
    method: 'eth_signTypedData_v4',
  };
  let remote: RemoteSignerConfig | null = null;
  const signer = await holdSigner(folder, async () => RIGHT, { remote: () => remote, onHeard: () => {} });
  const first = signer.reload();
  await nextTurn(); // the key of the folder is being opened
  remote = elsewhere;
  await Promise.all([first, signer.reload()]);
  expect(signer.said().address).toBe(elsewhere.address);
});

test('in a fleet a lock is over once no surface hands over what was answered before; the key is gone before they are asked', async () => {
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const asked: unknown[] = [];
  const desk = await deskWithLock({}, () => {
    asked.push(desk.guard.status().state, desk.lock.state().locked);
    return stopped;
  });
  let isOver = false;
  const locked = desk.lock.lock('mara').then((halted) => {
    isOver = true;
    return halted;
  });
  expect(asked).toEqual(['HALTED', true]);
  await vi.waitFor(() => expect(desk.rows).toContain('key_locked mara'));
  await nextTurn();
  expect(isOver).toBe(false);
  stop();
  expect(await locked).toMatchObject({ durable: true });
});

test('a desk on which nobody acts for as long as its file says halts and locks by itself; engines and quotes are no act', async () => {
  const desk = await deskWithLock({ desk: { lockAfterMinutes: 15 } });
  await firm(desk);
  const append = (actor: string) =>
    desk.journal.append({ time: desk.now(), actor, kind: 'token_revoked', body: { name: 'engine' } });
  desk.clock.ahead += 14 * MINUTE_MS;
  await append('mara');
  desk.clock.ahead += 14 * MINUTE_MS;
  desk.lock.tick();
  expect(desk.lock.state().locked).toBe(false);
  await append('prices:engine');
  desk.clock.ahead += MINUTE_MS;
  desk.lock.tick();
  expect(desk.lock.state().locked).toBe(true);
  expect(desk.guard.trading.said({})).toMatchObject({
    state: 'HALTED',
    actor: 'desk',
    cause: 'The key was locked: nobody did anything for 15 min.',
  });
  expect(desk.told.locks).toBe(1);
  await vi.waitFor(() => expect(desk.rows).toContain('key_locked desk'));
});

test('without a time in the desk file no key is locked by itself', async () => {
  const desk = await deskWithLock();
  desk.clock.ahead += 30 * 24 * 60 * MINUTE_MS;
  desk.lock.tick();
  expect(desk.lock.state().locked).toBe(false);
});

test('where the folder has another key by now, that one is not taken for the one that was locked', async () => {
  const desk = await deskWithLock();
  await desk.lock.lock('mara');
  rmSync(join(desk.folder, 'keystore.json'));
  await storeKey(desk.folder, RIGHT, `0x${'07'.repeat(32)}`, randomBytes, { scryptCost: 2 });
  await expect(desk.lock.unlock('mara', RIGHT)).rejects.toMatchObject({ code: 'other_key' });
  expect(desk.lock.state().locked).toBe(true);
});
