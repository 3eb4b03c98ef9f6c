import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LEASE_MS } from '../../electron/fleet/lease.ts';
import { runCommand, temporaryFolder } from '../desk/desk-process.ts';
import { takerClient } from '../desk/taker-client.ts';
import {
  askAllTheTime,
  fleetStatus,
  fleetWorld,
  folderWithKeyOf,
  nothingIsLost,
  serves,
  startInFleet,
  stateOf,
  tradesNow,
  twoDesks,
} from './fleet-desks.ts';
import { noNats } from './nats.ts';

const world = fleetWorld();

describe.skipIf(noNats !== null)('a desk with a standby', () => {
  test('is taken over by a person’s word in the middle of quotes: it signs nothing more, and the other has every order', async () => {
    const { fleet, folders, first, second, surface } = await twoDesks(world());
    const asking = askAllTheTime(surface, world().file);
    await expect.poll(() => asking.received.length).toBeGreaterThan(100);
    await expect
      .poll(() => fleetStatus(fleet))
      .toMatchObject({
        desk: { name: 'first', turn: 1, heard: true },
        standbys: [{ name: 'second', hasKey: true }],
      });
    const standstill = monitorEventLoopDelay({ resolution: 1 });
    standstill.enable();
    const told = await runCommand(null, ['fleet', 'take-over', 'second', '--fleet', fleet]);
    const takenAt = performance.now();
    expect(told, told.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('first no longer writes') });
    await second.ready();
    expect((await takerClient(surface, world().file).get('/prices')).status).toBe(503);
    const count = asking.received.length;
    await tradesNow(folders.second, world().file, second);
    await asking.stop();
    expect(asking.received.length).toBe(count);
    standstill.disable();
    // What it handed over in its last moment may be read here a moment later, and as much later as this process stood still.
    const readBy = takenAt + LEASE_MS + 500 + standstill.max / 1e6;
    expect(asking.received.filter(({ at }) => at >= readBy)).toEqual([]);
    await expect
      .poll(() => fleetStatus(fleet))
      .toMatchObject({ desk: { name: 'second', turn: 2, heard: true }, standbys: [] });
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

  test('goes on where no desk would start at the standby: asked to take over, that one says why, and does so once one would', async () => {
    const { fleet, folders, first, surface } = await twoDesks(world());
    const takeOver = (name: string) => runCommand(null, ['fleet', 'take-over', name, '--fleet', fleet]);
    const keyless = temporaryFolder();
    onTestFinished(keyless.remove);
    const environment = { MAKERDESK_PASSPHRASE: 'another passphrase for tests' };
    const strange = startInFleet(keyless.folder, ['standby', '--fleet', fleet, '--name', 'strange'], environment);
    await strange.said((line) => line.standby === true);
    const said = async () =>
      (await fleetStatus(fleet)).standbys.find((one: { name: string }) => one.name === 'strange');
    await expect.poll(said).toMatchObject({ startFault: expect.stringContaining('does not open the sealed secrets') });
    expect(await takeOver('strange')).toMatchObject({ code: 1, stderr: expect.stringContaining('does not open') });
    // Nothing that it cannot open is left to a desk that is started there with the right one.
    expect(existsSync(join(keyless.folder, 'secrets.json'))).toBe(false);

    const { port } = new URL(surface);
    const late = ['standby', '--fleet', fleet, '--name', 'late', '--surface-port', port];
    const third = startInFleet(folderWithKeyOf(folders.first), late);
    await third.said((line) => line.standby === true);
    expect(await takeOver('late')).toMatchObject({ code: 1, stderr: expect.stringContaining(`Port ${port} is taken`) });

    expect(await fleetStatus(fleet)).toMatchObject({ desk: { name: 'first', turn: 1, heard: true } });
    await serves(takerClient(surface, world().file), folders.first);
    expect(await first.end('SIGTERM')).toBe(0);
    // It takes a moment until it has seen that the port is free.
    await expect.poll(async () => (await takeOver('late')).code).toBe(0);
    expect((await third.ready()).surface).toBe(surface);
  });

  test('a standby whose alert command cannot be run does not start', async () => {
    const { folder, remove } = temporaryFolder();
    onTestFinished(remove);
    const args = ['standby', '--fleet', 'nats://127.0.0.1:1/desk', '--alert-command', join(folder, 'none')];
    expect(await runCommand(folder, args)).toMatchObject({ code: 1, stderr: expect.stringContaining('alert command') });
  });

  test('that was itself LIVE in that folder once takes over halted: only a person resumes it, whatever the rows say', async () => {
    const { fleet, folders, first, second } = await twoDesks(world());
    expect(await first.end('SIGTERM')).toBe(0);
    expect(existsSync(join(folders.first, 'armed'))).toBe(true);
    expect(await runCommand(null, ['fleet', 'take-over', 'second', '--fleet', fleet])).toMatchObject({ code: 0 });
    await tradesNow(folders.second, world().file, second);
    const back = startInFleet(folders.first, ['standby', '--fleet', fleet, '--name', 'back']);
    await back.said((line) => line.standby === true);
    await second.end('SIGKILL');
    expect(await runCommand(null, ['fleet', 'take-over', 'back', '--fleet', fleet])).toMatchObject({ code: 0 });
    await back.ready();
    expect(await stateOf(folders.first)).toBe('HALTED');
    await tradesNow(folders.first, world().file, back);
    // A standby that somebody starts in its folder by mistake is refused, and costs it nothing.
    const mistaken = startInFleet(folders.first, ['standby', '--fleet', fleet, '--name', 'mistaken']);
    expect(await mistaken.ended).toBe(1);
    await expect.poll(() => stateOf(folders.first)).toBe('LIVE');
    // It leaves its fleet only where it starts: not while it runs.
    const isInFleet = () => existsSync(join(folders.first, 'fleet.json'));
    const beside = startInFleet(folders.first, ['serve', '--no-fleet']);
    expect(await beside.ended).toBe(1);
    expect([beside.stderr(), isInFleet()]).toEqual([expect.stringContaining('Another desk is running'), true]);
    expect(await back.end('SIGTERM')).toBe(0);
    const alone = startInFleet(folders.first, ['serve', '--no-fleet']);
    await alone.ready();
    expect(isInFleet()).toBe(false);
  });
});
