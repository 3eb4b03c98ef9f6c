import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { DeskConnection } from '../../electron/commands/client.ts';
import { type Caddy, freePort, noCaddy, startCaddy } from './caddy.ts';
import { connectionTo } from './connection.ts';
import { haltCommand, type RunningDesk, runCommand, startDesk, temporaryFolder } from './desk-process.ts';
import { keyIn } from './key-in.ts';

/** A desk elsewhere has no folder here: whatever a command does with this one is wrong. */
const nowhere = join('/', 'nowhere', 'at', 'all');

describe.skipIf(noCaddy !== null)('a desk elsewhere, behind the example of a reverse proxy', () => {
  const { folder, remove } = temporaryFolder();
  let desk: RunningDesk;
  let caddy: Caddy;
  let owner: DeskConnection;
  let address: string;

  beforeAll(async () => {
    await keyIn(folder);
    const port = await freePort();
    address = `https://localhost:${port}`;
    desk = await startDesk(folder, 'serve', ['--console-url', address]);
    caddy = await startCaddy(port, new URL(desk.ready.console).host);
    owner = await connectionTo(folder);
  });
  afterAll(async () => {
    await owner?.close();
    await caddy?.stop();
    await desk?.stop();
    remove();
  });

  const elsewhere = (token: string) => ({
    MAKERDESK_DATA: nowhere,
    MAKERDESK_TOKEN: token,
    NODE_EXTRA_CA_CERTS: caddy.authority,
  });
  /** A command of somebody with this token, at another machine. */
  const attached = (token: string, args: string[], at = address) =>
    runCommand(null, [...args, '--attach', at], elsewhere(token));
  const tokenOf = async (name: string, rights: string) => {
    const made = await owner.desk.tokens.create({ name, rights });
    onTestFinished(() => void owner.desk.tokens.revoke({ name }).catch(() => {}));
    return made;
  };

  test('who is handed a token is told the address of the proxy, and halts the desk through it under their own name', async () => {
    const { token, console: link } = await tokenOf('tess', 'halt');
    expect(link).toBe(`${address}/#${token}`);
    const halted = await haltCommand(null, ['--reason', 'from far away', '--attach', address], elsewhere(token));
    expect([halted.code, JSON.parse(halted.stdout)]).toMatchObject([0, { halted: true, durable: true }]);
    expect(await owner.desk.trading.status()).toMatchObject({ actor: 'tess', reason: 'from far away' });
  });

  test('a command reads the desk elsewhere as it reads one in its folder', async () => {
    const { token } = await tokenOf('lena', 'look');
    const there = await attached(token, ['status', '--json']);
    const here = await runCommand(folder, ['status', '--json']);
    const known = ({ stdout }: { stdout: string }) => {
      const { state, since, running, chains } = JSON.parse(stdout);
      return { state, since, running, chains };
    };
    expect(known(there)).toEqual(known(here));
  });

  test('a token does there what its rights say and no more, and nothing once it is revoked', async () => {
    const { token } = await tokenOf('noor', 'look');
    const refused = await attached(token, ['resume', '--reason', 'I would like to']);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('noor may not do this') });
    await owner.desk.tokens.revoke({ name: 'noor' });
    const gone = await attached(token, ['status']);
    expect(gone).toMatchObject({ code: 1, stderr: expect.stringContaining('does not take this token') });
  });

  test('the token of the user who runs the desk counts on its machine only, and no token counts in an address', async () => {
    const own = new URL(desk.ready.console).hash.slice(1);
    expect(await attached(own, ['status'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not take this'),
    });
    expect(await attached(own, ['status'], new URL(desk.ready.console).origin)).toMatchObject({ code: 0 });
    const { token } = await tokenOf('ida', 'look');
    const inAddress = await attached(token, ['status'], `${address}/#${token}`);
    expect(inAddress).toMatchObject({ code: 1, stderr: expect.not.stringContaining(token) });
  });

  test('the log of the proxy says who came when, and has no token', async () => {
    const { token } = await tokenOf('olga', 'look');
    expect(await attached(token, ['status'])).toMatchObject({ code: 0 });
    await expect.poll(() => caddy.log()).toContain('"uri":"/rpc"');
    expect(caddy.log()).not.toContain(token);
    expect(desk.stderr()).not.toContain(token);
  });

  test('the log of the proxy has no token either while the desk is away', async () => {
    const [port, nothing] = [await freePort(), await freePort()];
    const alone = await startCaddy(port, `127.0.0.1:${nothing}`);
    onTestFinished(() => alone.stop());
    const asked = runAttached(['status'], `https://localhost:${port}`, {
      MAKERDESK_TOKEN: 'a-token-of-somebody',
      NODE_EXTRA_CA_CERTS: alone.authority,
    });
    expect(await asked).toMatchObject({ code: 1 });
    await expect.poll(() => alone.log()).toContain('"status":502');
    expect(alone.log()).not.toContain('a-token-of-somebody');
  });

  test('without the certificate of its proxy nothing is said to it', async () => {
    const { token } = await tokenOf('vera', 'look');
    const untrusted = await runAttached(['status'], address, { MAKERDESK_TOKEN: token });
    expect(untrusted).toMatchObject({ code: 1, stderr: expect.stringContaining('certificate') });
  });

  test('what is done in the folder of a desk is refused from elsewhere, before anything is asked', async () => {
    for (const args of [['unlock'], ['verify'], ['key', 'address'], ['backup', 'x'], ['halt', '--force'], ['serve']]) {
      expect(await attached('', args), args.join(' ')).toMatchObject({ code: 1, stdout: '' });
    }
    const both = await runCommand(folder, ['status', '--attach', address]);
    expect(both).toMatchObject({ code: 1, stderr: expect.stringContaining('do not go with it') });
  });
});

test('a desk elsewhere that does not answer is never said to be halted', async () => {
  const port = await freePort();
  const halted = await runAttached(['halt'], `http://127.0.0.1:${port}`, { MAKERDESK_TOKEN: 'a-token' });
  expect(halted).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('does not answer') });
});

test('an address that others could listen to, or that is no console’s, is refused', async () => {
  for (const at of [
    'http://desk.example.com',
    'https://a:b@desk.example.com',
    'https://desk.example.com/x',
    'nowhere',
  ]) {
    const refused = await runAttached(['status'], at, { MAKERDESK_TOKEN: 'a-token' });
    expect(refused, at).toMatchObject({ code: 1, stderr: expect.stringContaining('not the address of a console') });
  }
});

function runAttached(args: string[], at: string, environment: Record<string, string>) {
  return runCommand(null, [...args, '--attach', at], { MAKERDESK_DATA: nowhere, ...environment });
}
