import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startTestChain } from '../chain-fixture.ts';
import { armedFolder, deskFileFor } from '../desk/desk-on-chain.ts';
import { haltCommand, runCommand, startDesk, temporaryFolder } from '../desk/desk-process.ts';
import { takerClient } from '../desk/taker-client.ts';

const SMALL = String(10n ** 12n);

/** A disk of its own that can be filled to the last byte; null where none can be mounted. */
function smallDisk(): { folder: string; remove(): void } | null {
  const made = temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', made.folder], { stdio: 'ignore' });
  } catch {
    made.remove();
    return null;
  }
  return {
    folder: made.folder,
    remove: () => {
      execFileSync('umount', ['--lazy', made.folder]);
      made.remove();
    },
  };
}

/** A desk that trades on this disk, until the test is over. */
async function liveDeskOn(disk: { folder: string; remove(): void }) {
  const chain = await startTestChain({ blockTimeSeconds: 1 });
  onTestFinished(async () => {
    await chain.close();
    disk.remove();
  });
  const file = deskFileFor(chain);
  const { folder } = await armedFolder(chain, file, disk);
  const desk = await startDesk(folder, 'serve');
  const client = takerClient(desk.ready.surface, file);
  await vi.waitFor(async () => expect((await client.get('/prices')).status).toBe(200));
  return { desk, client, file, folder };
}

/** Writes until nothing fits any more. */
function fillDisk(folder: string): string {
  const file = join(folder, 'filler');
  for (const size of [1024 * 1024, 4_096, 512]) {
    try {
      for (;;) writeFileSync(file, Buffer.alloc(size), { flag: 'a' });
    } catch {
      // full for pieces of this size
    }
  }
  return file;
}

test('a desk halted on a full disk signs nothing, says so, and comes back halted after kill -9 and room again', async ({
  skip,
}) => {
  const disk = smallDisk();
  if (disk === null) return skip('a disk of 24 MB can only be mounted as root on Linux');
  const { desk, client, file, folder } = await liveDeskOn(disk);
  const ask = () => client.firm('asks', { makerAmount: SMALL });
  expect((await ask()).status).toBe(200);

  const filler = fillDisk(folder);
  const halted = await haltCommand(folder, ['--reason', 'the disk is full']);
  expect(halted.stdout).toContain('"halted":true');
  for (let quote = 0; quote < 50; quote += 1) expect(await ask()).toMatchObject({ status: 503 });
  await desk.kill();

  rmSync(filler);
  const again = await startDesk(folder, 'serve');
  const later = takerClient(again.ready.surface, file);
  try {
    const { stdout } = await runCommand(folder, ['status', '--json']);
    expect(JSON.parse(stdout).state).toBe('HALTED');
    expect((await later.get('/prices')).status).toBe(503);
    expect(await later.firm('asks', { makerAmount: SMALL })).toMatchObject({ status: 503, json: { code: 'halted' } });
    expect((await runCommand(folder, ['verify'])).code).toBe(0);
  } finally {
    await again.stop();
  }
});

test('a desk whose disk fills up while it trades halts by itself and hands out no order without a row', async ({
  skip,
}) => {
  const disk = smallDisk();
  if (disk === null) return skip('a disk of 24 MB can only be mounted as root on Linux');
  const { desk, client, folder } = await liveDeskOn(disk);

  const filler = fillDisk(folder);
  const received: string[] = [];
  await vi.waitFor(
    async () => {
      const { status, json } = await client.firm('asks', { makerAmount: SMALL });
      if (json.order) received.push(String(json.order.nonceAndMeta));
      expect([status, json.code]).toEqual([503, 'halted']);
    },
    { interval: 1 },
  );
  expect((await client.firm('asks', { makerAmount: SMALL })).json.order).toBeUndefined();
  await vi.waitFor(() => expect(existsSync(join(folder, 'armed'))).toBe(false));
  await desk.kill();

  rmSync(filler);
  const { stdout } = await runCommand(folder, ['status', '--json']);
  expect(JSON.parse(stdout).state).toBe('HALTED');
  const rows = JSON.parse((await runCommand(folder, ['log'])).stdout) as { orderHash: string | null }[];
  expect(rows.filter(({ orderHash }) => orderHash !== null).length).toBeGreaterThanOrEqual(received.length);
});
