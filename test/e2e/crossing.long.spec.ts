import { chainReader } from './chain-reader.ts';
import { goTo } from './console-pages.ts';
import { expect, test } from './console-test.ts';
import { act, chooseWay, followed, isDone, said, TENTH, ticket, typeTicket } from './hedge-page.ts';
import { pageFaults } from './page-faults.ts';
import { type PracticeDesk, startPracticeDesk } from './practice-desk.ts';

const SIZES = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
] as const;
const FRIEND = `0x${'be'.repeat(20)}`;

let desk: PracticeDesk;
test.beforeAll(async () => {
  desk = await startPracticeDesk(['--no-takers']);
});
test.afterAll(() => desk.stop());

test('a hedge over a chosen bridge to somebody else on the other chain: each bridge with its figures, and in every size and theme', async ({
  page,
}, info) => {
  const [here, there] = [await chainReader(desk, 31337), await chainReader(desk, 31338)];
  const before = { here: await here.holdings('WETH'), maker: await there.holdings('WETH') };
  const faults: string[] = [];
  const look = async (what: string) => {
    for (const theme of ['dark', 'light'] as const) {
      await page.evaluate((name) => document.documentElement.setAttribute('data-theme', name), theme);
      for (const size of SIZES) {
        await page.setViewportSize(size);
        // A notice lies over the page on purpose.
        for (const notice of await page.getByRole('button', { name: 'Dismiss' }).all()) {
          await notice.click({ timeout: 1_000 }).catch(() => {});
        }
        const label = `crossing-${what}-${size.width}x${size.height}-${theme}`;
        await page.screenshot({ path: info.outputPath(`${label}.png`) });
        faults.push(...(await pageFaults(page)).map((fault) => `${label}: ${fault}`));
      }
    }
  };
  await page.goto(desk.console);
  await goTo(page, 'h');
  await chooseWay(page, 'Intent');
  await typeTicket(page, { we: 'sell', amount: '0.2', token: 'WETH', other: 'WETH on Practice Two' });
  await expect(act(page)).toContainText(said(/Sell 0\.2 WETH for at least [\d.]+ WETH on Practice Two/));
  const over = ticket(page).getByLabel('Over');
  await expect(over.getByRole('option')).toHaveText([
    /^first choice, PracticeBridge$/,
    said(/^PracticeBridge: gives 0\.19\d+ WETH, \d+ s$/),
    said(/^PracticeBridgeTaxed: gives 0\.19\d+ WETH, \d+ s$/),
  ]);
  await expect(act(page)).toHaveAttribute('aria-disabled', 'false');
  await look('first-choice');
  const first = await act(page).textContent();

  await over.selectOption({ value: 'PracticeBridgeTaxed' });
  await ticket(page).getByLabel('Received by').fill(FRIEND);
  await expect(ticket(page).getByRole('row', { name: /^Through/ })).toContainText('PracticeBridgeTaxed');
  await expect(act(page)).not.toHaveText(first ?? '');
  await expect(act(page)).toHaveAttribute('aria-disabled', 'false');
  await expect(ticket(page)).toContainText('Received by 0xbebe…bebe.');
  await look('chosen');
  await page.keyboard.press('Control+Enter');
  await expect(await followed(page)).toContainText(
    'To Practice Two over PracticeBridgeTaxed, received by 0xbebe…bebe.',
  );
  await expect(ticket(page).getByLabel('Received by')).toHaveValue('');
  await look('under-way');
  await isDone(page);
  await look('done');
  const newest = page.getByRole('region', { name: 'Hedges' }).getByRole('row').nth(1);
  await expect(newest, 'it is not ours').toContainText(`for ${FRIEND}: `);

  expect(before.here.WETH - (await here.holdings('WETH')).WETH).toBe(2n * TENTH);
  expect((await there.holdings('WETH')).WETH).toBe(before.maker.WETH);
  const got = await there.heldBy(FRIEND, 'WETH');
  expect(got).toBeGreaterThan((19n * TENTH) / 10n);
  expect(faults).toEqual([]);
});
