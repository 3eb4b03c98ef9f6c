import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDeskFile } from '../../electron/contract/desk-file-text.ts';
import { personName } from '../../electron/desk/os-user.ts';
import { type RunningDesk, runCommand, startDesk, temporaryFolder } from '../desk/desk-process.ts';
import { browserConsole } from './browser-console.ts';

const ACCESS_KEY = 'an access key that stands in this test only';
const SECRET_KEY = 'a secret key that stands in this test only';

const made = temporaryFolder();
let desk: RunningDesk;

beforeAll(async () => {
  const file = join(made.folder, 'import.json');
  const counterparties = [{ domain: 'test', accessKey: ACCESS_KEY, secretKey: SECRET_KEY }];
  writeFileSync(file, JSON.stringify({ version: 1, chains: [], counterparties }));
  for (const args of [
    ['key', 'new'],
    ['import', file],
  ]) {
    expect(await runCommand(made.folder, args)).toMatchObject({ code: 0 });
  }
  desk = await startDesk(made.folder, 'serve');
});
afterAll(async () => {
  await desk?.stop();
  made.remove();
});

test.each([
  ...['desk', 'chain', 'service', 'follow', ' Desk ', 'SERVICE', 'ｃｈａｉｎ', 'de\u200bsk', 'ch\u00adain'],
  ...['ma\u0000ra', 'ma\u001bra', 'mara\u0085!', 'ma\u2028ra', 'ma\u202era'],
])(
  'a console that calls itself %j acts under the name of the user who runs the desk, and its halt is durable',
  async (name) => {
    const { desk: client, socket } = await browserConsole(desk.ready.console, name);
    let actor = '';
    for await (const update of await client.desk.watch()) {
      ({ actor } = update);
      break;
    }
    const { durable } = await client.trading.halt({ scope: {}, reason: 'a test' });
    socket.terminate();
    expect([actor, durable]).toEqual([userInfo().username, true]);
  },
);

test('a user of this machine who is called as the desk calls itself is told apart from it', () => {
  expect(['mara', 'desk', 'Chain', 'service', 'follow', 'de\tsk'].map(personName)).toEqual([
    ...['mara', 'user desk', 'user Chain', 'user service', 'user follow', 'unknown'],
  ]);
});

test('a console with the token gets no secrets, and says where they are to be had', async () => {
  const { desk: client, socket } = await browserConsole(desk.ready.console);
  await expect(client.desk.export({ withSecrets: true })).rejects.toMatchObject({
    data: { code: 'secrets_stay', remedy: expect.stringContaining('makerdesk export --with-secrets') },
  });
  expect((await readDeskFile(await client.desk.export({}))).counterparties).toEqual([
    { domain: 'test', signedPath: 'full' },
  ]);
  socket.terminate();
});

test('the command line of the user who runs the desk gets them', async () => {
  const { stdout } = await runCommand(made.folder, ['export', '--with-secrets']);
  expect(JSON.parse(stdout).counterparties).toEqual([
    { domain: 'test', accessKey: ACCESS_KEY, secretKey: SECRET_KEY, signedPath: 'full' },
  ]);
});
