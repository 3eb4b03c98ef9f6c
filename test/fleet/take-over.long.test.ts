import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { runCommand } from '../desk/desk-process.ts';
import { takerClient } from '../desk/taker-client.ts';
import { howOften } from '../how-often.ts';
import {
  askAllTheTime,
  fleetWorld,
  folderWithKeyOf,
  nothingIsLost,
  resumeWhereHalted,
  startInFleet,
  stateOf,
  tradesNow,
  twoDesks,
} from './fleet-desks.ts';
import { noNats } from './nats.ts';

const KILLS = howOften(3, 12, 'MAKERDESK_KILLS');

const world = fleetWorld();

type Name = 'first' | 'second';

/** How many quotes there are by now; the desk of this folder is resumed where a slow machine has halted it. */
async function quotesOf({ received }: Pick<ReturnType<typeof askAllTheTime>, 'received'>, folder: string) {
  await resumeWhereHalted(folder);
  return received.length;
}

describe.skipIf(noNats !== null)('a desk with a standby', () => {
  test('that is killed in the middle of quotes is taken over by itself, with every order that left it', async () => {
    const { folders, first, second, surface } = await twoDesks(world(), { standby: ['--take-over-after', '5'] });
    const asking = askAllTheTime(surface, world().file);
    await expect.poll(() => asking.received.length).toBeGreaterThan(100);
    await first.end('SIGKILL');
    await asking.stop();
    await tradesNow(folders.second, world().file, second);
    expect(await second.end('SIGTERM')).toBe(0);
    await nothingIsLost(folders.second, asking.received);
  });

  test('that stands still while it is taken over lets no order go when it wakes', async () => {
    const { fleet, folders, first, second, surface } = await twoDesks(world(), { isKept: false });
    const asking = askAllTheTime(surface, world().file);
    await expect.poll(() => quotesOf(asking, folders.first)).toBeGreaterThan(100);
    first.signal('SIGSTOP');
    const stoppedAt = performance.now();
    const told = await runCommand(null, ['fleet', 'take-over', 'second', '--fleet', fleet]);
    expect(told.code, told.stderr).toBe(0);
    await tradesNow(folders.second, world().file, second);
    first.signal('SIGCONT');
    await expect.poll(() => first.stderr()).toContain('taken over');
    await asking.stop();
    // What the fleet had before it stood still may still be handed over; whether that is all is seen below, in the journal of the other.
    expect(asking.received.filter(({ sentAt }) => sentAt > stoppedAt)).toEqual([]);
    expect(await second.end('SIGTERM')).toBe(0);
    await nothingIsLost(folders.second, asking.received);
  });

  test('is followed on in a folder in which somebody starts a desk by mistake: it is refused, and says nothing else of that folder', async () => {
    const { fleet, folders, first } = await twoDesks(world());
    // Nobody has the seat, which the mistaken desk takes first.
    expect(await first.end('SIGTERM')).toBe(0);
    const says = () => readFileSync(join(folders.second, 'fleet.json'), 'utf8');
    const before = says();
    const mistaken = startInFleet(folders.second, ['serve', '--fleet', fleet, '--name', 'mistaken']);
    expect(await mistaken.ended).toBe(1);
    expect(mistaken.stderr()).toContain('Another desk is running');
    expect(says()).toBe(before);
  });

  test('halts when its server is gone, says why, and is resumed once the fleet has its rows again', async () => {
    const { nats, folders, first, surface } = await twoDesks(world(), { isKept: false });
    const asking = askAllTheTime(surface, world().file);
    await expect.poll(() => quotesOf(asking, folders.first)).toBeGreaterThan(100);
    await nats.kill();
    const client = takerClient(surface, world().file);
    await expect.poll(async () => (await client.get('/prices')).status).toBe(503);
    const refused = await runCommand(folders.first, ['resume', '--reason', 'too early']);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('alone in its fleet') });
    const { length } = asking.received;
    await nats.start();
    await tradesNow(folders.first, world().file, first);
    await expect.poll(() => asking.received.length).toBeGreaterThan(length);
    await asking.stop();
    await expect.poll(() => stateOf(folders.first)).toBe('LIVE');
    expect(await first.end('SIGTERM')).toBe(0);
    await nothingIsLost(folders.first, asking.received);
  });

  test(`whoever is killed, and whenever, ${KILLS} times: each order that a client has is with the desk that trades in the end`, async () => {
    const { nats, fleet, folders, first, second, surface } = await twoDesks(world());
    // The two take turns: whoever was killed comes back as the standby of the other.
    const places = { first: folders.first, second: folders.second };
    let [writes, stands]: [Name, Name] = ['first', 'second'];
    const running = { first, second };
    let at = surface;
    const received: { signature: string }[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const asking = askAllTheTime(at, world().file);
      await expect.poll(() => quotesOf(asking, places[writes])).toBeGreaterThan(20);
      await sleep(Math.random() * 700);
      const whom = Math.random();
      if (whom < 0.25) {
        // The fleet server: the desk halts, and goes on once it is back.
        await nats.kill();
        await sleep(Math.random() * 4_000);
        await nats.start();
        await tradesNow(places[writes], world().file, running[writes]);
        await asking.stop();
      } else if (whom < 0.4) {
        // The standby: it follows again from where it was.
        await running[stands].end('SIGKILL');
        running[stands] = startInFleet(places[stands], ['standby', '--fleet', fleet, '--name', stands]);
        await running[stands].said((line) => line.standby === true);
        await asking.stop();
      } else {
        await running[writes].end('SIGKILL');
        await asking.stop();
        const told = await runCommand(null, ['fleet', 'take-over', stands, '--fleet', fleet]);
        expect(told.code, `${told.stderr}${running[stands].stderr()}`).toBe(0);
        await tradesNow(places[stands], world().file, running[stands]);
        at = (await running[stands].ready()).surface;
        [writes, stands] = [stands, writes];
        // What it wrote last may have left it or not; in its own folder it follows again, unless it has more than the fleet.
        const back = startInFleet(places[stands], ['standby', '--fleet', fleet, '--name', stands]);
        const line = await back.said<object>((said) => said.standby === true).catch(() => null);
        if (line === null) {
          expect(back.stderr()).toContain('another past');
          places[stands] = folderWithKeyOf(places[stands]);
          running[stands] = startInFleet(places[stands], ['standby', '--fleet', fleet, '--name', stands]);
          await running[stands].said((said) => said.standby === true);
        } else running[stands] = back;
      }
      received.push(...asking.received);
    }
    expect(await running[writes].end('SIGTERM')).toBe(0);
    await nothingIsLost(places[writes], received);
  });
});
