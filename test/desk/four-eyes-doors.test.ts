import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { fourEyesKindSchema } from '../../electron/contract/approvals.ts';
import { limitsSchema } from '../../electron/contract/limits.ts';
import { openFolderClient } from '../../electron/desk/folder-client.ts';
import { refusalOf } from '../../renderer/state/refusal-of.ts';
import { CHAIN, chain, deskFile } from '../book/fixture.ts';
import { browserConsole } from '../hostile/browser-console.ts';
import { connectionTo } from './connection.ts';
import { PASSPHRASE, type RunningDesk, runCommand, startDesk, temporaryFolder } from './desk-process.ts';
import { keyIn } from './key-in.ts';

const SECRET = 'the secret of nobody here';
const limits = (weth: string) => limitsSchema.parse({ maxQuote: { WETH: weth } });

/** A desk with ada, who may do everything, and four eyes for all there is: the tests follow each other on it. */
const { folder, remove } = temporaryFolder();
let token: string;
let desk: RunningDesk | undefined;

beforeAll(async () => {
  await keyIn(folder);
  const client = await openFolderClient(folder, 'mara', async () => PASSPHRASE);
  await client.desk.desk.import({ desk: { ...deskFile(), chains: [chain({ limits: { maxQuote: { WETH: '5' } } })] } });
  ({ token } = await client.desk.tokens.create({ name: 'ada', rights: 'admin' }));
  await client.desk.approvals.set({ kinds: fourEyesKindSchema.options, seen: [] });
  await client.close();
});
afterAll(async () => {
  await desk?.stop();
  remove();
});

/** The desk, started where the test before has left none. */
async function started(): Promise<RunningDesk> {
  desk ??= await startDesk(folder, 'serve', []);
  return desk;
}

const consoleOf = async (desk: RunningDesk, token: string) => {
  const opened = await browserConsole(`${new URL(desk.ready.console).origin}/#${token}`);
  onTestFinished(() => opened.socket.terminate());
  return opened.desk;
};

test('on a folder without a desk nothing that takes a second person is done, and a sentence says so; a halt and a lower limit are', async () => {
  const file = join(folder, 'other-desk.json');
  writeFileSync(file, JSON.stringify({ ...deskFile(), chains: [chain()] }));
  for (const args of [
    ['resume', '--reason', 'alone'],
    ['import', file],
    ['takers', 'add', `0x${'9'.repeat(40)}`, '--reason', 'theirs'],
    ['token', 'new', 'mara-too', '--rights', 'admin'],
    ['approvals', 'require', 'none'],
    ['key', 'new'],
  ]) {
    const { code, stdout, stderr } = await runCommand(folder, args);
    expect([args[0], code, stdout]).toEqual([args[0], 1, '']);
    expect(stderr).toMatch(/takes a second person/);
  }
  expect((await runCommand(folder, ['halt', '--reason', 'alone'])).code).toBe(0);
  const { stdout } = await runCommand(folder, ['approvals', '--json']);
  expect(JSON.parse(stdout)).toEqual({
    kinds: ['keys', 'limits', 'networks', 'resume', 'takers'],
    waiting: [],
    underWay: [],
    past: [],
  });
});

