import { platform } from 'node:os';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { FleetView } from '../../electron/contract/fleet.ts';
import { processCommand } from '../../electron/practice/chain/folder-node.ts';
import { descendantsOf } from '../desk/descendants.ts';
import { runCommand, startDesk, temporaryFolder } from '../desk/desk-process.ts';
import { openPracticeWorld, type PracticeWorld } from '../desk/practice-world.ts';
import { noNats } from '../fleet/nats.ts';

/** Processes are looked up as Linux lists them. */
const withFleet = test.runIf(noNats === null && platform() === 'linux');

async function openFleet(): Promise<PracticeWorld & { fleet(): Promise<FleetView>; serving(): Promise<string[]> }> {
  const world = await openPracticeWorld(['--surfaces', '3', '--speed', '10', '--forgive-seconds', '1']);
  onTestFinished(world.close);
  const fleet = async () => {
    for await (const { fleet } of await world.client.desk.watch()) if (fleet) return fleet;
    throw new Error('the desk says nothing of a fleet');
  };
  const serving = async () => {
    const { surfaces } = await fleet();
    return surfaces.filter(({ serves, isSilent }) => serves && !isSilent).map(({ name }) => name);
  };
  return { ...world, fleet, serving };
}

const ALL = ['surface-1', 'surface-2', 'surface-3'];

withFleet(
  'the service of a practice fleet asks its surfaces in turn, and goes on with the others when one is gone or hears no desk',
  async () => {
    const { desk, fleet, serving, until, fault, fills, service, client } = await openFleet();
    expect(desk.ready.surfaces).toHaveLength(3);
    await until(async () => {
      const { surfaces } = await fleet();
      expect(surfaces.map(({ name }) => name)).toEqual(ALL);
      expect(surfaces.map(({ url }) => url)).toEqual(desk.ready.surfaces);
      for (const { asked, name } of surfaces) expect(asked, name).toBeGreaterThan(1);
    });
    const goesOn = async () => {
      const before = await fills(31337);
      await until(async () => {
        const said = JSON.stringify([await client.trading.status(), service(31337)]);
        expect(await fills(31337), said).toBeGreaterThan(before);
      });
    };
    await goesOn();

    await fault('surface-down', true);
    await until(async () => expect(await serving()).toEqual(['surface-2', 'surface-3']));
    await goesOn();
    expect(service(31337).complaints.count).toBeLessThan(10); // it broke off in the middle of answers, and then the others answered
    await fault('surface-down', false);
    await until(async () => expect(await serving()).toEqual(ALL));

    await fault('surface-cut-off', true);
    await until(async () => expect(await serving()).toEqual(['surface-1', 'surface-2']));
    await goesOn();
    await fault('surface-cut-off', false);
    await until(async () => expect(await serving()).toEqual(ALL));

    await fault('slow-link', true);
    await until(async () => {
      for (const { p99Ms, name } of (await fleet()).surfaces) expect(p99Ms, name).toBeGreaterThan(150);
    });
    await goesOn();
  },
);

withFleet.for(['engine-down', 'desk-down'])(
  'with %s the desk halts and no surface serves; when that is over and somebody resumes it, all of them do',
  async (name) => {
    const { fleet, serving, until, fault, fills, service, client } = await openFleet();
    await until(async () => expect(await serving()).toEqual(ALL));
    await until(async () => expect(await fills(31337)).toBeGreaterThan(0));

    await fault(name, true);
    await until(async () => expect((await client.trading.status()).state).toBe('HALTED'));
    await until(() => expect(service(31337)).toMatchObject({ enabled: false }));
    await fault(name, false);
    await until(async () => expect((await fleet()).alone).toBeNull());
    await until(async () => expect((await fleet()).surfaces.map((one) => one.name)).toEqual(ALL));
    expect((await client.trading.status()).state).toBe('HALTED');

    await client.trading.resume({ scope: {}, reason: `${name} is over` });
    await until(async () => expect(await serving()).toEqual(ALL));
    const before = await fills(31337);
    await until(async () => expect(await fills(31337)).toBeGreaterThan(before));
  },
);

withFleet(
  'the market of a practice fleet comes back where it was, kill -9 of the desk leaves nothing of it behind, and the folder is then a desk alone as well',
  async () => {
    const { desk, folder, serving, until } = await openFleet();
    await until(async () => expect(await serving()).toEqual(ALL));
    expect(await runCommand(folder, ['practice', 'restart'])).toMatchObject({ code: 0, stdout: '{"running":true}\n' });
    await until(async () => expect(await serving()).toEqual(ALL));

    const all = descendantsOf(desk.ready.pid);
    expect(all.filter((pid) => processCommand(pid).includes('nats-server')).length).toBeGreaterThan(0);
    await desk.kill();
    await vi.waitFor(() => expect(all.map(processCommand).filter((command) => command !== '')).toEqual([]), {
      interval: 50,
    });

    const alone = await startDesk(folder, 'practice', ['--no-takers']);
    expect([alone.ready.fleet, alone.ready.surfaces]).toEqual([undefined, undefined]);
    await alone.stop();
  },
);

withFleet('without a fleet server on this machine it is said what is missing, before anything is begun', async () => {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const asked = ['practice', '--surfaces', '2', '--service-port', '0', '--rpc-port', '0'];
  const { code, stderr } = await runCommand(folder, asked, { PATH: '' });
  expect([code, stderr]).toEqual([1, expect.stringContaining('nats-server')]);
});
