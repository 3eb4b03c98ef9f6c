import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Credentials } from '../../electron/desk/credentials.ts';
import { PricesDoor } from '../../electron/desk/prices-door.ts';
import { CHAIN, configuredBook } from '../book/fixture.ts';

const PAIR = 'WETH/USDC';
const engineOf = (name: string) => fileURLToPath(new URL(`../../resources/engines/${name}`, import.meta.url));
const hasPython = spawnSync('python3', ['--version']).status === 0;

/** Runs an engine against a door until it was acknowledged three times, once more after its count broke off, and after the desk was gone. */
async function expectPrices(command: string, args: string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'engine-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { book } = await configuredBook();
  const credentials = new Credentials(folder, async () => 'a passphrase');
  const { token } = await credentials.makeToken({ name: 'engine', rights: 'prices', since: 1, by: 'mara' });
  const log = { info() {}, warn() {}, error() {} } as never;
  const open = async (port: number) => {
    const door = new PricesDoor({ book, credentials, tokenUses: { used() {} }, log }, port);
    await door.begin();
    onTestFinished(() => door.close());
    return door;
  };
  const door = await open(0);
  const env = { ...process.env, TOKEN: token, PRICES: door.url ?? '', CHAIN: `${CHAIN}`, PAIR };
  const engine = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void engine.kill('SIGKILL'));
  let said = '';
  for (const stream of [engine.stdout, engine.stderr]) {
    stream.on('data', (chunk) => {
      said += chunk;
    });
  }
  const acknowledged = () => said.split('\n').filter((line) => line.includes('"revisions"')).length;
  await expect.poll(acknowledged, { message: said }).toBeGreaterThanOrEqual(3);
  expect(book.chain(CHAIN)?.pairs.get(PAIR)?.ladder.actor).toBe('prices:engine');
  await book.pushed.push('engine', CHAIN, { sequence: 99, mids: {} }).catch(() => {});
  const before = acknowledged();
  await expect.poll(acknowledged, { message: said }).toBeGreaterThan(before + 1);
  expect(said).toContain('sequence_gap');
  const port = Number(new URL(door.url ?? '').port);
  await door.close();
  await expect.poll(() => said, { message: said }).toContain('the desk does not answer');
  const gone = acknowledged();
  // Somebody else may have the port for a moment.
  await vi.waitFor(() => open(port), { interval: 100 });
  await expect.poll(acknowledged, { message: said }).toBeGreaterThan(gone + 1);
}

test('the engine in TypeScript prices a pair, begins anew where its count breaks off, and goes on after a restart of the desk', () =>
  expectPrices(process.execPath, [engineOf('engine.ts')]));

test.runIf(hasPython)(
  'the engine in Python prices a pair, begins anew where its count breaks off, and goes on after a restart of the desk',
  () => expectPrices('python3', [engineOf('engine.py')]),
);
