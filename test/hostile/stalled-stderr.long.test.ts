import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { storeKey } from '../../electron/signer/keystore.ts';
import { connectionTo } from '../desk/connection.ts';
import { PASSPHRASE, temporaryFolder } from '../desk/desk-process.ts';

const CLI = fileURLToPath(new URL('../../out/main/cli.js', import.meta.url));
/** Lines of half a kilobyte: many times what a pipe holds, and more than a desk keeps for who does not read. */
const LINES = 3_000;
const AT_ONCE = 200;
const REASON = 'a reason of some length '.repeat(20).trim();

interface Line {
  msg: string;
  reason?: string;
  dropped?: number;
}
const linesOf = (text: string): Line[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** A desk whose stderr is a pipe that nobody reads, halted, after it said much more than such a pipe holds. */
async function stalledDesk() {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  await storeKey(folder, PASSPHRASE, `0x${randomBytes(32).toString('hex')}`, randomBytes, { scryptCost: 2 });
  const ports = ['--surface-port', '0', '--console-port', '0'];
  const child = spawn(process.execPath, [CLI, 'serve', ...ports, '--data', folder], {
    env: { ...process.env, MAKERDESK_PASSPHRASE: PASSPHRASE },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  expect(JSON.parse(String((await once(child.stdout, 'data'))[0]))).toMatchObject({ ready: true });
  const connection = await connectionTo(folder, 'mara');
  const { trading } = connection.desk;
  const explain = (reason: string) => trading.explain({ scope: {}, reason });
  await trading.halt({ scope: {}, reason: 'a test' });
  for (let line = 0; line < LINES; line += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, next) => explain(`${line + next} ${REASON}`)));
  }
  return { folder, child, trading, explain, disconnect: connection.close };
}

test('a desk whose stderr nobody reads is ready, halts, writes its log file and ends', async () => {
  const { folder, child, trading, disconnect } = await stalledDesk();
  expect(await trading.halt({ scope: {}, reason: 'a test' })).toMatchObject({ durable: true });
  await disconnect();
  const [log = ''] = readdirSync(join(folder, 'logs'));
  const inFile = () =>
    linesOf(readFileSync(join(folder, 'logs', log), 'utf8')).filter(({ msg }) => msg === 'a stop was explained');
  await vi.waitFor(() => expect(inFile()).toHaveLength(LINES));
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect((await ended)[0]).toBe(0);
});

test('who reads stderr late gets what was kept, is told how much was not, and gets the last line before the end', async () => {
  const { child, explain, disconnect } = await stalledDesk();
  let read = '';
  child.stderr.on('data', (chunk) => {
    read += chunk;
  });
  let asked = 0;
  await vi.waitFor(async () => {
    asked += 1;
    await explain('there is room again');
    expect(read).toContain('there is room again');
  });
  await explain('the last line');
  await disconnect();
  child.kill('SIGTERM');
  await once(child, 'close');
  const lines = linesOf(read);
  // The first of those that ask for room may find none yet, and are dropped as well.
  const told = lines.filter(({ reason }) => reason?.endsWith(REASON) || reason === 'there is room again').length;
  const dropped = lines.reduce((sum, line) => sum + (line.dropped ?? 0), 0);
  expect(dropped).toBeGreaterThan(0);
  expect(told + dropped).toBe(LINES + asked);
  expect(lines.at(-1)?.reason).toBe('the last line');
});
