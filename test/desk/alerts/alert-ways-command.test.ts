import { expect, onTestFinished, test } from 'vitest';
import { addAlertWays } from '../../../electron/commands/alert-ways.ts';
import { addExport } from '../../../electron/commands/export.ts';
import { openTestJournal } from '../../journal/fixture.ts';
import { answering, saying } from '../../service/http-answers.ts';
import { commandsHere } from '../commands-here.ts';
import { runCommand, temporaryFolder } from '../desk-process.ts';

const KEY = 'T0KEN-canary-4711';

test('a chat is set up, tried and listed at the command line, its address from the environment and shown and exported by its origin alone', async () => {
  const chat = await answering(saying('invalid_token', 403, 'text/plain'));
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  await (await openTestJournal(folder)).close();
  const run = async (args: string[], environment = {}) => {
    const { code, stdout, stderr } = await runCommand(folder, ['alert-ways', ...args], environment);
    expect(`${stdout}${stderr}`).not.toContain(KEY);
    return { code, stdout, stderr };
  };
  const set = ['webhook', 'chat', '--kinds', 'halt,look', '--after', '5'];
  expect(await run(set, { MAKERDESK_ALERT_URL: `${chat.url}/services/${KEY}` })).toMatchObject({ code: 0 });
  const tried = await run(['test', 'chat']);
  expect(tried.code).toBe(1);
  expect(JSON.parse(tried.stdout)).toEqual({ name: 'chat', ok: false, answered: 'it answered 403: invalid_token' });
  expect(chat.asked.map(({ path }) => path)).toEqual([`/services/${KEY}`]);
  const here = commandsHere(addAlertWays, addExport);
  const list = await here(folder, ['alert-ways', 'list', '--json']);
  expect(`${list.stdout}${list.stderr}`).not.toContain(KEY);
  const listed = JSON.parse(list.stdout);
  expect(listed).toMatchObject({
    ways: [{ way: { name: 'chat', kinds: ['halt', 'look'], afterMinutes: 5, url: expect.stringContaining(chat.url) } }],
    quiet: null,
    open: [],
  });
  const exported = await here(folder, ['export']);
  expect(exported.stdout).not.toContain(KEY);
  expect(JSON.parse(exported.stdout).alerts.ways).toEqual(listed.ways.map(({ way }: { way: unknown }) => way));
});

test('of a mail way that is set up again, what is not said stays: its port, its security and who logs in', async () => {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  await (await openTestJournal(folder)).close();
  const run = (...args: string[]) =>
    runCommand(folder, ['alert-ways', 'mail', 'box', '--from', 'a@example.com', '--to', 'b@example.com', ...args], {
      MAKERDESK_ALERT_PASSWORD: KEY,
    });
  const set = async () => {
    const { stdout } = await commandsHere(addAlertWays)(folder, ['alert-ways', 'list', '--json']);
    return JSON.parse(stdout).ways[0].way;
  };
  const host = ['--host', 'mail.example.com'];
  expect(await run(...host, '--security', 'starttls', '--port', '2525', '--user', 'desk')).toMatchObject({ code: 0 });
  expect(await run(...host, '--kinds', 'stop')).toMatchObject({ code: 0 });
  expect(await set()).toMatchObject({ security: 'starttls', port: 2525, user: 'desk', kinds: ['stop'] });
  expect(await run(...host, '--user', '', '--port', '587')).toMatchObject({ code: 0 });
  expect(await run(...host, '--security', 'tls')).toMatchObject({ code: 0 });
  expect(await set()).toMatchObject({ security: 'tls', port: 465, user: null });
});