test('what one person asked for at any door waits over kill -9, and another one carries it out: its secret is nowhere in the open', async () => {
  const killed = await started();
  const own = await connectionTo(folder, 'a console of mara');
  onTestFinished(() => own.close());
  const counterparty = { domain: 'second', accessKey: 'its key', secretKey: SECRET, signedPath: 'full' } as const;
  const asked: unknown = await own.desk.settings.saveCounterparty({ counterparty }).catch((error) => error);
  expect(refusalOf(asked).code).toBe('second_person_asked');
  const resumed = await runCommand(folder, ['resume', '--reason', 'checked']);
  expect([resumed.code, resumed.stdout]).toEqual([1, '']);
  expect(resumed.stderr).toMatch(
    /^This waits for a second person: go live on the desk \(checked\)\.\nIt is request \d+, /,
  );
  await killed.kill();
  desk = undefined;

  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    expect(readFileSync(join(file.parentPath, file.name), 'latin1'), file.name).not.toContain(SECRET);
  }
  const again = await started();
  const list = async () => JSON.parse((await runCommand(folder, ['approvals', '--json'])).stdout);
  const { waiting } = await list();
  expect(waiting).toMatchObject([
    { says: 'save the counterparty second' },
    { says: 'go live on the desk (checked)', reason: 'checked' },
  ]);
  const [keys, resume] = waiting.map(({ seq }: { seq: number }) => String(seq));
  const mine = await runCommand(folder, ['approvals', 'approve', keys]);
  expect([mine.code, mine.stderr]).toEqual([1, expect.stringContaining('You asked for this yourself')]);
  const page = await consoleOf(again, new URL(again.ready.console).hash.slice(1));
  const alone: unknown = await page.approvals.approve({ request: Number(keys) }).catch((error) => error);
  expect(refusalOf(alone).code, 'a browser of the same user').toBe('own_approval');

  const ada = await consoleOf(again, token);
  await ada.approvals.approve({ request: Number(keys) });
  const { secrets } = await ada.settings.get();
  expect(secrets.map(({ domain }) => domain)).toEqual(['practice', 'second']);
  // Its chain has no node here, so that nothing may go live: that is told to whoever approved it.
  const failed: unknown = await ada.approvals.approve({ request: Number(resume) }).catch((error) => error);
  expect(refusalOf(failed).code).toBe('checks_failed');
  const { past } = await list();
  expect(past.map(({ ended }: { ended: { how: string } }) => ended.how)).toEqual(['failed', 'done']);
  const told = (await runCommand(folder, ['journal', '--limit', '8'])).stdout;
  expect(told).toMatch(/ada\s+approved what a console of mara asked for: save the counterparty second/);
  expect(told).toMatch(/carried out, asked for by a console of mara and approved by ada: save the counterparty second/);
});

test('the user who runs the desk approves by command what a token asked for, refuses with a reason, and takes back their own', async () => {
  const ada = await consoleOf(await started(), token);
  const ask = async (weth: string): Promise<string> => {
    const asked: unknown = await ada.limits.set({ chainId: CHAIN, limits: limits(weth) }).catch((error) => error);
    expect(refusalOf(asked).code).toBe('second_person_asked');
    return String((await ada.approvals.list({})).waiting.at(-1)?.seq);
  };
  const shown = await ask('8').then(async (number) => ({ number, ...(await runCommand(folder, ['approvals'])) }));
  expect(shown.stdout).toContain(`  ${shown.number}  ada: set the limits of Practice; until `);
  expect(shown.stdout).toContain('Practice (31337), WETH: at most in one quote: 5 → 8');
  const yes = await runCommand(folder, ['approvals', 'approve', shown.number]);
  expect([yes.code, JSON.parse(yes.stdout)]).toMatchObject([0, { approved: Number(shown.number) }]);
  const second = await ask('9');
  expect((await runCommand(folder, ['approvals', 'refuse', second])).stderr).toContain('Refusing needs a reason');
  expect((await runCommand(folder, ['approvals', 'refuse', second, '--reason', 'too much'])).code).toBe(0);
  expect((await runCommand(folder, ['approvals', 'refuse', second, '--reason', 'again'])).stderr).toContain(
    'no longer waits',
  );
  const settings = await ada.settings.get();
  expect(settings.desk.chains[0]?.limits.maxQuote).toEqual({ WETH: '8' });

  expect((await runCommand(folder, ['approvals', 'require', 'limits'])).stderr).toContain('waits for a second person');
  const [{ seq = 0 } = {}] = (await ada.approvals.list({})).waiting;
  expect((await runCommand(folder, ['approvals', 'withdraw', String(seq)])).code).toBe(0);
  expect((await ada.approvals.list({})).past[0]).toMatchObject({ ended: { how: 'withdrawn' } });
  expect((await ada.approvals.list({})).past[1]).toMatchObject({ ended: { how: 'refused', why: 'too much' } });
});

test('a key that is locked lets nothing new wait, and keeps what waits', async () => {
  const ada = await consoleOf(await started(), token);
  const ask = (weth: string) =>
    ada.limits.set({ chainId: CHAIN, limits: limits(weth) }).catch((error: unknown) => refusalOf(error).code);
  await ada.limits.set({ chainId: CHAIN, limits: limits('5') });
  expect(await ask('8')).toBe('second_person_asked');
  expect((await runCommand(folder, ['lock'])).code).toBe(0);
  expect(await ask('9')).toBe('key_locked');
  await ada.limits.set({ chainId: CHAIN, limits: limits('5') });
  const [{ seq = 0 } = {}] = (await ada.approvals.list({})).waiting;
  expect((await runCommand(folder, ['approvals', 'approve', String(seq)])).code).toBe(0);
  expect((await ada.settings.get()).desk.chains[0]?.limits.maxQuote).toEqual({ WETH: '8' });
});
