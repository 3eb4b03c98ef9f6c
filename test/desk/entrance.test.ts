import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { ContractRouterClient } from '@orpc/contract';
import { afterEach, expect, test } from 'vitest';
import type { EntranceView, entranceContract } from '../../electron/contract/entrance.ts';
import { Entrance } from '../../electron/desk/entrance.ts';
import { openJournal } from '../../electron/journal/journal.ts';
import { DeskError } from '../../electron/protocol/desk-error.ts';
import { storeKey } from '../../electron/signer/keystore.ts';
import { readSecrets, writeSecrets } from '../../electron/signer/secrets.ts';
import { temporaryFolder } from './desk-process.ts';

const RIGHT = 'a passphrase for tests only';
const WRONG = 'a passphrase of another desk';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** An entrance on a folder of its own, a window's line to it, and what it logs. The clock stands until it is moved. */
function entranceOf({ folder, remove } = temporaryFolder()) {
  const clock = { ms: 0 };
  const lines: string[] = [];
  const write = (line: string, facts?: Record<string, unknown>) => void lines.push(JSON.stringify([line, facts]));
  const entrance = new Entrance({
    folder,
    log: { info: write, warn: write, error: write },
    now: () => 1_800_000_000_000 + clock.ms,
    monotonic: () => clock.ms,
    startPractice: async () => ({ console: null }),
  });
  const { port1, port2 } = new MessageChannel();
  entrance.serve(port1);
  const client: ContractRouterClient<typeof entranceContract> = createORPCClient(new RPCLink({ port: port2 }));
  port2.start();
  closing.push(() => port1.close(), remove);
  return { folder, entrance, client, clock, lines };
}

/** The view as a window is told it now. */
async function viewOf(client: ContractRouterClient<typeof entranceContract>): Promise<EntranceView | undefined> {
  for await (const view of await client.watch()) return view;
  return undefined;
}

/** A desk in use: it has a key. */
async function locked() {
  const made = temporaryFolder();
  await storeKey(made.folder, RIGHT, `0x${'11'.repeat(32)}`, randomBytes, { scryptCost: 2 });
  return entranceOf(made);
}

test('a desk in use waits for its passphrase, says whose key it is, and that it opens halted', async () => {
  const { entrance, client, folder } = await locked();
  const given = entrance.passphrase();
  expect(await viewOf(client)).toEqual({ stage: 'opening' });
  await expect
    .poll(() => viewOf(client))
    .toMatchObject({
      stage: 'locked',
      folder,
      signer: '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a',
      comesBackLive: false,
      wrong: 0,
      nextAt: 0,
    });
  expect(entrance.waits()).toBe(true);
  await client.unlock({ passphrase: RIGHT });
  expect(await given).toBe(RIGHT);
  expect(entrance.waits()).toBe(false);
  expect(await viewOf(client)).toEqual({ stage: 'opening' });
  entrance.opened({ importKey: async () => '0x', unlock: async () => ({ address: '0x' }) });
  expect(await viewOf(client)).toEqual({ stage: 'open' });
});

test('the passphrase of a desk that was locked while it ran goes to that desk, and no other view is shown', async () => {
  const { entrance, client } = await locked();
  void entrance.passphrase();
  await expect.poll(() => viewOf(client)).toMatchObject({ stage: 'locked' });
  await client.unlock({ passphrase: RIGHT });
  const given: string[] = [];
  const unlock = async (passphrase: string) => {
    given.push(passphrase);
    if (passphrase === WRONG) throw new DeskError('wrong_passphrase', 'It is not.');
    return { address: '0x' } as const;
  };
  entrance.opened({ importKey: async () => '0x', unlock });
  await expect(client.unlock({ passphrase: WRONG })).rejects.toMatchObject({ data: { code: 'wrong_passphrase' } });
  await client.unlock({ passphrase: RIGHT });
  expect(given).toEqual([WRONG, RIGHT]);
  expect(await viewOf(client)).toEqual({ stage: 'open' });
});

test('a wrong passphrase is refused and counted, and each makes the next one wait twice as long, the right one too', async () => {
  const { entrance, client, clock } = await locked();
  void entrance.passphrase();
  await expect.poll(() => viewOf(client)).toMatchObject({ stage: 'locked' });
  for (const [count, seconds] of [
    [1, 1],
    [2, 2],
    [3, 4],
  ] as const) {
    await expect(client.unlock({ passphrase: WRONG })).rejects.toMatchObject({ data: { code: 'wrong_passphrase' } });
    expect(await viewOf(client)).toMatchObject({
      wrong: count,
      nextAt: 1_800_000_000_000 + clock.ms + seconds * 1_000,
    });
    clock.ms += seconds * 1_000 - 1;
    await expect(client.unlock({ passphrase: RIGHT })).rejects.toMatchObject({ data: { code: 'unlock_waits' } });
    clock.ms += 1;
  }
  await client.unlock({ passphrase: RIGHT });
  expect(await viewOf(client)).toEqual({ stage: 'opening' });
});

