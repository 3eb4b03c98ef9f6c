import { readdirSync, readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { deskNow } from '../../electron/commands/desk-now.ts';
import { processCommand } from '../../electron/practice/chain/folder-node.ts';
import { descendantsOf } from './descendants.ts';
import { runCommand } from './desk-process.ts';
import { openPracticeWorld, type PracticeWorld } from './practice-world.ts';

/** Processes are looked up as Linux lists them. */
const onLinux = test.runIf(platform() === 'linux');

async function openWorld(args: string[] = []): Promise<PracticeWorld> {
  const world = await openPracticeWorld(args);
  onTestFinished(world.close);
  return world;
}

/** Everything that a desk started, and of it the process of its market. */
function startedBy({ desk }: PracticeWorld): { all: number[]; market: number; nodes: number[] } {
  const all = descendantsOf(desk.ready.pid);
  const named = (name: string) => all.filter((pid) => processCommand(pid).includes(name));
  const [market = 0] = named('practice-process');
  return { all, market, nodes: named('anvil') };
}

/** Where the first chain is and what is on it; its prices follow the reference meanwhile. */
async function placeOf(world: PracticeWorld) {
  const { rpcUrl, serviceUrl, rfqContract, maker, signer, takers, tokens } = await world.chainOf(31337);
  return { rpcUrl, serviceUrl, rfqContract, maker, signer, takers, tokens };
}

/** What a file of the log says, by the beginning of its name. */
function logOf(folder: string, name: string): string {
  const logs = join(folder, 'logs');
  const files = readdirSync(logs).filter((file) => file.startsWith(`${name}-`));
  return files.map((file) => readFileSync(join(logs, file), 'utf8')).join('');
}

const allGone = (pids: number[]) =>
  vi.waitFor(() => expect(pids.map(processCommand).filter((command) => command !== '')).toEqual([]), { interval: 50 });

onLinux(
  'a market that was killed is told, and started again it goes on where it was; kill -9 of the desk leaves nothing of it behind',
  async () => {
    const world = await openWorld(['--speed', '2', '--forgive-seconds', '1']);
    const { folder, client, desk } = world;
    const before = startedBy(world);
    expect(before.nodes.length).toBeGreaterThanOrEqual(2);
    await world.until(async () => expect(await world.fills(31337)).toBeGreaterThan(0));
    const place = await placeOf(world);
    const alerts = async () => (await deskNow(client)).alerts;
    const ofMarket = async () => (await alerts()).filter(({ code }) => code === 'practice_ended');
    expect(await ofMarket()).toEqual([]);

    process.kill(before.market, 'SIGKILL');
    await world.until(async () =>
      expect((await alerts())[0]).toMatchObject({
        code: 'practice_ended',
        level: 'stop',
        detail: expect.stringContaining('SIGKILL'),
      }),
    );
    const { stdout } = await runCommand(folder, ['status', '--json']);
    expect(JSON.parse(stdout).alerts[0]).toMatchObject({ code: 'practice_ended' });
    const gone = { ended: 'Its process was ended by SIGKILL.', faults: [], service: [], takers: [] };
    await world.until(() => expect(world.state()).toMatchObject(gone));
    await expect(client.practice.speed({ asksPerSecond: 1 })).rejects.toMatchObject({
      data: { code: 'practice_ended' },
    });
    await allGone(before.nodes);

    expect(await runCommand(folder, ['practice', 'restart'])).toMatchObject({ code: 0, stdout: '{"running":true}\n' });
    expect(await placeOf(world)).toEqual(place);
    expect(await world.fills(31337)).toBeGreaterThan(0);
    const known = await world.fills(31337);
    await world.until(async () => expect(await world.fills(31337)).toBeGreaterThan(known));
    await world.until(() => expect(world.state()).toMatchObject({ ended: null, speed: 2 }));
    expect([(await client.trading.status()).state, await ofMarket()]).toEqual(['LIVE', []]);

    expect(logOf(folder, 'market')).toContain('restocked');
    expect(logOf(folder, 'makerdesk')).not.toContain('restocked');
    expect(logOf(folder, 'makerdesk')).toContain('the practice market ended');
    const after = startedBy(world);
    expect([after.market > 0, after.market !== before.market, after.nodes.length >= 2]).toEqual([true, true, true]);
    await desk.kill();
    await allGone(after.all);
  },
);

onLinux('a market that does not answer keeps its desk neither from ending nor from ending it', async () => {
  const world = await openWorld();
  const { all, market } = startedBy(world);
  process.kill(market, 'SIGSTOP');
  expect(await world.desk.stop()).toBe(0);
  await allGone(all);
});
