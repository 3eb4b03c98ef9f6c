import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { Page, TestInfo } from '@playwright/test';
import type { Handover } from '../../electron/contract/handover.ts';
import { connectionTo } from '../desk/connection.ts';
import { extremeHandover } from '../extreme-handover.ts';
import { goTo } from './console-pages.ts';
import { expect, keptTest as test, test as testAlone } from './console-test.ts';
import { tradeUntil } from './results-page.ts';
import { FAILED, standBetween } from './unanswered.ts';

const sheet = (page: Page) => page.getByRole('article', { name: 'Sheet' });
const part = (page: Page, name: string | RegExp) => sheet(page).getByRole('region', { name });
const hasPoppler = (() => {
  try {
    execFileSync('pdftotext', ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** Prints the page as its own style has it: how many pages that is, and the text of them where this machine can read it. */
async function printed(page: Page, info: TestInfo, name: string): Promise<{ pages: number; text: string | null }> {
  const pdf = await page.pdf({ preferCSSPageSize: true });
  const path = info.outputPath(`${name}.pdf`);
  writeFileSync(path, pdf);
  const pages = pdf.toString('latin1').match(/\/Type\s*\/Page[^s]/g)?.length ?? 0;
  return { pages, text: hasPoppler ? execFileSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' }) : null };
}

/** From now on the desk's answer has this day in it. */
async function tellInstead(page: Page, handover: Handover): Promise<void> {
  await page.routeWebSocket(/\/rpc/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => server.send(message));
    server.onMessage((message) => {
      const said = JSON.parse(message.toString()) as { p?: { d?: { json?: { handover?: unknown } } } };
      const given = said.p?.d?.json;
      if (!given?.handover) return socket.send(message);
      given.handover = handover;
      socket.send(JSON.stringify(said));
    });
  });
}

/** Parts of the sheet that lie outside of it, and figures that have no room where they stand. */
function misplaced(page: Page): Promise<string[]> {
  return sheet(page).evaluate((whole) => {
    const box = whole.getBoundingClientRect();
    const outside = [...whole.querySelectorAll('h2, h3, p, dt, dd, tr')].filter((element) => {
      const { bottom, right } = element.getBoundingClientRect();
      return bottom > box.bottom + 1 || right > box.right + 1;
    });
    const figures = [...whole.querySelectorAll('dd, [data-figure] bdi')].filter(
      (element) => getComputedStyle(element).textOverflow !== 'ellipsis',
    );
    const narrow = figures.filter(
      ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
        scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 3,
    );
    return [...outside, ...narrow].map((element) => element.textContent ?? '');
  });
}

test('today on one sheet: what was signed, filled and earned, who did what, and what is open; it prints on one page', async ({
  page,
  desk,
  openConsole,
}, info) => {
  await tradeUntil(desk, 3);
  const mara = await connectionTo(desk.folder, 'mara');
  const pair = { chainId: 31337, pair: 'DAI/USDC' };
  await mara.desk.trading.halt({ scope: pair, reason: 'short of DAI' });
  await openConsole();
  await goTo(page, 'v');
  await expect(sheet(page)).toContainText(/Signed[1-9]/);
  await expect(part(page, 'Filled and earned, by pair').locator('tbody tr').first()).toContainText('/USD');
  await expect(part(page, 'Halted, resumed and changed')).toContainText('short of DAI');
  await expect(part(page, 'Halted, resumed and changed')).toContainText('mara');
  await expect(part(page, /^Open now/)).toContainText('LIVE');
  await expect(part(page, /^Open now/)).toContainText('DAI/USDC on Practice');
  await mara.desk.trading.resume({ scope: pair, reason: 'the test is over' });
  await mara.close();

  const { pages, text } = await printed(page, info, 'today');
  expect(pages).toBe(1);
  if (text !== null) {
    expect(text).toContain('short of DAI');
    expect(text).toContain('Seals of the journal');
    expect(text).not.toContain('Protections'); // nothing of what stands around the sheet
  }
  // The day before there was no desk.
  await page.getByRole('button', { name: 'The day before' }).click();
  await expect(page).toHaveURL(/#\/handover\/\d{4}-\d{2}-\d{2}$/);
  await expect(sheet(page)).toContainText('Nobody changed, halted or resumed anything.');
  await page.getByRole('button', { name: 'The day after' }).click();
  await expect(page).toHaveURL(/#\/handover$/);
  await expect(part(page, 'Halted, resumed and changed')).toContainText('mara');
});

testAlone(
  'a day that held more of everything than fits is one page all the same, and says where the rest is',
  async ({ page, openConsole }, info) => {
    await tellInstead(page, extremeHandover());
    await openConsole();
    await goTo(page, 'v');
    await expect(sheet(page)).toContainText('see Journal');
    const { pages, text } = await printed(page, info, 'extreme');
    expect(pages).toBe(1);
    await page.emulateMedia({ media: 'print' });
    // As large as what a printer leaves of A4.
    await page.setViewportSize({ width: Math.floor((186 / 25.4) * 96), height: Math.floor((273 / 25.4) * 96) });
    expect(await misplaced(page)).toEqual([]);
    await page.emulateMedia({ media: null });
    if (text !== null)
      for (const where of ['Desk', 'Results', 'Firm log', 'Journal']) expect(text).toContain(`see ${where}`);
    await part(page, 'Halted, resumed and changed').getByRole('link').click();
    await expect(page).toHaveURL(/\?range=between&from=2026-11-01.*#\/journal$/);
  },
);

testAlone('a day that cannot be read says why, and is asked for again by a button', async ({ page, openConsole }) => {
  const answers = await standBetween(page, /handover/);
  await openConsole();
  answers('failed');
  await goTo(page, 'v');
  await expect(page.getByText(FAILED)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Print…' })).toBeDisabled();
  answers('given');
  await page.getByRole('button', { name: 'Ask again' }).click();
  await expect(sheet(page)).toBeVisible();
});

test('who looks for a handover finds it in the palette and beside the results', async ({ page, openConsole }) => {
  await openConsole();
  await goTo(page, 'n');
  await page.getByRole('main').getByRole('link', { name: 'Handover' }).click();
  await expect(sheet(page)).toBeVisible();
  await goTo(page, 'd');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('handover');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/handover$/);
});
