import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { goTo } from './console-pages.ts';
import { expect, test } from './console-test.ts';
import { startEmptyDesk } from './empty-desk.ts';
import { makerdesk } from './makerdesk.ts';

const ADDRESS = `0x${'c1'.repeat(20)}`;
const KEY = 'canary-of-the-node';
const NODE = `http://127.0.0.1:1/v2/${KEY}`;

test('the key in a node’s address is not on the screen, stays when the form is saved, and goes for another that is typed; spare nodes likewise', async ({
  page,
}, info) => {
  const desk = await startEmptyDesk();
  const kept = async (setting: string) =>
    JSON.parse(await makerdesk(desk.folder, 'export', '--with-secrets')).chains[0][setting];
  try {
    const file = join(desk.folder, 'import.json');
    const chain = {
      chainId: 4_242,
      name: 'Nowhere',
      basePath: '/4242',
      rpcUrl: NODE,
      domainName: 'TEST',
      rfqContract: ADDRESS,
      maker: ADDRESS,
      signer: ADDRESS,
    };
    writeFileSync(file, JSON.stringify({ version: 1, chains: [chain], counterparties: [] }));
    await makerdesk(desk.folder, 'import', file);
    await page.goto(desk.console);
    await goTo(page, 'e');
    const node = page.getByLabel('Node', { exact: true });
    await expect(node).toHaveValue(/^http:\/\/127\.0\.0\.1:1\/#sealed-[0-9a-f]{16}$/);
    await expect(page.getByText('its key is sealed')).toBeVisible();
    const sealed = await node.inputValue();
    for (const [width, height] of [
      [1280, 800],
      [1920, 1080],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.screenshot({ path: info.outputPath(`chain-${width}.png`) });
    }
    await page.getByLabel('Name', { exact: true }).fill('Somewhere');
    await page.getByRole('button', { name: 'Save Nowhere' }).click();
    await expect(page.getByRole('button', { name: 'Save Somewhere' })).toBeVisible();
    expect(await kept('rpcUrl')).toBe(NODE);

    await node.fill(sealed.replace('127.0.0.1:1', '127.0.0.1:2'));
    await page.getByRole('button', { name: 'Save Somewhere' }).click();
    await expect(page.getByText('give the whole address').first()).toBeVisible();
    await page.screenshot({ path: info.outputPath('chain-refused.png') });
    await node.fill(`${NODE}-replaced`);
    await page.getByRole('button', { name: 'Save Somewhere' }).click();
    await expect(node).toHaveValue(/#sealed-[0-9a-f]{16}$/);
    expect(await node.inputValue()).not.toBe(sealed);
    expect(await kept('rpcUrl')).toBe(`${NODE}-replaced`);

    // Spare nodes are a list, and seal their keys as well.
    const spares = page.getByLabel('Spare nodes');
    await spares.fill('127.0.0.1:3');
    await expect(page.getByText('The addresses of spare nodes: http, https, ws or wss')).toBeVisible();
    await spares.fill(`http://127.0.0.1:3, http://127.0.0.1:4/${KEY}`);
    await page.getByRole('button', { name: 'Save Somewhere' }).click();
    await expect(spares).toHaveValue(/^http:\/\/127\.0\.0\.1:3(, |,)http:\/\/127\.0\.0\.1:4\/#sealed-[0-9a-f]{16}$/);
    expect(await kept('spareRpcUrls')).toEqual(['http://127.0.0.1:3', `http://127.0.0.1:4/${KEY}`]);
    await page.screenshot({ path: info.outputPath('chain-spares.png') });
    await spares.fill('');
    await page.getByRole('button', { name: 'Save Somewhere' }).click();
    await expect.poll(() => kept('spareRpcUrls')).toEqual([]);
    expect(await page.content()).not.toContain(KEY);
  } finally {
    await desk.stop();
  }
});