test('tries that come at once are taken one after the other, so that none of them gets around the wait', async () => {
  const { entrance, client } = await locked();
  void entrance.passphrase();
  await expect.poll(() => viewOf(client)).toMatchObject({ stage: 'locked' });
  const tries = await Promise.allSettled([WRONG, WRONG, RIGHT].map((passphrase) => client.unlock({ passphrase })));
  const codes = tries.map((tried) => (tried.status === 'rejected' ? tried.reason.data.code : 'taken'));
  expect(codes).toEqual(['wrong_passphrase', 'unlock_waits', 'unlock_waits']);
});

test('the wait is never longer than a minute, however many were wrong', async () => {
  const { entrance, client, clock } = await locked();
  void entrance.passphrase();
  await expect.poll(() => viewOf(client)).toMatchObject({ stage: 'locked' });
  for (let count = 0; count < 12; count += 1) {
    await expect(client.unlock({ passphrase: WRONG })).rejects.toMatchObject({ data: { code: 'wrong_passphrase' } });
    clock.ms += 60_000;
  }
  await client.unlock({ passphrase: RIGHT });
});

test('neither a wrong nor the right passphrase is written to the log', async () => {
  const { entrance, client, clock, lines } = await locked();
  void entrance.passphrase();
  await expect.poll(() => viewOf(client)).toMatchObject({ stage: 'locked' });
  await client.unlock({ passphrase: WRONG }).catch(() => {});
  clock.ms += 60_000;
  await client.unlock({ passphrase: RIGHT });
  expect(lines.join()).toContain('a wrong passphrase was given');
  expect(lines.join()).not.toContain(WRONG);
  expect(lines.join()).not.toContain(RIGHT);
});

test('a desk that was LIVE when it ended says that it goes on LIVE', async () => {
  const { entrance, client, folder } = await locked();
  writeFileSync(join(folder, 'armed'), '{}');
  void entrance.passphrase();
  await expect.poll(() => viewOf(client)).toMatchObject({ stage: 'locked', comesBackLive: true });
});

test('an empty folder takes the passphrase that a person sets, and asks for it from then on, before there is a key', async () => {
  const made = temporaryFolder();
  const first = entranceOf(made);
  const given = first.entrance.passphrase();
  expect(await viewOf(first.client)).toEqual({ stage: 'new', folder: made.folder });
  await expect(first.client.unlock({ passphrase: RIGHT })).rejects.toMatchObject({ data: { code: 'not_locked' } });
  await expect(first.client.begin({ passphrase: 'elevenchars' })).rejects.toMatchObject({
    data: { code: 'invalid_input', faults: [{ path: 'passphrase', message: 'must be 12 characters or more' }] },
  });
  await first.client.begin({ passphrase: RIGHT });
  expect(await given).toBe(RIGHT);
  expect(await readSecrets(made.folder, RIGHT)).toEqual({ counterparties: {}, serviceKeys: {} });
  expect(readFileSync(join(made.folder, 'secrets.json'), 'utf8')).not.toContain(RIGHT);

  const second = entranceOf(made);
  void second.entrance.passphrase();
  await expect.poll(() => viewOf(second.client)).toMatchObject({ stage: 'locked', signer: null });
  await expect(second.client.begin({ passphrase: WRONG })).rejects.toMatchObject({ data: { code: 'not_locked' } });
  await expect(second.client.unlock({ passphrase: WRONG })).rejects.toMatchObject({
    data: { code: 'wrong_passphrase' },
  });
  second.clock.ms += 60_000;
  await second.client.unlock({ passphrase: RIGHT });
});

