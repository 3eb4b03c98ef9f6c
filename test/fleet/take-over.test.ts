import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { DeskFile } from '../../electron/contract/desk-file.ts';
import { startTestChain, type TestChain } from '../chain-fixture.ts';
import { armedFolder, deskFileFor } from '../desk/desk-on-chain.ts';
import { runCommand } from '../desk/desk-process.ts';
import { takerClient } from '../desk/taker-client.ts';
import { askAllTheTime, type FleetDesk, folderWithKeyOf, signaturesIn, startInFleet } from './fleet-desks.ts';
import { type Nats, noNats, startNats } from './nats.ts';

const SMALL = String(10n ** 13n);

let chain: TestChain;
let file: DeskFile;

beforeAll(async () => {
  if (noNats !== null) return;
  chain = await startTestChain({ blockTimeSeconds: 1 });
  file = deskFileFor(chain);
});
afterAll(() => chain?.close());

interface TwoDesks {
  nats: Nats;
  fleet: string;
  folders: { first: string; second: string };
  first: FleetDesk;
  second: FleetDesk;
  surface: string;
}

/** A desk that trades in a fleet, and a standby that follows it, each in a folder of its own. */
async function twoDesks(standbyArgs: string[] = []): Promise<TwoDesks> {
  const nats = await startNats();
  onTestFinished(() => nats.close());
  const fleet = `nats://127.0.0.1:${nats.port}/desk`;
  const own = await armedFolder(chain, file);
  onTestFinished(own.remove);
  const folders = { first: own.folder, second: folderWithKeyOf(own.folder) };
  const first = startInFleet(folders.first, ['serve', '--fleet', fleet, '--name', 'first']);
  const { surface } = await first.ready();
  const second = startInFleet(folders.second, ['standby', '--fleet', fleet, '--name', 'second', ...standbyArgs]);
  await second.said((line) => line.standby === true);
  const client = takerClient(surface, file);
  await expect.poll(async () => (await client.get('/prices')).status).toBe(200);
  return { nats, fleet, folders, first, second, surface };
}

/** Resumes the desk of a folder and takes one quote of it. */
async function tradesNow(folder: string, desk: FleetDesk): Promise<void> {
  const { surface } = await desk.ready();
  await expect
    .poll(async () => (await runCommand(folder, ['resume', '--reason', 'taken over'])).code, { interval: 500 })
    .toBe(0);
  const client = takerClient(surface, file);
  await expect.poll(async () => (await client.firm('asks', { makerAmount: SMALL })).status).toBe(200);
}

/** Every order that a client has is in the journal of the desk that trades now, and its chain of hashes holds. */
async function nothingIsLost(folder: string, received: readonly { signature: string }[]): Promise<void> {
  const verified = await runCommand(folder, ['verify']);
  expect(verified.code, verified.stdout + verified.stderr).toBe(0);
  const known = await signaturesIn(folder);
  expect(received.filter(({ signature }) => !known.has(signature))).toEqual([]);
}

const status = async (fleet: string) => {
  const { stdout } = await runCommand(null, ['fleet', 'status', '--json', '--fleet', fleet]);
  return JSON.parse(stdout);
};

describe.skipIf(noNats !== null)('a desk with a standby', () => {
  test('is taken over by a person’s word in the middle of quotes: it signs nothing more, and the other has every order', async () => {
    const { fleet, folders, first, second, surface } = await twoDesks();
    const asking = askAllTheTime(surface, file);
    await expect.poll(() => asking.received.length).toBeGreaterThan(100);
    await expect
      .poll(() => status(fleet))
      .toMatchObject({
        desk: { name: 'first', turn: 1, heard: true },
        standbys: [{ name: 'second', hasKey: true }],
      });
    const told = await runCommand(null, ['fleet', 'take-over', 'second', '--fleet', fleet]);
    const takenAt = performance.now();
    expect(told, told.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('first writes no more') });
    await second.ready();
    expect((await takerClient(surface, file).get('/prices')).status).toBe(503);
    const count = asking.received.length;
    await tradesNow(folders.second, second);
    await asking.stop();
    expect(asking.received.length).toBe(count);
    expect(asking.received.every(({ at }) => at < takenAt + 1_000)).toBe(true);
    expect(await status(fleet)).toMatchObject({ desk: { name: 'second', turn: 2, heard: true }, standbys: [] });
    expect(await first.end('SIGTERM')).toBe(0);
    expect(await second.end('SIGTERM')).toBe(0);
    await nothingIsLost(folders.second, asking.received);
    // The one that was taken over does not come back by itself, in its fleet or alone.
    const again = await runCommand(folders.first, ['serve', '--surface-port', '0', '--console-port', '0']);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('--fleet') });
    const inFleet = startInFleet(folders.first, ['serve', '--fleet', fleet, '--name', 'first']);
    expect(await inFleet.ended).toBe(1);
    expect(inFleet.stderr()).toMatch(/ends at row|was taken over/);
  });

  test('that is killed in the middle of quotes is taken over by itself, with every order that left it', async () => {
    const { folders, first, second, surface } = await twoDesks(['--take-over-after', '5']);
    const asking = askAllTheTime(surface, file);
    await expect.poll(() => asking.received.length).toBeGreaterThan(100);
    await first.end('SIGKILL');
    await asking.stop();
    await tradesNow(folders.second, second);
    expect(await second.end('SIGTERM')).toBe(0);
    await nothingIsLost(folders.second, asking.received);
  });

  test('that stands still while it is taken over lets no order go when it wakes', async () => {
    const { fleet, folders, first, second, surface } = await twoDesks();
    const asking = askAllTheTime(surface, file);
    await expect.poll(() => asking.received.length).toBeGreaterThan(100);
    first.signal('SIGSTOP');
    const told = await runCommand(null, ['fleet', 'take-over', 'second', '--fleet', fleet]);
    expect(told.code, told.stderr).toBe(0);
    await tradesNow(folders.second, second);
    const wokenAt = performance.now();
    first.signal('SIGCONT');
    await expect.poll(() => first.stderr()).toContain('taken over');
    await asking.stop();
    expect(asking.received.filter(({ at }) => at > wokenAt + 20)).toEqual([]);
    expect(await second.end('SIGTERM')).toBe(0);
    await nothingIsLost(folders.second, asking.received);
  });

  test('halts when its engine is gone, says why, and is resumed once the fleet has its rows again', async () => {
    const { nats, folders, first, surface } = await twoDesks();
    const asking = askAllTheTime(surface, file);
    await expect.poll(() => asking.received.length).toBeGreaterThan(100);
    await nats.kill();
    const client = takerClient(surface, file);
    await expect.poll(async () => (await client.get('/prices')).status).toBe(503);
    const refused = await runCommand(folders.first, ['resume', '--reason', 'too early']);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('alone in its fleet') });
    const { length } = asking.received;
    await nats.start();
    await tradesNow(folders.first, first);
    await asking.stop();
    expect(asking.received.length).toBeGreaterThan(length);
    const { stdout } = await runCommand(folders.first, ['status', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ state: 'LIVE' });
    expect(await first.end('SIGTERM')).toBe(0);
    await nothingIsLost(folders.first, asking.received);
  });
});
