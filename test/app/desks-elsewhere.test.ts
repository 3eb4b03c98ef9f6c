import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { DesksElsewhere } from '../../electron/app/desks-elsewhere.ts';
import type { TokenVault } from '../../electron/app/token-vault.ts';
import type { DeskConnection } from '../../electron/commands/client.ts';
import type { DesksView, OwnDeskState } from '../../electron/contract/desks-elsewhere.ts';
import { freePort } from '../desk/caddy.ts';
import { connectionTo } from '../desk/connection.ts';
import { type RunningDesk, removeFolder, runCommand, startDesk, temporaryFolder } from '../desk/desk-process.ts';
import { dribbling, lying } from '../desk/wrong-desks.ts';
import { PATIENCE } from '../how-long.ts';

/** A vault that seals as little as this test has to tell apart: by what it wrote nobody can read the token at a glance. */
const vault: TokenVault = {
  notKept: null,
  seal: (text) => Buffer.from(text).toString('base64'),
  open: (sealed) => Buffer.from(sealed, 'base64').toString(),
};
const noVault: TokenVault = { notKept: 'There is no keychain here.', seal: () => '', open: () => null };

const files: string[] = [];
const newFile = () => {
  const folder = mkdtempSync(join(tmpdir(), 'makerdesk-list-'));
  files.push(folder);
  return join(folder, 'desks-elsewhere.json');
};
afterEach(() => {
  for (const folder of files.splice(0)) removeFolder(folder);
});

/** The list of an app whose own desk does what it is told. */
function listOf(file: string, { own = 'LIVE', keeps = vault }: { own?: OwnDeskState; keeps?: TokenVault } = {}) {
  const ownDesk = { state: own, halts: 0, again: 0 };
  const desks: DesksElsewhere = new DesksElsewhere({
    file,
    vault: keeps,
    now: Date.now,
    own: {
      state: () => ownDesk.state,
      halt: () => {
        ownDesk.halts += 1;
      },
      haltAgain: () => {
        ownDesk.again += 1;
      },
    },
    removed: () => {},
  });
  onTestFinished(() => desks.close());
  return { desks, ownDesk };
}

/** Waits until the view is as it should be. */
function until(desks: DesksElsewhere, isSo: (view: DesksView) => boolean): Promise<DesksView> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`not so: ${JSON.stringify(desks.view())}`)), PATIENCE);
    let end: () => void = () => {};
    end = desks.subscribe((view) => {
      if (!isSo(view)) return;
      clearTimeout(late);
      queueMicrotask(() => end());
      resolve(view);
    });
  });
}

const rowOf = (view: DesksView, name: string) => view.desks.find((row) => row.name === name);
const isConfirmed = (view: DesksView, name: string) => rowOf(view, name)?.halt?.stage === 'confirmed';

