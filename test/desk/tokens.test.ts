import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { addJournal } from '../../electron/commands/journal.ts';
import { addLock } from '../../electron/commands/lock.ts';
import { addTakeOver } from '../../electron/commands/take-over.ts';
import { addToken } from '../../electron/commands/token.ts';
import { openFolderClient } from '../../electron/desk/folder-client.ts';
import { CHAIN, deskFile } from '../book/fixture.ts';
import { commandsHere } from './commands-here.ts';
import { PASSPHRASE, runCommand, startDesk, temporaryFolder } from './desk-process.ts';
import { keyIn } from './key-in.ts';

const PAIR = 'WETH/USDC';

/** At a desk that runs: what needs no passphrase there is told to it from here. */
const here = commandsHere(addJournal, addTakeOver, addToken, (program, folderOf, actor) =>
  addLock(program, { folderOf, placeOf: folderOf }, actor),
);

test('a token is printed once and kept as a hash; with it an engine pushes to a desk that runs, until it is revoked', async () => {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const client = await openFolderClient(folder, 'mara', async () => PASSPHRASE);
  await client.desk.desk.import({ desk: deskFile() });
  await client.close();
  const made = await runCommand(folder, ['token', 'new', 'alpha', '--rights', 'prices']);
  expect([made.code, made.stderr]).toEqual([0, '']);
  const { token, ...rest } = JSON.parse(made.stdout);
  expect(rest).toEqual({ name: 'alpha', rights: 'prices', prices: null });

  const desk = await startDesk(folder, 'serve', ['--prices-port', '0']);
  onTestFinished(async () => void (await desk.stop()));
  expect(desk.ready.prices).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const ask = async (method: string, body?: unknown, bearer = token) => {
    const headers = { authorization: `Bearer ${bearer}` };
    const answer = await fetch(`${desk.ready.prices}/${CHAIN}`, { method, headers, body: JSON.stringify(body) });
    return { status: answer.status, body: await answer.json() };
  };
  expect(await ask('PUT', { sequence: 1, mids: { [PAIR]: '3420' } })).toEqual({
    status: 200,
    body: { sequence: 1, revisions: { [PAIR]: 2 }, refused: {} },
  });
  const taken = await runCommand(folder, ['take-over', '--pair', PAIR]);
  expect(JSON.parse(taken.stdout)).toMatchObject({ chainId: CHAIN, pair: PAIR, byHand: true });
  const { body } = await ask('PUT', { sequence: 2, mids: { [PAIR]: '3421' } });
  expect(body.refused).toMatchObject({ [PAIR]: { code: 'taken_over' } });
  expect((await here(folder, ['give-back', '--pair', PAIR])).code).toBe(0);
  const { body: later } = await ask('PUT', { sequence: 3, mids: { [PAIR]: '3422' } });
  expect(later).toEqual({ sequence: 3, revisions: { [PAIR]: 3 }, refused: {} });
  const second = JSON.parse((await here(folder, ['token', 'new', 'beta', '--rights', 'prices'])).stdout);
  expect(second.prices).toBe(desk.ready.prices);
  expect((await ask('GET', undefined, second.token)).status).toBe(200);
  const again = await here(folder, ['token', 'new', 'beta', '--rights', 'prices']);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('There is a token beta already')]);
  const listed = JSON.parse((await here(folder, ['token', 'list', '--json'])).stdout);
  expect(listed).toMatchObject([{ name: 'alpha', rights: 'prices' }, { name: 'beta' }]);

  expect((await here(folder, ['token', 'revoke', 'alpha'])).code).toBe(0);
  expect(await ask('GET')).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  const told = await here(folder, ['journal', '--limit', '3']);
  expect(told.stdout).toContain('revoked the token alpha');
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const text = readFileSync(join(file.parentPath, file.name), 'latin1');
    for (const secret of [token, second.token]) expect(text, file.name).not.toContain(secret);
  }
  expect(desk.stderr()).not.toContain(token);
});

test('a token that is revoked while the key is locked counts no more, after a restart and an unlock too, and its name is free again', async () => {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  await keyIn(folder);
  const client = await openFolderClient(folder, 'mara', async () => PASSPHRASE);
  await client.desk.desk.import({ desk: deskFile() });
  const [kept, leaver] = await Promise.all(
    ['kept', 'leaver'].map(async (name) => (await client.desk.tokens.create({ name, rights: 'prices' })).token),
  );
  await client.close();
  let desk = await startDesk(folder, 'serve', ['--prices-port', '0']);
  onTestFinished(async () => void (await desk.stop()));
  const statusFor = async (token: string | undefined) => {
    const answer = await fetch(`${desk.ready.prices}/${CHAIN}`, { headers: { authorization: `Bearer ${token}` } });
    return answer.status;
  };
  const lock = async () => expect((await here(folder, ['lock'])).code).toBe(0);
  const listed = async () => JSON.parse((await here(folder, ['token', 'list', '--json'])).stdout);

  await lock();
  expect((await here(folder, ['token', 'revoke', 'leaver'])).code).toBe(0);
  expect([await statusFor(kept), await statusFor(leaver)]).toEqual([200, 401]);
  await desk.kill();
  desk = await startDesk(folder, 'serve', ['--prices-port', '0']);
  expect([await statusFor(kept), await statusFor(leaver)]).toEqual([200, 401]);
  expect(await listed()).toMatchObject([{ name: 'kept' }]);

  await lock();
  expect((await here(folder, ['token', 'revoke', 'kept'])).code).toBe(0);
  expect((await runCommand(folder, ['unlock'])).code).toBe(0);
  const { token: again } = JSON.parse((await here(folder, ['token', 'new', 'kept', '--rights', 'prices'])).stdout);
  expect([await statusFor(kept), await statusFor(leaver), await statusFor(again)]).toEqual([401, 401, 200]);
});
