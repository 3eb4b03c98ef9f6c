import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocketServer } from 'ws';
import { goTo } from './console-pages.ts';
import { expect, test } from './console-test.ts';
import { haltDesk, makerdesk } from './makerdesk.ts';
import { pageFaults } from './page-faults.ts';

const PAIR = 'WETH/USDC';
const SIZES = [
  [1280, 800],
  [1920, 1080],
] as const;

test('a trader sees where the reference of a pair comes from, and which of its sources disagree with what figures', async ({
  page,
  desk,
  openConsole,
}, info) => {
  const pictures = async (name: string) => {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const [width, height] of SIZES) {
        await page.setViewportSize({ width, height });
        await page.screenshot({ path: info.outputPath(`${name}-${colorScheme}-${width}.png`) });
        expect(await pageFaults(page)).toEqual([]);
      }
    }
    await page.emulateMedia({ colorScheme: null });
    await page.setViewportSize({ width: 1280, height: 800 });
  };
  const { folder } = desk;
  const before = await makerdesk(folder, 'export');
  const file = JSON.parse(before);
  const [chain] = file.chains;
  const feed = await feedBeside(chain.referenceUrl);
  const place = mkdtempSync(join(tmpdir(), 'sources-'));
  const imported = async (text: string) => {
    writeFileSync(join(place, 'desk.json'), text);
    await haltDesk(folder);
    await makerdesk(folder, 'import', join(place, 'desk.json'));
    await makerdesk(folder, 'resume', '--reason', 'the sources are set');
  };
  try {
    chain.sources = {
      feed: { kind: 'websocket', url: feed.url, pairs: { [PAIR]: { mid: 'mid' } } },
      gone: { kind: 'websocket', url: 'ws://127.0.0.1:1', pairs: { [PAIR]: { mid: 'mid' } } },
    };
    chain.references = { [PAIR]: { sources: ['reference', 'feed', 'gone'], rule: 'median', apartBps: 500 } };
    await imported(JSON.stringify(file));
    await openConsole();
    await goTo(page, 'p');
    await page.getByTitle('Where the reference comes from').click();
    const dialog = page.getByRole('dialog', { name: `Reference of ${PAIR}` });
    const row = (name: string) => dialog.getByRole('row').filter({ hasText: name });
    await expect(row('feed websocket')).toContainText('the mid');
    await expect(row('gone')).toContainText('nobody listens there');
    await expect(dialog.getByText(`${PAIR} is closed`)).toBeHidden();
    await pictures('agree');

    feed.factor = 1.2;
    await expect(dialog.getByText(`${PAIR} is closed`)).toBeVisible();
    await expect(
      dialog.getByText(/Its sources are more than 500 bps apart: reference says [\d.]+, feed [\d.]+\./),
    ).toBeVisible();
    await pictures('apart');
    const status = JSON.parse(await makerdesk(folder, 'status', '--json'));
    const names = status.sources.map(({ name }: { name: string }) => name);
    expect(names.slice(0, 3)).toEqual(['reference', 'feed', 'gone']);
    expect(status.chains[0].closedPairs[PAIR]).toMatchObject({ code: 'sources_apart' });
    expect(await makerdesk(folder, 'status')).toMatch(/source feed of chain \d+ \(websocket\): last heard/);

    feed.factor = 1;
    const closed = async () => JSON.parse(await makerdesk(folder, 'status', '--json')).chains[0].closedPairs;
    await expect.poll(closed).toBeUndefined();
    await expect(dialog.getByText(`${PAIR} is closed`)).toBeHidden();
    await page.keyboard.press('Escape');
    await goTo(page, 's');
    await expect(page.getByText('Source gone', { exact: true })).toBeVisible();
    await pictures('service');
    // However many pairs the service skips, an order can be looked up beside them.
    await page.getByRole('region', { name: 'Probably skipped' }).evaluate((panel) => {
      const rows = Array.from({ length: 20 }, (_, row) => `<li><p class="fill">Skipped, row ${row}</p></li>`);
      panel.querySelector('ul')?.insertAdjacentHTML('beforeend', rows.join(''));
    });
    await pictures('service-many');
    await imported(before); // the next test of this desk has no such sources
  } finally {
    feed.close();
    rmSync(place, { recursive: true, force: true });
  }
});

/** A feed that says what another reference says, times a factor. */
async function feedBeside(referenceUrl: string) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await new Promise((resolve) => server.once('listening', resolve));
  const feed = {
    factor: 1,
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      clearInterval(saying);
      for (const socket of server.clients) socket.terminate();
      server.close();
    },
  };
  const say = async () => {
    const { prices } = await (await fetch(referenceUrl)).json();
    const mid = (Number(prices[PAIR].mid) * feed.factor).toFixed(2);
    for (const socket of server.clients) socket.send(JSON.stringify({ mid }));
  };
  const saying = setInterval(() => void say().catch(() => {}), 300);
  return feed;
}