describe('desks elsewhere in the list of the app', () => {
  const { folder, remove } = temporaryFolder();
  let desk: RunningDesk;
  let owner: DeskConnection;
  let url: string;
  let consolePort: string;

  const start = async () => {
    desk = await startDesk(folder, 'serve', ['--console-port', consolePort]);
    owner = await connectionTo(folder);
  };
  beforeAll(async () => {
    consolePort = String(await freePort());
    url = `http://127.0.0.1:${consolePort}`;
    expect(await runCommand(folder, ['key', 'new'])).toMatchObject({ code: 0 });
    await start();
  });
  afterAll(async () => {
    await owner?.close();
    await desk?.stop();
    remove();
  });
  const tokenOf = async (name: string, rights = 'halt') => {
    const { token } = await owner.desk.tokens.create({ name, rights });
    onTestFinished(() => void owner.desk.tokens.revoke({ name }).catch(() => {}));
    return token;
  };

  test('a desk that is added is asked what it is doing, and its token lies in no file as it is', async () => {
    const file = newFile();
    const { desks } = listOf(file);
    const token = await tokenOf('fran');
    await desks.add({ name: 'fra-1', url, token });
    const view = await until(desks, ({ desks: [row] }) => row?.heard !== null);
    expect(view.desks).toMatchObject([
      { name: 'fra-1', url, token: 'kept', silent: null, heard: { status: { state: 'HALTED' } } },
    ]);
    expect(readFileSync(file, 'utf8')).not.toContain(token);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const again = listOf(file).desks;
    expect(again.view().desks).toMatchObject([{ name: 'fra-1', token: 'kept' }]);
    await until(again, ({ desks: [row] }) => row?.heard !== null);
  });

  test('where the computer has no keychain the token is in memory alone, and asked for after a start', async () => {
    const file = newFile();
    const { desks } = listOf(file, { keeps: noVault });
    const token = await tokenOf('nora');
    await desks.add({ name: 'fra-1', url, token });
    expect(desks.view()).toMatchObject({ notKept: noVault.notKept, desks: [{ token: 'here' }] });
    const after = listOf(file, { keeps: noVault }).desks;
    expect(after.view().desks).toMatchObject([{ token: 'none', heard: null }]);
    after.haltAll();
    await until(after, (view) => rowOf(view, 'fra-1')?.halt?.stage === 'unconfirmed');
    await after.change({ of: 'fra-1', name: 'fra-1', url, token });
    // What was pressed before it had its token is carried out now.
    await until(after, (view) => isConfirmed(view, 'fra-1'));
  });

  test('a token is sent to no other address than the one it was given for, whoever writes the file', async () => {
    const file = newFile();
    const { desks } = listOf(file);
    const token = await tokenOf('olaf');
    await desks.add({ name: 'fra-1', url, token });
    const other = `http://127.0.0.1:${await freePort()}`;
    await expect(desks.change({ of: 'fra-1', name: 'fra-1', url: other, token: null })).rejects.toMatchObject({
      code: 'no_token',
    });
    writeFileSync(file, readFileSync(file, 'utf8').replace(url, other));
    expect(listOf(file).desks.view().desks).toMatchObject([{ url: other, token: 'none' }]);
  });

  test('a list that cannot be read is told, and nothing is written over it; HALT ALL halts the own desk', async () => {
    const file = newFile();
    for (const text of [
      '',
      '[]',
      '{"version":2,"desks":[]}',
      '{"version":1,"desks":[{"name":"A","url":"x","token":null}]}',
    ]) {
      writeFileSync(file, text);
      const { desks, ownDesk } = listOf(file);
      expect(desks.view().unread).toContain('cannot be read');
      await expect(desks.add({ name: 'fra-1', url, token: 'a-token' })).rejects.toMatchObject({ code: 'list_unread' });
      expect(readFileSync(file, 'utf8')).toBe(text);
      desks.haltAll();
      expect(ownDesk.halts).toBe(1);
    }
  });

  test('one that is killed is told as not answering since then, and is followed again once it is back', async () => {
    const { desks } = listOf(newFile());
    await desks.add({ name: 'fra-1', url, token: await tokenOf('kim') });
    await until(desks, ({ desks: [row] }) => row?.heard !== null);
    await owner.close();
    await desk.kill();
    const gone = await until(desks, ({ desks: [row] }) => row?.silent !== null);
    expect(rowOf(gone, 'fra-1')).toMatchObject({ heard: { status: { state: 'HALTED' } } });
    const heardAt = rowOf(gone, 'fra-1')?.heard?.at ?? 0;
    expect(rowOf(gone, 'fra-1')?.silent?.since).toBe(heardAt);
    await start();
    await until(desks, ({ desks: [row] }) => row?.silent === null && (row.heard?.at ?? 0) > heardAt);
  });

  test('a token that was revoked is told as not taken', async () => {
    const { desks } = listOf(newFile());
    await desks.add({ name: 'fra-1', url, token: await tokenOf('rita') });
    await until(desks, ({ desks: [row] }) => row?.heard !== null);
    await owner.desk.tokens.revoke({ name: 'rita' });
    await until(desks, ({ desks: [row] }) => row?.silent?.why.includes('does not take this token') === true);
  });

  test('HALT ALL halts at once whoever answers, in bad company too, and says who has not confirmed', async () => {
    const { desks, ownDesk } = listOf(newFile());
    const gone = `http://127.0.0.1:${await freePort()}`;
    await desks.add({ name: 'gone', url: gone, token: 'a-token' });
    await desks.add({ name: 'dribble', url: await dribbling(), token: 'a-token' });
    await desks.add({ name: 'liar', url: await lying(), token: 'a-token' });
    await desks.add({ name: 'fra-1', url, token: await tokenOf('hal') });
    await until(desks, (view) => rowOf(view, 'fra-1')?.heard !== null);
    desks.haltAll();
    const view = await until(desks, (now) => isConfirmed(now, 'fra-1'));
    expect(await owner.desk.trading.status()).toMatchObject({ actor: 'hal', reason: 'HALT ALL of the desktop app' });
    expect(view.desks.filter(({ halt }) => halt?.stage === 'confirmed').map(({ name }) => name)).toEqual(['fra-1']);
    // The liar is told as one that did not answer first, where it was slow to answer.
    await until(desks, (now) => {
      const [lied, ...others] = ['liar', 'gone', 'dribble'].map((name) => rowOf(now, name)?.halt);
      return (
        lied?.stage === 'unconfirmed' &&
        lied.why === 'It says that it is LIVE after the halt.' &&
        others.every((halt) => halt?.stage === 'unconfirmed')
      );
    });
    // The own desk is asked again until it is seen to be halted.
    expect(ownDesk.halts).toBe(1);
    await expect.poll(() => ownDesk.again).toBeGreaterThan(0);
    ownDesk.state = 'HALTED';
    desks.ownChanged();
    expect(desks.view().own.halt).toMatchObject({ stage: 'confirmed' });
    desks.letBe('gone');
    expect(rowOf(desks.view(), 'gone')?.halt).toBeNull();
  });

  test('one that hangs keeps none waiting, and is halted when it wakes', async () => {
    const { desks } = listOf(newFile());
    await desks.add({ name: 'fra-1', url, token: await tokenOf('nick') });
    await until(desks, ({ desks: [row] }) => row?.heard !== null);
    desk.signal('SIGSTOP');
    onTestFinished(() => desk.signal('SIGCONT'));
    desks.haltAll();
    await until(desks, (view) => rowOf(view, 'fra-1')?.halt?.stage === 'unconfirmed');
    desk.signal('SIGCONT');
    await until(desks, (view) => isConfirmed(view, 'fra-1'));
    // However often it was sent while nothing answered, it was pressed once.
    const [stop] = (await owner.desk.trading.stops({})).rows;
    expect([stop?.began, ...(stop?.words ?? [])].filter((word) => word?.actor === 'nick')).toHaveLength(1);
  });

  test('names, and how many there may be, are kept to', async () => {
    const { desks } = listOf(newFile());
    await desks.add({ name: 'fra-1', url, token: 'a-token' });
    await expect(desks.add({ name: 'fra-1', url, token: 'a-token' })).rejects.toMatchObject({ code: 'desk_listed' });
    await expect(desks.remove('ash-1')).rejects.toMatchObject({ code: 'unknown_desk' });
    await desks.remove('fra-1');
    expect(desks.view().desks).toEqual([]);
  });
});
