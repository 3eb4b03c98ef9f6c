import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestChain } from '../chain-fixture.ts';
import { armedFolder, deskFileFor } from '../desk/desk-on-chain.ts';
import { temporaryFolder } from '../desk/desk-process.ts';
import { spawnInFleet } from '../fleet/fleet-process.ts';
import { noNats, startNats } from '../fleet/nats.ts';
import { goTo } from './console-pages.ts';
import { expect, test } from './console-test.ts';
import { looker } from './looker.ts';

/** The smallest window, the usual ones, the largest of a trader, and the usual one zoomed to 150 %. */
const SIZES = [
  { width: 1024, height: 700 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
  { width: 2560, height: 1440 },
  { width: 853, height: 533 },
];

test('a desk on one machine has no link to a fleet, and its page leads to how it gets one', async ({
  page,
  openConsole,
}) => {
  await openConsole();
  await expect(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Fleet' })).toHaveCount(0);
  await goTo(page, 'm');
  await expect(page.getByRole('heading', { name: 'This desk runs on one machine' })).toBeVisible();
  await page.getByRole('link', { name: 'A desk on two machines' }).click();
  await expect(page.getByRole('heading', { name: 'A desk on two machines' }).first()).toBeVisible();
});

test('the fleet is seen whole: who stands by, who is gone, and a takeover from the screen', async ({ page }, info) => {
  test.skip(noNats !== null, noNats ?? '');
  const undo: (() => unknown)[] = [];
  try {
    const [chain, nats] = await Promise.all([startTestChain({ blockTimeSeconds: 1 }), startNats()]);
    undo.push(
      () => chain.close(),
      () => nats.close(),
    );
    const { folder, remove } = await armedFolder(chain, deskFileFor(chain));
    const other = temporaryFolder();
    undo.push(remove, other.remove);
    copyFileSync(join(folder, 'keystore.json'), join(other.folder, 'keystore.json'));
    const address = `nats://127.0.0.1:${nats.port}/desk`;
    const start = (command: string, of: string, name: string) => {
      const desk = spawnInFleet(of, [command, '--fleet', address, '--name', name]);
      undo.push(() => desk.end('SIGKILL'));
      return desk;
    };
    const { console: url } = await start('serve', folder, 'fra-1').ready();
    await page.goto(url ?? '');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Fleet' }).click();
    const standbys = page.getByRole('region', { name: 'Standbys' });
    const writer = page.getByRole('region', { name: 'Desk and journal' });
    await expect(standbys).toContainText('Nobody stands by');
    await expect(writer).toContainText('fra-1 writes since');
    const second = start('standby', other.folder, 'lon-1');
    const row = standbys.getByRole('row', { name: /lon-1/ });
    await expect(row).toContainText(/level|follows/);
    await expect(row).toContainText('yes');
    const surfaces = page.getByRole('region', { name: 'Surfaces' });
    await expect(surfaces).toContainText('Counterparties ask this machine alone');
    const [one, two] = [temporaryFolder(), temporaryFolder()];
    undo.push(one.remove, two.remove);
    const tokyo = start('surface', one.folder, 'tokyo');
    start('surface', two.folder, 'paris');
    await expect(surfaces.getByRole('row', { name: /tokyo/ })).toContainText('serves');
    const paris = surfaces.getByRole('row', { name: /paris/ });
    await paris.getByRole('button', { name: 'Drain… paris' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Drain paris' }).click();
    await expect(paris).toContainText('drains');
    await paris.getByRole('button', { name: 'Switch on… paris' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Switch on paris' }).click();
    await expect(paris).toContainText('serves');
    await paris.getByRole('button', { name: 'Switch off… paris' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Switch off paris' }).click();
    await expect(paris).toContainText('off');
    const { faults, inBoth } = looker(page, info, 'fleet', SIZES);
    await inBoth('level');

    await second.end('SIGKILL');
    await tokyo.end('SIGKILL');
    await expect(row).toContainText('not heard');
    await expect(surfaces.getByRole('row', { name: /tokyo/ })).toContainText('not heard');
    await expect(surfaces).toContainText(/Not heard since \d\d:\d\d:\d\d\. Whoever asks there gets nothing/);
    await expect(row).toContainText('not known');
    await expect(row.getByRole('button')).toHaveCount(0);
    // LIVE alone would hide it: on every page the strip says how many of those that are switched on serve.
    await expect(page.getByRole('region', { name: 'Status' })).toContainText('0 of 1');
    await inBoth('silent');
    const again = start('standby', other.folder, 'lon-1');
    await expect(row).toContainText(/level|follows/);
    await row.getByRole('button', { name: 'Take over… by lon-1' }).click();
    const dialog = page.getByRole('dialog', { name: 'Have lon-1 take over?' });
    await expect(dialog).toContainText('fra-1 is halted for good');
    await dialog.getByRole('button', { name: 'fra-1 goes on' }).click();
    await expect(dialog).toHaveCount(0);
    await row.getByRole('button', { name: 'Take over… by lon-1' }).click();
    await dialog.getByRole('button', { name: 'lon-1 takes over' }).click();
    await again.ready();
    await expect(page.getByRole('heading', { name: 'HALTED' })).toBeVisible();
    await page.getByRole('button', { name: 'Back to the page' }).click();
    await expect(writer).toContainText('it never signs again. lon-1 has the seat now');
    await expect(row).toContainText('has taken over');
    await expect(page.getByLabel('Halted', { exact: true })).toContainText('lon-1 trades now. End this one.');
    await expect(page.getByRole('button', { name: 'What is live', exact: true })).toBeVisible();
    await inBoth('over');
    expect(faults).toEqual([]);
  } finally {
    for (const step of undo.reverse()) await step();
  }
});
