import { describe, expect, onTestFinished, test } from 'vitest';
import { armedFolder } from '../desk/desk-on-chain.ts';
import { runCommand, temporaryFolder } from '../desk/desk-process.ts';
import { takerClient } from '../desk/taker-client.ts';
import { fleetWorld, folderWithKeyOf, keepsLive, serves, startInFleet, tradesNow } from './fleet-desks.ts';
import { guardedFleet } from './guarded.ts';
import { noNats } from './nats.ts';

const world = fleetWorld();
const SMALL = String(10n ** 13n);

describe.skipIf(noNats !== null)(
  'a fleet whose server has TLS, and users with the rights of the guide and no others',
  () => {
    test.each(['keys', 'tokens'] as const)(
      'trades, is switched and taken over, with %s: nobody asks for more than they may, and none of it is there for nothing',
      async (by) => {
        const { chain, file } = world();
        const fleet = await guardedFleet(by);
        const { folder, remove } = await armedFolder(chain, file);
        onTestFinished(remove);
        const desk = startInFleet(folder, ['serve', ...fleet.access('fra-1'), '--name', 'fra-1']);
        await serves(takerClient((await desk.ready()).surface, file), folder);
        await keepsLive(folder);
        const second = folderWithKeyOf(folder);
        const standby = startInFleet(second, ['standby', ...fleet.access('lon-1'), '--name', 'lon-1']);
        await standby.said((line) => line.standby === true);
        const place = temporaryFolder();
        onTestFinished(place.remove);
        const surface = startInFleet(place.folder, ['surface', ...fleet.access('tokyo'), '--name', 'tokyo']);
        const far = takerClient((await surface.ready()).surface, file);
        await serves(far, folder);
        await expect.poll(async () => (await far.firm('asks', { makerAmount: SMALL })).status).toBe(200);

        const say = (...words: string[]) => runCommand(null, ['fleet', ...words, ...fleet.access('mara')]);
        // It tells what it hears within some seconds: on a machine that is held up, perhaps only with another look.
        await expect
          .poll(async () => JSON.parse((await say('status', '--json')).stdout))
          .toMatchObject({
            desk: { name: 'fra-1', turn: 1 },
            standbys: [{ name: 'lon-1', hasKey: true }],
            surfaces: [{ name: 'tokyo', switched: 'on' }],
          });
        expect(await say('off', 'tokyo')).toMatchObject({ code: 0, stderr: '' });
        expect(await far.get('/prices')).toMatchObject({ status: 503, json: { code: 'surface_off' } });
        expect(await say('on', 'tokyo')).toMatchObject({ code: 0, stderr: '' });
        // Nobody listens to prices here: the command says so, and the desk tells its surfaces all the same.
        await runCommand(folder, ['message', 'maintenance at noon']);
        expect((await runCommand(folder, ['halt', '--reason', 'a test'])).code).toBe(0);

        expect(await say('take-over', 'lon-1')).toMatchObject({ code: 0, stderr: '' });
        await tradesNow(second, file, standby);
        await expect.poll(async () => (await far.firm('asks', { makerAmount: SMALL })).status).toBe(200);
        // The one that was taken over only learns of it; all others leave in order.
        for (const one of [surface, standby, desk]) expect(await one.end('SIGTERM')).toBe(0);
        expect(fleet.refused()).toEqual([]);
        expect(fleet.unused()).toEqual([]);
      },
    );
  },
);