test('a backup is put back before the passphrase: a desk that was LIVE opens halted, and an open desk takes none', async () => {
  const here = await locked();
  const journal = await openJournal({ folder: here.folder, now: () => 1_800_000_000_000 });
  await journal.append({ time: 1_800_000_000_000, actor: 'mara', kind: 'desk_stopped', body: {} });
  const elsewhere = temporaryFolder();
  closing.push(elsewhere.remove);
  const file = join(elsewhere.folder, 'backup.db');
  await journal.backup(file);
  await journal.close();
  writeFileSync(join(here.folder, 'armed'), '{}');
  const given = here.entrance.passphrase();
  await expect.poll(() => viewOf(here.client)).toMatchObject({ stage: 'locked', comesBackLive: true });
  const bare = { file, keystore: null, secrets: null };
  const done = await here.client.putBack(bare);
  expect(done).toMatchObject({ rows: 1, kept: expect.stringContaining('journal.db.before-') });
  expect(await viewOf(here.client)).toMatchObject({ stage: 'locked', comesBackLive: false });
  const another = here.client.putBack({ ...bare, keystore: '{}' });
  await expect(another).rejects.toMatchObject({ data: { code: 'keystore_exists' } });
  await here.client.unlock({ passphrase: RIGHT });
  await given;
  await expect(here.client.putBack(bare)).rejects.toMatchObject({ data: { code: 'not_locked' } });

  // In an empty folder its sealed key comes along, and asks for its passphrase.
  const fresh = entranceOf();
  void fresh.entrance.passphrase();
  await expect.poll(() => viewOf(fresh.client)).toMatchObject({ stage: 'new' });
  const keystore = readFileSync(join(here.folder, 'keystore.json'), 'utf8');
  await fresh.client.putBack({ file, keystore, secrets: null, passphrase: RIGHT });
  expect(await viewOf(fresh.client)).toMatchObject({ stage: 'locked', signer: expect.stringMatching(/^0x/) });
  await fresh.client.unlock({ passphrase: RIGHT });
});

/** A backup, and the texts of key and secrets of the folder that it was made of. */
async function backupWithKey(passphrase: string) {
  const [{ folder, remove }, elsewhere] = [temporaryFolder(), temporaryFolder()];
  closing.push(remove, elsewhere.remove);
  await storeKey(folder, passphrase, `0x${'11'.repeat(32)}`, randomBytes, { scryptCost: 2 });
  await writeSecrets(folder, passphrase, { counterparties: {}, serviceKeys: {} }, { scryptCost: 2 });
  const journal = await openJournal({ folder, now: () => 1_800_000_000_000 });
  await journal.append({ time: 1_800_000_000_000, actor: 'mara', kind: 'desk_stopped', body: {} });
  const file = join(elsewhere.folder, 'backup.db');
  await journal.backup(file);
  await journal.close();
  const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');
  return { file, keystore: textOf('keystore.json'), secrets: textOf('secrets.json') };
}

test('key and secrets that one passphrase does not open are not put back, and the folder stays as it was', async () => {
  const [own, others] = [await backupWithKey(RIGHT), await backupWithKey(WRONG)];
  const { entrance, client, folder } = entranceOf();
  void entrance.passphrase();
  await expect.poll(() => viewOf(client)).toMatchObject({ stage: 'new' });
  const before = readdirSync(folder);
  for (const [changes, code] of [
    [{ keystore: own.secrets, secrets: own.keystore }, 'bad_keystore'], // swapped
    [{ secrets: own.keystore }, 'bad_seal'],
    [{ keystore: '{}' }, 'bad_keystore'],
    [{ secrets: others.secrets }, 'wrong_passphrase'],
    [{ keystore: others.keystore }, 'wrong_passphrase'],
    [{ passphrase: WRONG }, 'wrong_passphrase'],
    [{ passphrase: undefined }, 'no_passphrase'],
  ] as const) {
    const asked = client.putBack({ ...own, passphrase: RIGHT, ...changes });
    await expect(asked, JSON.stringify(Object.keys(changes))).rejects.toMatchObject({ data: { code } });
    expect(readdirSync(folder)).toEqual(before);
  }
  await client.putBack({ ...own, passphrase: RIGHT });
  await client.unlock({ passphrase: RIGHT });
});

test('where the secrets cannot be written the key does not stay alone, and both are put back once they can', async () => {
  const own = await backupWithKey(RIGHT);
  const { entrance, client, folder } = entranceOf();
  void entrance.passphrase();
  await expect.poll(() => viewOf(client)).toMatchObject({ stage: 'new' });
  const inTheWay = join(folder, 'secrets.json');
  symlinkSync('nowhere', inTheWay); // no file is made through it
  const asked = client.putBack({ ...own, passphrase: RIGHT });
  await expect(asked).rejects.toMatchObject({ data: { code: 'backup_failed' } });
  expect(existsSync(join(folder, 'keystore.json'))).toBe(false);
  expect(await viewOf(client)).toMatchObject({ stage: 'new' });
  rmSync(inTheWay);
  await client.putBack({ ...own, passphrase: RIGHT });
  expect(await viewOf(client)).toMatchObject({ stage: 'locked' });
  await client.unlock({ passphrase: RIGHT });
  expect(await readSecrets(folder, RIGHT)).toEqual({ counterparties: {}, serviceKeys: {} });
});
