import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import AxeBuilder from '@axe-core/playwright';
import { goTo } from './console-pages.ts';
import { expect, test } from './console-test.ts';
import { pageFaults } from './page-faults.ts';

const KEY = 'canary-of-the-chat';

test('a chat is set up on Settings, tried with what it answers, kept quiet at night, and removed', async ({
  page,
  openConsole,
}, info) => {
  const chat = createServer((_request, response) => void response.writeHead(404).end('no_such_channel'));
  await new Promise<void>((resolve) => chat.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(chat.address() as AddressInfo).port}`;
  try {
    await openConsole();
    await goTo(page, 'e');
    await page.getByRole('link', { name: 'Alerts' }).click();
    await page.getByRole('button', { name: 'Add a webhook…' }).click();
    await page.getByLabel('Address', { exact: true }).fill(`http://chat.example/${KEY}`);
    await page.getByRole('button', { name: 'Keep it', exact: true }).click();
    await expect(page.getByText('must be https').first()).toBeVisible();
    await page.getByLabel('Address', { exact: true }).fill(`${origin}/${KEY}`);
    await page.keyboard.press('Enter');
    const way = page.getByRole('region', { name: 'chat' });
    await expect(way).toContainText(`${origin} · halts, what is stopped · not told anything yet`);
    expect(await page.content()).not.toContain(KEY);

    await way.getByRole('button', { name: 'Test…' }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await expect(page.getByText('it answered 404: no_such_channel')).toBeVisible();
    await page.getByRole('button', { name: 'Close' }).click();

    const quiet = page.getByRole('region', { name: 'Quiet hours' });
    await quiet.getByLabel('Time zone').fill('Nowhere/Else');
    await quiet.getByRole('button', { name: 'Keep quiet then' }).click();
    await expect(quiet.getByText('is no time zone')).toBeVisible();
    await quiet.getByLabel('Time zone').fill('Europe/Zurich');
    await quiet.getByRole('button', { name: 'Keep quiet then' }).click();
    await expect(quiet).toContainText('22:00 to 07:00, Europe/Zurich');

    for (const [width, height] of [
      [1280, 800],
      [1920, 1080],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.screenshot({ path: info.outputPath(`alerts-${width}.png`) });
      expect(await pageFaults(page)).toEqual([]);
    }
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);

    await quiet.getByRole('button', { name: 'End them' }).click();
    await expect(quiet).toContainText('none');
    await way.getByRole('button', { name: 'Remove…' }).click();
    await page.getByRole('button', { name: 'Remove chat' }).click();
    await expect(way).toHaveCount(0);
  } finally {
    chat.closeAllConnections();
    await new Promise<void>((resolve) => chat.close(() => resolve()));
  }
});
