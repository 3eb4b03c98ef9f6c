import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import AxeBuilder from '@axe-core/playwright';
import { goTo } from './console-pages.ts';
import { expect, test } from './console-test.ts';
import { pageFaults } from './page-faults.ts';

test('a person sets on their own computer what is shown and heard, tries it, and finds it so the next time', async ({
  page,
  context,
  openConsole,
}, info) => {
  await context.grantPermissions(['notifications']);
  await openConsole();
  await goTo(page, 'e');
  await page.getByRole('link', { name: 'Alerts' }).click();
  const own = page.getByRole('region', { name: 'On this computer' });
  const wish = (kind: string) => own.getByRole('radiogroup', { name: `${kind}: notification on this computer` });
  await expect(wish('Look today').getByRole('radio', { name: 'As above' })).toBeChecked();
  await wish('Look today').getByRole('radio', { name: 'On' }).click();
  await own
    .getByRole('radiogroup', { name: 'Halt and drain: sound on this computer' })
    .getByRole('radio', { name: 'Off' })
    .click();
  await own.getByRole('button', { name: 'Try Halt and drain' }).click();
  await expect(own.getByRole('row', { name: /Halt and drain/ })).toContainText('notification shown');
  await page.reload();
  await expect(wish('Look today').getByRole('radio', { name: 'On' })).toBeChecked();
  // For everybody it is as it was.
  await expect(page.getByRole('switch', { name: 'Look today: notification' })).not.toBeChecked();
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const [width, height] of [
      [1280, 800],
      [1920, 1080],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.screenshot({ path: info.outputPath(`own-${colorScheme}-${width}.png`) });
      expect(await pageFaults(page)).toEqual([]);
    }
  }
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);
});

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
