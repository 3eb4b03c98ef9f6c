import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './console-test.ts';
import { startEmptyDesk } from './empty-desk.ts';
import { makerdesk } from './makerdesk.ts';

test('a first start: the practice market is started from the screen, in a folder of its own, and opens LIVE on its self-check', async ({
  page,
}) => {
  const desk = await startEmptyDesk();
  try {
    await page.goto(desk.console);
    await page.getByRole('radio', { name: 'Practice' }).click();
    const before = new URL(page.url()).origin;
    await page.getByRole('button', { name: 'Start the practice market' }).click();
    await expect(page.getByText(/usually under 30 s/)).toContainText(/\d+ s, usually under 30 s/);
    await expect(page.getByRole('heading', { name: 'Self-check' })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Status' })).toContainText('LIVE');
    expect(new URL(page.url()).origin).not.toBe(before);
    expect(JSON.parse(await makerdesk(desk.folder, 'export')).chains).toEqual([]);
    const practice = JSON.parse(await makerdesk(join(desk.folder, 'practice'), 'export'));
    expect(practice.chains[0]).toMatchObject({ chainId: 31337 });
    // A second press finds the one that runs.
    await page.goto(desk.console);
    await page.getByRole('radio', { name: 'Practice' }).click();
    await page.getByRole('button', { name: 'Start the practice market' }).click();
    await expect(page.getByRole('heading', { name: 'Self-check' })).toBeVisible();
    const pid = Number(readFileSync(join(desk.folder, 'practice', 'desk.pid'), 'utf8'));
    expect(process.kill(pid, 0)).toBe(true);
    await desk.stop();
    await expect.poll(() => isGone(pid)).toBe(true);
  } finally {
    await desk.stop();
  }
});

function isGone(pid: number): boolean {
  try {
    return !process.kill(pid, 0);
  } catch {
    return true;
  }
}
