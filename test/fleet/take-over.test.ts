import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DeskFile } from '../../electron/contract/desk-file.ts';
import { startTestChain, type TestChain } from '../chain-fixture.ts';
import { deskFileFor } from '../desk/desk-on-chain.ts';
import { runCommand } from '../desk/desk-process.ts';
import { takerClient } from '../desk/taker-client.ts';
import { askAllTheTime, fleetStatus, nothingIsLost, startInFleet, tradesNow, twoDesks } from './fleet-desks.ts';
import { noNats } from './nats.ts';

let chain: TestChain;
let file: DeskFile;

beforeAll(async () => {
  if (noNats !== null) return;
  chain = await startTestChain({ blockTimeSeconds: 1 });
  file = deskFileFor(chain);
});
afterAll(() => chain?.close());

describe.skipIf(noNats !== null)('a desk with a standby', () => {
  test('is taken over by a person’s word in the middle of quotes: it signs nothing more, and the other has every order', async () => {
    const { fleet, folders, first, second, surface } = await twoDesks(chain, file);
    const asking = askAllTheTime(surface, file);
    await expect.poll(() => asking.received.length).toBeGreaterThan(100);
    await expect
      .poll(() => fleetStatus(fleet))
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
    await tradesNow(folders.second, file, second);
    await asking.stop();
    expect(asking.received.length).toBe(count);
    expect(asking.received.every(({ at }) => at < takenAt + 1_000)).toBe(true);
    expect(await fleetStatus(fleet)).toMatchObject({ desk: { name: 'second', turn: 2, heard: true }, standbys: [] });
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
});
