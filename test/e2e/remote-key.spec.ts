import AxeBuilder from '@axe-core/playwright';
import { openKeystore } from '../../electron/signer/keystore.ts';
import { openSigningServer } from '../signer/signing-server.ts';
import { goTo } from './console-pages.ts';
import { expect, test } from './console-test.ts';
import { haltDesk, makerdesk } from './makerdesk.ts';
import { pageFaults } from './page-faults.ts';
import { startPracticeDesk } from './practice-desk.ts';

test('the key of a halted desk is given to a signer elsewhere, tried first; while it is silent its chains are closed, and say so', async ({
  page,
}, info) => {
  const desk = await startPracticeDesk(['--no-takers']);
  const signer = await openSigningServer(await openKeystore(desk.folder, 'practice'));
  try {
    await page.goto(desk.console);
    await goTo(page, 'e');
    await page.getByRole('link', { name: 'Signer' }).click();
    const where = page.getByRole('region', { name: 'Where the key is' });
    await expect(where).toContainText('can be changed only while the desk is halted');
    await haltDesk(desk.folder, {}, 'the key moves');
    await page.getByRole('button', { name: 'Back to the page' }).click();
    const place = where.getByLabel('The key is');
    await expect(place).toBeEnabled();
    await place.selectOption({ label: 'a signer over JSON-RPC (Web3Signer, Clef, a node)' });
    const exported = JSON.parse(await makerdesk(desk.folder, 'export'));
    await where.getByLabel('Address of the key').fill(exported.chains[0].signer);
    for (const url of ['a', 'http://', 'ftp://127.0.0.1:1']) {
      await where.getByLabel('Address of the signer').fill(url);
      await expect(where.getByRole('button', { name: 'Save' })).toBeDisabled();
    }
    await where.getByLabel('Address of the signer').fill('http://user:secret@127.0.0.1:1');
    await expect(where).toContainText('must have no user, password or key in it');
    await expect(where.getByRole('button', { name: 'Save' })).toBeDisabled();
    await where.getByLabel('Address of the signer').fill(signer.url);
    signer.behaviour = 'another key';
    await where.getByRole('button', { name: 'Try it' }).click();
    await expect(where).toContainText('is no signature of');
    signer.behaviour = 'well';
    await where.getByRole('button', { name: 'Try it' }).click();
    await expect(where).toContainText(/It signed in \d+ ms/);
    for (const [width, height] of [
      [1280, 800],
      [1920, 1080],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.screenshot({ path: info.outputPath(`key-elsewhere-${width}.png`) });
      expect(await pageFaults(page)).toEqual([]);
    }
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);

    await where.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('region', { name: 'Key', exact: true })).toContainText(
      `held elsewhere: the signer at ${new URL(signer.url).host} signs`,
    );
    const resume = () => makerdesk(desk.folder, 'resume', '--reason', 'the signer is there');
    await expect(resume).toPass();
    await signer.close();
    const closed = async () => {
      const { chains } = JSON.parse(await makerdesk(desk.folder, 'status', '--json'));
      expect(chains[0]).toMatchObject({ closed: 'signer_unseen' });
    };
    await expect(closed).toPass();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: /^Desk/ }).click();
    await expect(page.getByText('did not sign').first()).toBeVisible();
    await page.screenshot({ path: info.outputPath('key-silent.png') });
    await signer.reopen();
    await expect(page.getByText('did not sign')).toHaveCount(0);
  } finally {
    await signer.close().catch(() => {});
    await desk.stop();
  }
});
