import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Anvil, findAnvil, startAnvil } from '../../../electron/practice/chain/anvil.ts';
import { processCommand } from '../../../electron/practice/chain/folder-node.ts';
import { openClient } from '../../../electron/practice/chain/sender.ts';

const started: Anvil[] = [];
afterEach(async () => {
  for (const anvil of started.splice(0)) await anvil.close();
});

async function start(port = 0): Promise<Anvil> {
  const anvil = await startAnvil({ port });
  started.push(anvil);
  return anvil;
}

test('the node is ready when it is handed over, on loopback, as chain 31337', async () => {
  const anvil = await start();
  expect(anvil.rpcUrl).toBe(`http://127.0.0.1:${anvil.port}`);
  expect(await openClient(anvil.rpcUrl).getChainId()).toBe(31337);
});

test('a closed node is gone and its port free for the next', async () => {
  const anvil = await start();
  await anvil.close();
  expect(processCommand(anvil.pid)).not.toContain('anvil');
  const next = await start(anvil.port);
  expect(next.port).toBe(anvil.port);
});

test('closing twice, or after the node died, is no fault', async () => {
  const anvil = await start();
  process.kill(anvil.pid, 'SIGKILL');
  await anvil.ended;
  await anvil.close();
  await anvil.close();
});

test('a taken port is named', async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
  const address = holder.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await expect(start(port)).rejects.toMatchObject({ code: 'port_taken', message: expect.stringContaining(`${port}`) });
  await new Promise((resolve) => holder.close(resolve));
});

test('anvil is found in the first folder that has an executable of that name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'anvil-'));
  const file = join(folder, process.platform === 'win32' ? 'anvil.exe' : 'anvil');
  writeFileSync(file, '');
  chmodSync(file, 0o755);
  expect(findAnvil([join(folder, 'none'), folder])).toBe(file);
  rmSync(folder, { recursive: true });
});

test('where there is no anvil the error says how to get it', () => {
  expect(() => findAnvil([])).toThrow(
    expect.objectContaining({ code: 'anvil_missing', remedy: expect.stringMatching(/npm install.*getfoundry\.sh/) }),
  );
});
