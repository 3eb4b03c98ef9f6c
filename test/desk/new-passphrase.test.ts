import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openKeystore } from '../../electron/signer/keystore.ts';
import { CLI, runCommand, temporaryFolder } from './desk-process.ts';

const LONG = 'typed by a person';
/** What a person types is asked for at a terminal only. */
const AT_A_TERMINAL = 'data:text/javascript,process.stdin.isTTY = true';

/** `key new` as it is shipped, at a terminal where each question gets the next answer. */
async function keyNew(answers: string[]) {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const child = spawn(process.execPath, ['--import', AT_A_TERMINAL, CLI, 'key', 'new', '--data', folder], {
    env: { ...process.env, MAKERDESK_PASSPHRASE: '' },
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
    if (said.endsWith(': ')) child.stdin.write(`${answers.shift()}\r`);
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { folder, code, said, left: answers.length, isMade: existsSync(join(folder, 'keystore.json')) };
}

test('the passphrase of a new key is typed twice at the terminal, and opens it', async () => {
  const { folder, code, said } = await keyNew([LONG, LONG]);
  expect([code, said]).toEqual([0, 'New passphrase: \nThe same passphrase again: \n']);
  expect(await openKeystore(folder, LONG)).toMatch(/^0x/);
});

test('a passphrase that is typed otherwise the second time makes no key', async () => {
  const { code, said, isMade } = await keyNew([LONG, `${LONG}.`]);
  expect([code, isMade]).toEqual([1, false]);
  expect(said).toContain('The two passphrases are not the same: no key was made.');
});

test('a passphrase that is shorter than the window takes makes no key, and is not asked for again', async () => {
  const { code, said, left, isMade } = await keyNew(['elevenchars', 'elevenchars']);
  expect([code, left, isMade]).toEqual([1, 1, false]);
  expect(said).toContain('The passphrase is too short: no key was made.');
});

test('a passphrase from the environment is as long as one that is typed, and nobody is asked', async () => {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const keyNewWith = (given: string) => runCommand(folder, ['key', 'new'], { MAKERDESK_PASSPHRASE: given });
  expect(await keyNewWith('elevenchars')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/too short: no key was made.*MAKERDESK_PASSPHRASE of 12 characters/s),
  });
  expect(await keyNewWith('twelve chars')).toMatchObject({ code: 0 });
  expect(await openKeystore(folder, 'twelve chars')).toMatch(/^0x/);
});
