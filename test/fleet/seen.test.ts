import { describe, expect, onTestFinished, test } from 'vitest';
import type { DeskUpdate } from '../../electron/contract/desk-view.ts';
import { connectionTo } from '../desk/connection.ts';
import { temporaryFolder } from '../desk/desk-process.ts';
import { fleetWorld, startInFleet, twoDesks } from './fleet-desks.ts';
import { noNats } from './nats.ts';

const world = fleetWorld();

/** What a console of the desk in this folder sees at this moment. */
async function lookerAt(folder: string) {
  const connection = await connectionTo(folder, 'mara');
  onTestFinished(() => connection.close());
  return {
    takeOver: (standby: string) => connection.desk.fleet.takeOver({ standby }),
    async look(): Promise<Pick<DeskUpdate, 'fleet' | 'attention' | 'chains'>> {
      for await (const update of await connection.desk.desk.watch()) return update;
      return expect.fail('the desk says nothing');
    },
  };
}

describe.skipIf(noNats !== null)('a desk of a fleet says', () => {
  test('who stands by, how far and with a key or none, where no desk would start, who is not heard any more, and that nobody is', async () => {
    const { folders, fleet, first, second } = await twoDesks(world());
    const { look, takeOver } = await lookerAt(folders.first);
    const of = async (name: string) => (await look()).fleet?.standbys.find((one) => one.name === name);
    const wrong = async () =>
      ((await look()).attention ?? []).flatMap(({ code }) => (code.startsWith('fleet') ? [code] : []));

    await expect.poll(() => of('second')).toMatchObject({ hasKey: true, fault: null });
    const seen = async () => (await look()).fleet;
    await expect.poll(seen).toMatchObject({ place: fleet, name: 'first', turn: 1, alone: null, isOver: false });
    const { copies, tookMs } = (await seen()) ?? {};
    expect(copies).toEqual({ wanted: 1, level: 1 });
    expect(tookMs).toBeGreaterThan(0);
    await expect.poll(wrong).toEqual([]);

    const keyless = temporaryFolder();
    onTestFinished(keyless.remove);
    const third = startInFleet(keyless.folder, ['standby', '--fleet', fleet, '--name', 'third']);
    await expect.poll(() => of('third')).toMatchObject({ hasKey: false, fault: null });
    await expect.poll(wrong).toEqual(['fleet_no_key third']);
    await third.end('SIGTERM');

    const strange = { MAKERDESK_PASSPHRASE: 'another passphrase for tests' };
    const fourth = startInFleet(keyless.folder, ['standby', '--fleet', fleet, '--name', 'fourth'], strange);
    await expect.poll(() => of('fourth')).toMatchObject({ startFault: expect.stringContaining('does not open') });
    await expect.poll(wrong).toEqual(['fleet_not_ready fourth', 'fleet_no_key fourth']);
    await expect(takeOver('fourth')).rejects.toMatchObject({ data: { code: 'standby_not_ready' } });
    await fourth.end('SIGTERM');

    await second.end('SIGKILL');
    await expect.poll(() => of('second')).toMatchObject({ fault: 'silent' });
    await expect.poll(wrong).toEqual(['fleet_no_standby']);
    await expect(takeOver('second')).rejects.toMatchObject({ data: { code: 'unknown_standby' } });
    await expect(takeOver('nobody')).rejects.toMatchObject({ data: { code: 'unknown_standby' } });

    // What somebody said before a desk was started is no sign that they are there.
    await first.end('SIGTERM');
    await startInFleet(folders.first, ['serve', '--fleet', fleet, '--name', 'first']).ready();
    const anew = await lookerAt(folders.first);
    const gone = async () => (await anew.look()).fleet?.standbys.find(({ name }) => name === 'second');
    await expect.poll(gone).toMatchObject({ fault: 'silent', heardAt: 0 });
  });

  test('that the fleet server is gone, and since when its rows are only here', async () => {
    const { nats, folders } = await twoDesks(world(), { isKept: false });
    const { look } = await lookerAt(folders.first);
    await expect.poll(async () => (await look()).fleet?.standbys.length).toBe(1);
    await nats.kill();
    await expect.poll(async () => (await look()).fleet?.alone).toMatch(/fleet server/);
    const onlyHere = async () => {
      const { row = 0, kept = 0 } = (await look()).fleet ?? {};
      return row - kept;
    };
    await expect.poll(onlyHere).toBeGreaterThan(0);
    const { attention = [] } = await look();
    expect(attention[0]).toMatchObject({ code: 'fleet_alone', level: 'stop' });
    await nats.start();
    await expect.poll(async () => (await look()).fleet).toMatchObject({ alone: null });
    const isThere = async () => {
      const { row, kept } = (await look()).fleet ?? {};
      return row !== undefined && kept === row;
    };
    await expect.poll(isThere).toBe(true);
  });

  test('who has taken over, when a person of its console asked for that', async () => {
    const { folders, second } = await twoDesks(world());
    const { look, takeOver } = await lookerAt(folders.first);
    await expect.poll(async () => (await look()).fleet?.standbys[0]?.fault).toBe(null);
    await takeOver('second');
    await second.ready();
    // What it cannot write down of the chain is no fault of the node, and nothing beside it is left to do here.
    await expect.poll(async () => (await look()).chains?.[0]?.fault).toMatch(/taken over/);
    await expect.poll(look).toMatchObject({
      fleet: { isOver: true },
      attention: [{ code: 'fleet_alone', title: 'second has taken over' }],
    });
    const other = await lookerAt(folders.second);
    const taken = async () => (await other.look()).fleet;
    // Once the fleet was looked at: what it said of itself as a standby is no standby of its own.
    await expect.poll(taken).toMatchObject({ writer: 'second' });
    await expect.poll(taken).toMatchObject({ name: 'second', turn: 2, alone: null, isOver: false, standbys: [] });
  });
});
