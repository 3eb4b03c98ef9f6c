import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { browserConsole } from '../hostile/browser-console.ts';
import { PASSPHRASE, runCommand, startDesk, temporaryFolder } from './desk-process.ts';

const WRONG = 'a passphrase of another desk';

test('a headless desk is locked and unlocked from the command line alone: a browser locks it and is asked for no passphrase', async () => {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const address = (await runCommand(folder, ['key', 'new'])).stdout.trim();
  const absent = await runCommand(folder, ['lock']);
  expect([absent.code, absent.stderr]).toEqual([1, expect.stringContaining('There is no desk in')]);

  const desk = await startDesk(folder, 'serve');
  onTestFinished(async () => void (await desk.stop()));
  const { desk: client, socket } = await browserConsole(desk.ready.console);
  onTestFinished(() => socket.terminate());
  expect(await client.key.lock()).toMatchObject({ durable: true });
  expect((await client.settings.get()).signer).toMatchObject({ address, locked: true });
  await expect(client.key.unlock({ passphrase: PASSPHRASE })).rejects.toMatchObject({
    data: { code: 'unlock_elsewhere' },
  });
  await expect(client.settings.makeKey()).rejects.toMatchObject({
    data: { code: 'key_locked', remedy: expect.stringContaining('makerdesk unlock') },
  });

  const wrong = await runCommand(folder, ['unlock'], { MAKERDESK_PASSPHRASE: WRONG });
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('does not open this keystore')]);
  await vi.waitFor(async () => expect(await client.key.state()).toEqual({ locked: true, wrong: 1, nextAt: 0 }));
  const right = await runCommand(folder, ['unlock']);
  expect(JSON.parse(right.stdout)).toEqual({ unlocked: true, address });
  expect((await client.trading.status()).state).toBe('HALTED');
  expect((await client.settings.get()).signer).toMatchObject({ address, locked: false });
  expect(JSON.parse((await runCommand(folder, ['lock'])).stdout)).toMatchObject({ locked: true, halted: true });

  const told = await runCommand(folder, ['journal', '--people']);
  expect(told.stdout).toContain('locked the key');
  expect(told.stdout).toContain('unlocked the key');
  expect(desk.stderr()).not.toContain(WRONG);
  expect(readFileSync(join(folder, 'journal.db'), 'latin1')).not.toContain(WRONG);
});
