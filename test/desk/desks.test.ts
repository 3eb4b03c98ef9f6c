import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { DeskConnection } from '../../electron/commands/client.ts';
import { type Caddy, freePort, noCaddy, startCaddy } from './caddy.ts';
import { connectionTo } from './connection.ts';
import { CLI, type RunningDesk, runCommand, startDesk, temporaryFolder } from './desk-process.ts';
import { keyIn } from './key-in.ts';
import { dribbling, lying } from './wrong-desks.ts';

interface Elsewhere {
  desk: RunningDesk;
  caddy: Caddy;
  owner: DeskConnection;
  url: string;
  token: string;
  remove(): void;
}

/** A desk behind a proxy of its own, and a token that may halt it and no more. */
async function deskElsewhere(): Promise<Elsewhere> {
  const { folder, remove } = temporaryFolder();
  await keyIn(folder);
  const port = await freePort();
  const url = `https://localhost:${port}`;
  const desk = await startDesk(folder, 'serve', ['--console-url', url]);
  const caddy = await startCaddy(port, new URL(desk.ready.console).host);
  const owner = await connectionTo(folder);
  const { token } = await owner.desk.tokens.create({ name: 'night-watch', rights: 'halt' });
  return { desk, caddy, owner, url, token, remove };
}

describe.skipIf(noCaddy !== null)('several desks elsewhere', () => {
  const { folder, remove } = temporaryFolder();
  let fra: Elsewhere;
  let ash: Elsewhere;
  let trusted: string;

  beforeAll(async () => {
    [fra, ash] = await Promise.all([deskElsewhere(), deskElsewhere()]);
    trusted = join(folder, 'authorities.crt');
    writeFileSync(trusted, [fra, ash].map(({ caddy }) => readFileSync(caddy.authority, 'utf8')).join('\n'));
  });
  afterAll(async () => {
    for (const elsewhere of [fra, ash]) {
      await elsewhere?.owner.close();
      await elsewhere?.caddy.stop();
      await elsewhere?.desk.stop();
      elsewhere?.remove();
    }
    remove();
  });

  const listOf = (desks: unknown[]) => {
    const file = join(folder, 'desks.json');
    writeFileSync(file, JSON.stringify({ desks }));
    return file;
  };
  const rows = () => [
    { name: 'fra-1', url: fra.url },
    { name: 'ash-1', url: ash.url },
  ];
  const environment = () => ({
    MAKERDESK_TOKEN_FRA_1: fra.token,
    MAKERDESK_TOKEN_ASH_1: ash.token,
    MAKERDESK_TOKEN_GONE: 'a-token',
    MAKERDESK_TOKEN_LIAR: 'a-token',
    NODE_EXTRA_CA_CERTS: trusted,
  });
  const desks = (...args: string[]) => runCommand(null, ['desks', ...args], environment());
  /** The same, heard while it runs. */
  const running = (...args: string[]) => {
    const child = spawn(process.execPath, [CLI, 'desks', ...args], { env: { ...process.env, ...environment() } });
    onTestFinished(() => void child.kill('SIGKILL'));
    const heard = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => {
      heard.stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      heard.stderr += chunk;
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    return { heard, ended, interrupt: () => child.kill('SIGINT') };
  };
  const halted = (stdout: string) =>
    stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).desk as string]));
  const reasonsOf = () => Promise.all([fra, ash].map(async ({ owner }) => (await owner.desk.trading.status()).reason));

  test('are listed with what each is doing, by whoever may do no more than halt', async () => {
    await vi.waitFor(async () => {
      const listed = await desks('list', listOf(rows()), '--json');
      expect([listed.code, JSON.parse(listed.stdout)]).toMatchObject([
        0,
        [
          { desk: 'fra-1', state: 'HALTED' },
          { desk: 'ash-1', state: 'HALTED' },
        ],
      ]);
    });
  });

  test('are halted together, each under the name and with the reason of whoever halts', async () => {
    const all = await desks('halt', listOf(rows()), '--reason', 'the market has gone mad');
    expect(all.code).toBe(0);
    expect(halted(all.stdout).sort()).toEqual(['ash-1', 'fra-1']);
    expect(await reasonsOf()).toEqual(['the market has gone mad', 'the market has gone mad']);
    expect(await fra.owner.desk.trading.status()).toMatchObject({ actor: 'night-watch' });
  });

  test('one that hangs is told as not answering, and is halted when it wakes; the other is halted at once', async () => {
    ash.desk.signal('SIGSTOP');
    onTestFinished(() => ash.desk.signal('SIGCONT'));
    const answers = expect.stringMatching(/fra-1 +HALTED[\s\S]*ash-1 +NO ANSWER/);
    await vi.waitFor(async () =>
      expect(await desks('list', listOf(rows()))).toMatchObject({ code: 1, stdout: answers }),
    );
    const all = running('halt', listOf(rows()), '--reason', 'one hangs');
    await expect.poll(() => halted(all.heard.stdout)).toEqual(['fra-1']);
    await expect.poll(() => all.heard.stderr).toContain('ash-1: not halted');
    ash.desk.signal('SIGCONT');
    expect(await all.ended).toBe(0);
    expect(halted(all.heard.stdout)).toEqual(['fra-1', 'ash-1']);
    expect(await reasonsOf()).toEqual(['one hangs', 'one hangs']);
  });

  test('rows that are wrong, desks that are gone, that dribble or that lie keep none of the others from halting', async () => {
    const dribble = await dribbling();
    const liar = await lying();
    const gone = await freePort();
    const file = listOf([
      { name: 'Not A Name', url: fra.url },
      { name: 'fra-1', url: fra.url, more: true },
      { name: 'no-url', url: 'nowhere' },
      { name: 'no-token', url: fra.url },
      null,
      { name: 'gone', url: `http://127.0.0.1:${gone}` },
      { name: 'dribble', url: dribble },
      { name: 'liar', url: liar },
      ...rows(),
    ]);
    // Each is given three seconds: a slow machine is asked once more.
    let said = '';
    await vi.waitFor(async () => {
      const all = await runCommand(null, ['desks', 'halt', file, '--once', '--reason', 'in bad company'], {
        ...environment(),
        MAKERDESK_TOKEN_DRIBBLE: 'a-token',
      });
      said += all.stderr;
      expect(all.code).toBe(1);
      expect(halted(all.stdout).sort()).toEqual(['ash-1', 'fra-1']);
      expect(await reasonsOf()).toEqual(['in bad company', 'in bad company']);
      const left = 'NOT confirmed: row 1, row 2, no-url, no-token, row 5, gone, dribble, liar.';
      expect(all.stderr).toContain(left);
    });
    expect(said).not.toContain(fra.token);
  });

  test('two of one name are told apart: that one has confirmed does not say that the other has', async () => {
    const file = listOf([
      { name: 'fra-1', url: fra.url },
      { name: 'fra-1', url: ash.url },
    ]);
    await vi.waitFor(async () => {
      const all = await desks('halt', file, '--once', '--reason', 'twins');
      expect(all).toMatchObject({ code: 1, stderr: expect.stringContaining('NOT confirmed: fra-1.') });
      expect(halted(all.stdout)).toEqual(['fra-1']);
      expect((await reasonsOf())[0]).toBe('twins');
    });
  });

  test('one that is gone is asked until a person ends it, who is told what has not confirmed', async () => {
    const gone = await freePort();
    const all = running('halt', listOf([...rows(), { name: 'gone', url: `http://127.0.0.1:${gone}` }]));
    await expect.poll(() => halted(all.heard.stdout).sort()).toEqual(['ash-1', 'fra-1']);
    await expect.poll(() => all.heard.stderr).toContain('Trying again');
    all.interrupt();
    expect(await all.ended).toBe(1);
    expect(all.heard.stderr).toContain('NOT confirmed: gone.');
  });
});

test('what is no list of desks is refused', async () => {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const file = join(folder, 'desks.json');
  for (const text of ['{}', '{"desks": []}', '[1]', '']) {
    writeFileSync(file, text);
    expect(await runCommand(null, ['desks', 'halt', file]), text).toMatchObject({ code: 1, stdout: '' });
  }
});
